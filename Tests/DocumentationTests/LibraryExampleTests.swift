import FoundationEssentials
import TestSupport
import Testing
import URLLoading

/// Checks that README's example is `LibraryExample.swift`, which these tests compile.
@Suite struct LibraryExampleTests {
    @Test func readmeHasTheExampleThatIsCompiled() throws {
        let example = try Repository.text(of: "Tests/DocumentationTests/LibraryExample.swift")
        #expect(try Page("README.md").blocks("swift").map { $0 + "\n" } == [example])
    }

    @Test func theExampleDownloads() async throws {
        let nginx = try Nginx.shared
        let path = try nginx.addFile("library-example.txt", text: "0123456789")
        let folder = try TemporaryFolder("library")
        let source = try #require(URL(string: nginx.url(path)))
        let size = try await download(source, to: URL(filePath: folder.path("saved.txt")))
        #expect(size == 10)
        #expect(folder.readText("saved.txt") == "0123456789")
    }

    @Test func theExampleRefusesAnErrorPage() async throws {
        let nginx = try Nginx.shared
        let folder = try TemporaryFolder("library")
        let source = try #require(URL(string: nginx.url("/status/404")))
        await #expect(throws: URLError.self) {
            _ = try await download(source, to: URL(filePath: folder.path("saved.txt")))
        }
        #expect(folder.names() == [])
    }
}
