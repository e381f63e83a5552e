import FetchDocumentation
import FoundationEssentials
import TestSupport
import Testing

/// Runs the one-liners of docs/examples.md with folders of the real nginx in place of their hosts.
@Suite struct ReadmeOneLinerTests {
    /// The environment of a command: the hosts' files and a working folder.
    private struct Stage {
        let nginx: Nginx
        let folder: TemporaryFolder

        /// nginx with the files that the commands request, added once for all commands.
        private static let served = Result {
            let nginx = try Nginx.shared
            for name in ["debian.iso", "disk.img", "latest.json", "one.txt", "two.txt"] {
                try nginx.addFile(name, text: "the content of \(name)\n")
            }
            try nginx.addFile("words.txt", text: "b\na\nb\n")
            return nginx
        }

        init() throws {
            nginx = try Self.served.get()
            folder = try TemporaryFolder("readme")
            try folder.write("\u{89}PNG", to: "cat.png")
            try folder.write("%PDF", to: "report.pdf")
            try folder.write("remember", to: "notes/today.txt")
            let urls = ["one.txt", "two.txt"].map { nginx.url("/files/\($0)\n") }
            try folder.write(urls.joined(), to: "urls.txt")
            // The checksum of the served text.
            try folder.write(
                "25c6399af9791f71edcd9883492cf3514af278d0df672cc2a441b2e9ecfd06ce  debian.iso\n",
                to: "SHA256SUMS"
            )
            let authority = nginx.certificates.authority
            try folder.write(
                try String(contentsOfFile: authority, encoding: .utf8),
                to: "company.pem"
            )
        }

        /// A command of the page, changed to use nginx.
        func command(_ line: String) -> String {
            line.replacing("https://example.org/", with: nginx.url("/files/"))
                .replacing("https://api.example.org/", with: nginx.url("/echo/"))
                .replacing("https://dav.example.org/", with: nginx.url("/dav/"))
                .replacing("https://intranet.example.org/", with: nginx.tlsURL("/files/"))
        }
    }

    /// The commands of the section, without the comments between them.
    private static func commands() throws -> [String] {
        try Page("docs/examples.md").examples.map(\.command)
    }

    @Test func thereAreSixteenOfThem() throws {
        #expect(try Self.commands().count == 16)
    }

    @Test func readmeShowsTenOfThem() throws {
        let shown = try Page("README.md").examples
        let all = try Page("docs/examples.md").examples
        #expect(shown.count == 10)
        #expect(shown.allSatisfy { all.contains($0) })
    }

    @Test func readmeHasAtMostOneHundredAndFiftyLines() throws {
        #expect(
            try Page("README.md").text.split(separator: "\n", omittingEmptySubsequences: false)
                .count <= 151
        )
    }

    @Test(arguments: try Self.commands())
    func works(_ line: String) async throws {
        let stage = try Stage()
        let command = stage.command(line)
        #expect(!command.contains("example.org"), "a host that no test server has")
        let before = stage.folder.names()
        let result = try await FetchProcess.shell(
            #"set -e; fetch() { "$FETCH" "$@"; }; \#(command)"#,
            in: stage.folder
        )
        #expect(result.status == 0, "\(result)")
        #expect(!result.stderr.contains("fetch: "), "\(result)")
        let made = stage.folder.names().filter { !before.contains($0) }
        #expect(!made.contains { $0.hasSuffix(".part") })
        // Each command has an effect: a file, a response, or an upload on the server.
        let isUpload = line.contains("--upload-file")
        #expect(isUpload || !made.isEmpty || !result.stdout.isEmpty, "\(result)")
    }

    @Test func savesUnderTheNamesItPromises() async throws {
        let stage = try Stage()
        for line in try Self.commands().prefix(4) {
            _ = try await FetchProcess.shell(
                #"fetch() { "$FETCH" "$@"; }; \#(stage.command(line))"#,
                in: stage.folder
            )
        }
        #expect(stage.folder.readText("debian.iso") == "the content of debian.iso\n")
        #expect(stage.folder.readText("releases.json") == "the content of latest.json\n")
        #expect(stage.folder.readText("downloads/one.txt") == "the content of one.txt\n")
        #expect(stage.folder.readText("downloads/two.txt") == "the content of two.txt\n")
    }

    @Test func storesWhatItPromises() async throws {
        let stage = try Stage()
        for line in try Self.commands() where line.contains("--upload-file") {
            _ = try await FetchProcess.shell(
                #"fetch() { "$FETCH" "$@"; }; \#(stage.command(line))"#,
                in: stage.folder
            )
        }
        #expect(stage.nginx.uploaded("reports/report.pdf") == Array("%PDF".utf8))
        #expect((stage.nginx.uploaded("notes.tar") ?? []).starts(with: "notes/".utf8))
    }
}
