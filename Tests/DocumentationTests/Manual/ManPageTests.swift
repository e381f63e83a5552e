import TestSupport
import Testing

@testable import FetchCommand

/// Checks the man page with the programs that print, index and lint man pages.
@Suite struct ManPageTests {
    private static let page = Repository.path("man/fetch.1")

    /// The output of `man` at a width.
    private static func rendered(_ width: Int) async throws -> ProcessResult {
        try await FetchProcess.shell(
            #"MANWIDTH=$2 MANPAGER=cat exec man --warnings=w -l "$1""#,
            page,
            "\(width)"
        )
    }

    @Test(arguments: [40, 60, 80, 132])
    func isPrintedWithoutAWarning(_ width: Int) async throws {
        let result = try await Self.rendered(width)
        #expect(result.status == 0)
        #expect(result.stderr == "")
        // Only examples, which are printed verbatim, may be longer.
        for line in result.stdoutText.split(separator: "\n") where !line.hasPrefix("           ") {
            #expect(line.count <= width, "\(line)")
        }
        #expect(result.stdoutText.split(separator: "\n").allSatisfy { $0.count <= max(width, 80) })
    }

    @Test(arguments: [40, 80])
    func describesEveryFlagCompletely(_ width: Int) async throws {
        let text = Self.solid(try await Self.rendered(width).stdoutText)
        for flag in Flags.all {
            let spellings =
                flag.letters.map { "-\($0)" } + flag.singleDashNames.map { "-\($0)" }
                + flag.longNames.map { "--\($0)" }
            let tag = spellings.joined(separator: ", ") + (flag.placeholder.map { " \($0)" } ?? "")
            #expect(text.contains(Self.solid(tag)), "\(tag)")
            #expect(text.contains(Self.solid(flag.help.dropFirst() + ".")), "\(flag.help)")
            // Backquotes are markup.
            let details = Self.solid(flag.details.replacing("`", with: ""))
            #expect(text.contains(details), "\(flag.details)")
        }
        for status in ExitStatus.allCases {
            let meaning = status.meaning.prefix(1).uppercased() + status.meaning.dropFirst()
            #expect(text.contains(Self.solid("\(status.rawValue) \(meaning).")))
        }
    }

    @Test(arguments: [40, 80])
    func groffHasNoWarningOfAnyKind(_ width: Int) async throws {
        let result = try await FetchProcess.shell(
            #"exec groff -man -Tutf8 -ww -rCHECKSTYLE=3 -rLL="$2"n -z "$1""#,
            Self.page,
            "\(width)"
        )
        #expect(result.status == 0)
        #expect(result.stderr == "")
    }

    @Test func mandocHasNoWarning() async throws {
        let result = try await FetchProcess.shell(#"exec mandoc -T lint -W all "$1""#, Self.page)
        #expect(result.status == 0)
        #expect(result.stdoutText + result.stderr == "")
    }

    @Test func isFoundByApropos() async throws {
        let result = try await FetchProcess.shell(#"exec lexgrog "$1""#, Self.page)
        #expect(result.stdoutText.hasSuffix(": \"fetch - load what URLs name\"\n"), "\(result)")
    }

    @Test func namesOnlyExistingFlags() async throws {
        let text = try await Self.rendered(132).stdoutText
        let foreign: Set<Substring> = [
            "-C", "-fsSL", "-p", "-qO", "-qO-", "-OFILE", "-OL", "-sSOJL", "-c", "-vv", "-500",
            // A placeholder for a session's name.
            "--all",
        ]
        for match in text.matches(of: /(?:^|[\s(])(--?[A-Za-z0-9][-.A-Za-z0-9]*)/) {
            let name = match.1.hasSuffix(".") ? match.1.dropLast() : match.1
            #expect(foreign.contains(name) || Flags.named(String(name)) != nil, "\(name)")
        }
    }

    /// The text without the parts that depend on the width: white space and troff's hyphens.
    private static func solid(_ text: some StringProtocol) -> String {
        String(text.filter { !$0.isWhitespace && $0 != "\u{2010}" })
    }
}
