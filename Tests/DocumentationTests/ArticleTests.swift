import FoundationEssentials
import TestSupport
import Testing
import URLLoading

/// Checks that the code in the library's articles compiles: tests and examples contain each block.
@Suite struct ArticleTests {
    private static func sources() throws -> [String] {
        let files =
            try Repository.swiftFiles(below: "Examples") + [
                "Tests/DocumentationTests/ArticleExamples.swift",
                "Tests/DocumentationTests/LibraryExample.swift",
                "Tests/URLLoadingTests/Foundation/AppServer.swift",
            ]
        return try files.map(Repository.text)
    }

    /// A block, unchanged, within another text.
    private static func indented(_ block: String) -> String {
        block.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : "    \($0)" }
            .joined(separator: "\n")
    }

    @Test(arguments: Page.articles)
    func everyBlockIsQuotedFromCompiledCode(_ name: String) throws {
        let sources = try Self.sources().map { "\n\($0)" }
        for block in try Page(name).blocks("swift") {
            let forms = [block, Self.indented(block)].map { "\n\($0)\n" }
            let isQuoted = sources.contains { source in forms.contains(where: source.contains) }
            #expect(isQuoted, "\(name):\n\(block)")
        }
    }

    @Test func articlesHaveCode() throws {
        let blocks = try Page.articles.flatMap { try Page($0).blocks("swift") }
        #expect(blocks.count >= 14)
    }

    @Test func quotedFunctionsWork() async throws {
        let nginx = try Nginx.shared
        let url = try #require(
            URL(string: nginx.url(try nginx.addFile("a.txt", text: "one\ntwo\n")))
        )
        #expect(try await text(at: url) == "one\ntwo\n")
        let session = URLSession(configuration: .ephemeral)
        defer { session.finishTasksAndInvalidate() }
        #expect(try await countLines(at: url, in: session) == 2)
        let missing = try #require(URL(string: nginx.url("/status/404")))
        await #expect(throws: URLError.self) { try await text(at: missing) }
    }
}
