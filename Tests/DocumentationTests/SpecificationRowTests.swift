import Testing

/// Checks that each id on a page has a test, and each id in a test has a row.
///
/// A row of the specification counts as done when a test's display name contains its id.
@Suite struct SpecificationRowTests {
    @Test(arguments: Page.all)
    func everyIdOnAPageHasATest(_ name: String) throws {
        let named = SpecificationPage.ids(in: try Page(name).text)
        #expect(named.subtracting(try SpecificationPage.proofs().keys).sorted() == [])
    }

    @Test func everyIdInATestHasARow() throws {
        let page = try Repository.text(of: SpecificationPage.path)
        let rows = page.matches(of: /\n\| ([STABC]-\d\d) \|/).map { String($0.1) }
        #expect(rows.count == Set(rows).count)
        // The ids in this test's own examples have no rows.
        let proofs = try SpecificationPage.proofs()
        #expect(Set(proofs.keys).subtracting(rows).sorted() == [])
    }

    @Test func rowsAreFoundByTheirForm() {
        #expect(SpecificationPage.ids(in: "S-01 and T-16, not UTF-8 or X-01") == ["S-01", "T-16"])
    }

    @Test func onlyTheLastCellIsGenerated() {
        let attribute = "@Test"
        let tests = "\(attribute)(\"T-07 one \\\"a\\\"\")\n\(attribute)(\n \"S-01, T-07 two\"\n)"
        let proofs = SpecificationPage.proofs(in: [
            ("Tests/A/B.swift", tests), ("Tests/C.swift", ""),
        ])
        #expect(proofs == ["T-07": ["Tests/A/B.swift": 2], "S-01": ["Tests/A/B.swift": 1]])
        let page = "T-07 | x\n| T-07 | some text | old |\n| T-08 | `a` b |  |\n"
        #expect(
            SpecificationPage.filled(page, with: proofs)
                == "T-07 | x\n| T-07 | some text | [B](../Tests/A/B.swift) 2 |\n| T-08 | `a` b |  |\n"
        )
    }
}
