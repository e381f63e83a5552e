import TestSupport
import Testing

/// Runs the pages' commands on events, with jq and a folder of the real nginx.
@Suite struct EventExampleTests {
    /// The commands of a block: comments gone, continued lines joined.
    private static func commands(_ page: String, _ block: Int) throws -> [String] {
        let blocks = try Page(page).blocks("sh")
        return try #require(blocks.count > block ? blocks[block] : nil)
            .split(separator: "\n")
            .filter { !$0.hasPrefix("#") }
            .joined(separator: "\n")
            .replacing("|\n", with: "|")
            .split(separator: "\n")
            .map(String.init)
    }

    private static func run(_ command: String) async throws -> ProcessResult {
        let nginx = try Nginx.shared
        try nginx.addFile("events-example/disk.img", text: "0123456789")
        try nginx.addFile("events-example/one.txt", text: "one")
        let line = command.replacing(
            "https://example.org/",
            with: nginx.url("/files/events-example/")
        )
        return try await FetchProcess.shell(#"fetch() { "$FETCH" "$@"; }; \#(line)"#)
    }

    @Test(arguments: ["docs/examples.md", "docs/events.md"])
    func followsADownload(_ page: String) async throws {
        let block = page == "docs/examples.md" ? 1 : 0
        let result = try await Self.run(try #require(try Self.commands(page, block).first))
        #expect(result.stdoutText == "10 of 10\n", "\(result)")
        #expect(result.folder.readText("disk.img") == "0123456789")
        #expect(result.stderr == "")
    }

    @Test func printsTheStatusOfEachResponse() async throws {
        let commands = try Self.commands("docs/examples.md", 1)
        #expect(commands.count == 2)
        let result = try await Self.run(try #require(commands.last))
        let folder = try Nginx.shared.url("/files/events-example/")
        #expect(
            result.stdoutText == "200 \(folder)one.txt\n404 \(folder)missing.txt\n",
            "\(result)"
        )
        #expect(result.folder.names() == ["one.txt"])
    }
}
