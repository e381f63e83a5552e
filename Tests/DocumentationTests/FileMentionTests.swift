import Testing

@Suite struct FileMentionTests {
    /// A code span that begins like one of these is a path.
    private static let tops = [
        ".ci/", "Benchmarks/", "Examples/", "Fuzz/", "Scripts/", "Sources/", "Tests/",
        "completions/", "docs/",
        "man/",
    ]
    /// The files of the top folder that pages mention.
    private static let files = ["Makefile", "Package.swift", ".swift-format", "LICENSE"]

    @Test(arguments: Page.all)
    func everyNamedFileExists(_ name: String) throws {
        for span in try Page(name).spans {
            // The text after a space is an argument.
            let path = String(span.prefix { $0 != " " })
            guard Self.files.contains(path) || Self.tops.contains(where: path.hasPrefix) else {
                continue
            }
            #expect(Repository.exists(path), "\(name) names \(path)")
        }
    }

    @Test(arguments: Page.all)
    func everyLinkWithinTheRepositoryHasATarget(_ name: String) throws {
        // Links are relative to the page's own folder.
        let folder = name.split(separator: "/").dropLast().map { $0 + "/" }.joined()
        for link in try Page(name).links where !link.contains("://") && !link.hasPrefix("#") {
            let file = link.prefix { $0 != "#" }
            #expect(Repository.exists(folder + file), "\(name) links to \(link)")
        }
    }

    @Test func everyRowOfTheTableNamesAFile() throws {
        let rows = try Page("CONTRIBUTING.md").rows(under: "Where does a new … go")
        #expect(rows.count >= 9)
        for row in rows {
            let spans = Page(name: "row", text: row.joined(separator: " ")).spans
            #expect(spans.contains { $0.contains("/") && Repository.exists($0) }, "\(row[0])")
        }
    }
}
