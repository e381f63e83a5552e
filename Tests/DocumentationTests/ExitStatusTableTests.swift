import FetchCommand
import FetchDocumentation
import Testing

@Suite struct ExitStatusTableTests {
    @Test func readmeHasTheTableOfTheCode() throws {
        let rows = try Page("README.md").rows(under: "Exit status")
        let declared = ExitStatus.allCases.map { ["\($0.rawValue)", $0.meaning] }
        let signals = SignalStatus.allCases.map { ["\($0.rawValue)", $0.meaning] }
        #expect(rows == declared + signals)
    }
}
