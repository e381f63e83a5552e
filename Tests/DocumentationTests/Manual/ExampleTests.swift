import TestSupport
import Testing

@testable import FetchDocumentation

@Suite struct ExampleTests {
    @Test func eachExampleHasAnExplanation() throws {
        let examples = try Page("docs/examples.md").examples
        #expect(examples.count == 16)
        for example in examples {
            #expect(example.explanation.hasSuffix("."))
            #expect(example.command.contains("fetch "))
        }
    }

    @Test func linesAreBrokenAtSpacesOutsideQuotes() {
        let example = Example(explanation: "", command: #"aaa 'b b' "c c" dd"#)
        #expect(example.lines(width: 100) == [#"aaa 'b b' "c c" dd"#])
        #expect(example.lines(width: 11) == [#"aaa 'b b' \"#, #"    "c c" \"#, "    dd"])
    }

    @Test(arguments: try Page("docs/examples.md").examples.map(\.command))
    func aShellReadsTheSameWords(_ command: String) async throws {
        // The text before a pipe, as a list of words.
        let lines = Example(explanation: "", command: command).lines(width: 40)
        #expect(lines.allSatisfy { $0.count <= 60 })
        let script =
            #"fetch() { printf '<%s>' "$@"; }; tar() { :; }; sort() { cat; }; uniq() { cat; }; "#
        let whole = try await FetchProcess.shell(script + command)
        let broken = try await FetchProcess.shell(script + lines.joined(separator: "\n"))
        #expect(whole.status == 0)
        #expect(!whole.stdout.isEmpty)
        #expect(whole.stdoutText == broken.stdoutText)
    }
}
