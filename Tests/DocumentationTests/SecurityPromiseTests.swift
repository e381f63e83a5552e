import Testing

/// Checks the links of SECURITY.md from its promises to the tests that prove them.
///
/// A link's text is the test's display name, or its function's name where the test has none.
@Suite struct SecurityPromiseTests {
    /// A test that the page links.
    private struct Link: Hashable, CustomStringConvertible {
        let file: String
        let name: String

        var description: String { "\(file): \(name)" }
    }

    private static func links(in text: String) -> [Link] {
        text.matches(of: /\[([^\]\[]+)\]\((Tests\/[^)\s]+)\)/).map {
            Link(file: String($0.2), name: String($0.1))
        }
    }

    /// The names of the tests in a file: display names and functions.
    private static func names(in text: String) -> Set<String> {
        let displayed = text.matches(of: /@Test\(\s*"((?:[^"\\]|\\.)*)"/).map { match in
            String(match.1).replacing("\\\"", with: "\"").replacing("\\\\", with: "\\")
        }
        return Set(displayed).union(text.matches(of: /func (\w+)\(/).map { String($0.1) })
    }

    @Test func everyNamedTestExists() throws {
        let links = Self.links(in: try Page("SECURITY.md").text)
        #expect(links.count >= 100)
        for (file, links) in Dictionary(grouping: Set(links), by: \.file) {
            guard Repository.exists(file) else {
                Issue.record("SECURITY.md links to \(file)")
                continue
            }
            let names = Self.names(in: try Repository.text(of: file))
            for link in links { #expect(names.contains(link.name), "\(link)") }
        }
    }

    @Test func everyPromiseNamesATest() throws {
        let rows = try Page("SECURITY.md").rows(under: "What is promised")
        #expect(rows.count >= 40)
        for row in rows {
            #expect(row.count == 2, "\(row)")
            #expect(!Self.links(in: row[1]).isEmpty, "\(row[0])")
        }
    }

    @Test func everyVulnerabilityIsInOneRow() throws {
        let rows = try Page("SECURITY.md").rows(under: "Known vulnerabilities of others")
        #expect(rows.count >= 20)
        var seen: Set<String> = []
        for row in rows {
            #expect(row.count == 3, "\(row)")
            let examples = row[1].matches(of: /CVE-(\d+-\d+)/).map { String($0.1) }
            #expect(!examples.isEmpty, "\(row[0])")
            for example in examples {
                #expect(example.wholeMatch(of: /\d{4}-\d{4,7}/) != nil, "\(example)")
                #expect(seen.insert(example).inserted, "\(example) is in two rows")
            }
        }
    }

    @Test func namesAreReadWithTheirQuotes() {
        let text = """
            @Test("a \\"b\\"") func one() {}
            @Test(
                "c",
                arguments: [1]
            )
            func two(number: Int) {}
            """
        #expect(Self.names(in: text) == ["a \"b\"", "c", "one", "two"])
        #expect(Self.links(in: "[a, b](Tests/X.swift), [c](docs/d.md)").map(\.name) == ["a, b"])
    }
}
