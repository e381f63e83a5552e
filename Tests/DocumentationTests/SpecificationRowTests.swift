import Testing

/// A row of the specification counts as done when a test has its id in its display name; a page that
/// names a row says that it is done.
@Suite struct SpecificationRowTests {
    private static func rows(in text: String) -> Set<String> {
        Set(text.matches(of: /\b[STABC]-\d\d\b/).map { String($0.0) })
    }

    /// The rows in the display names of all tests and suites.
    private static func proven() throws -> Set<String> {
        try Repository.swiftFiles(below: "Tests").reduce(into: []) { proven, file in
            let text = try Repository.text(of: file)
            for test in text.matches(of: /@(?:Test|Suite)\(\s*"([^"]*)"/) {
                proven.formUnion(rows(in: String(test.1)))
            }
        }
    }

    @Test(arguments: Page.all)
    func whatAPageClaimsATestProves(_ name: String) throws {
        let claimed = Self.rows(in: try Page(name).text)
        #expect(claimed.subtracting(try Self.proven()).sorted() == [])
    }

    @Test func rowsAreFoundByTheirForm() {
        #expect(Self.rows(in: "S-01 and T-16, not UTF-8 or X-01") == ["S-01", "T-16"])
    }
}
