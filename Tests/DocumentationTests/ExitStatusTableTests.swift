import FetchCommand
import FetchDocumentation
import Testing

@Suite struct ExitStatusTableTests {
    @Test func thePageHasTheTableOfTheCode() throws {
        let rows = try Page("docs/behaviour.md").rows(under: "Exit status")
        let declared = ExitStatus.allCases.map { ["\($0.rawValue)", $0.meaning] }
        let signals = SignalStatus.allCases.map { ["\($0.rawValue)", $0.meaning] }
        #expect(rows == declared + signals)
    }
}
