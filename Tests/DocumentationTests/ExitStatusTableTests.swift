import Testing

@testable import FetchCommand

@Suite struct ExitStatusTableTests {
    /// What a shell makes of a process that died by a signal: 128 and its number.
    private static let bySignal = [
        "129": "ended by SIGHUP",
        "130": "ended by SIGINT",
        "141": "ended by SIGPIPE: whoever read standard output has gone",
        "143": "ended by SIGTERM",
    ]

    @Test func readmeHasTheTableOfTheCode() throws {
        let rows = try Page("README.md").rows(under: "Exit status")
        let declared = ExitStatus.allCases.map { ["\($0.rawValue)", $0.meaning] }
        let signals = Self.bySignal.sorted { $0.key < $1.key }.map { [$0.key, $0.value] }
        #expect(rows == declared + signals)
    }
}
