import FetchDocumentation
import TestSupport
import Testing

@testable import FetchCommand

/// Flags whose declarations contain characters with a meaning for shells or roff.
@Suite struct UnusualFlagTests {
    private static let flags = [
        Flag(
            ["--odd", "-O"],
            value: "A:B",
            kind: .choice(["plain", "1.0", "a:b"]),
            section: .task,
            help: "do [this]: 'that', \"those\", `ls` $HOME \\n é … and %s; | & > all",
            details: ".TH is no macro here. 'Nor is this. A \\fBbackslash\\fR stays."
        ) { _, _ in },
        Flag(["--many"], value: "X", kind: .file, repeats: true, section: .task, help: "x") {
            _,
            _ in
        },
        Flag(["--only-long"], section: .session, help: "(parentheses) * ? ~ ^ ! #") { _ in },
    ]

    private static let files = GeneratedFile.all(flags, examples: [], date: "2025-12-31")

    private static func generated(in folder: TemporaryFolder) throws -> [String: String] {
        try files.reduce(into: [:]) { $0[$1.path] = try folder.write($1.text, to: $1.path) }
    }

    @Test(arguments: CompletingShell.allCases)
    func areCompletedLikeOthers(_ shell: CompletingShell) async throws {
        let folder = try TemporaryFolder("unusual")
        let files = try Self.generated(in: folder)
        let name = String(shell.completions.dropFirst(Repository.root.count + 1))
        let offers = try await shell.offers(
            [
                "fetch --od", "fetch --odd ", "fetch -O 1", "fetch --only-long --o",
                "fetch --many x --many",
            ],
            completions: files[name]
        )
        #expect(offers[0] == ["--odd"])
        #expect(Set(offers[1]) == ["plain", "1.0", "a:b"])
        #expect(offers[2] == ["1.0"])
        #expect(offers[3] == ["--odd"])
        #expect(offers[4] == ["--many"])
    }

    @Test func theirHelpIsPrintedUnchanged() async throws {
        let folder = try TemporaryFolder("unusual")
        let page = try #require(try Self.generated(in: folder)["man/fetch.1"])
        let result = try await FetchProcess.shell(#"MANWIDTH=200 man --warnings=w -l "$1""#, page)
        #expect(result.stderr == "")
        let text = result.stdoutText.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        for flag in Self.flags {
            // Backquotes are markup.
            #expect(text.contains(flag.help.dropFirst().replacing("`", with: "")), "\(text)")
            #expect(text.contains(flag.details))
        }
    }
}
