import Testing

@testable import FetchCommand

@Suite struct FlagMentionTests {
    /// Flags of other programs that the pages mention, and other text that begins with a dash.
    private static let foreign: Set<String> = [
        "--filter", "--recursive", "--strict", "--tool", "-", "--flag", "-cN", "-vv",
        // A cluster, a name of no flag, and the end of a word.
        "-qO-", "--generate", "-sess",
    ]

    @Test(
        arguments: [
            "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "docs/architecture.md",
            "docs/behaviour.md", "docs/examples.md",
        ] + Page.decisions
    )
    func everyFlagExists(_ name: String) throws {
        for span in try Page(name).spans where span.hasPrefix("-") {
            let flag = String(span.prefix { !$0.isWhitespace && $0 != "=" })
            guard !Self.foreign.contains(flag) else { continue }
            let isKnown = Flags.named(flag) != nil || PastedSpelling.named(flag) != nil
            #expect(isKnown, "\(name) speaks of \(flag)")
        }
    }

    @Test func bothPagesNameFlags() throws {
        for name in ["README.md", "CHANGELOG.md"] {
            #expect(try Page(name).spans.contains { Flags.named($0) != nil }, "\(name)")
        }
    }
}
