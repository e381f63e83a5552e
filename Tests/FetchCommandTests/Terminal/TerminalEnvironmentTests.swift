import Testing

@testable import FetchCommand

@Suite struct TerminalEnvironmentTests {
    private static func environment(_ variables: [String: String]) -> TerminalEnvironment {
        TerminalEnvironment { variables[$0] }
    }

    @Test func nothingSetIsNoTerminal() {
        let environment = Self.environment([:])
        #expect(!environment.canMoveCursor)
        #expect(!environment.isUTF8)
        #expect(environment.hasColor)
        #expect(environment.assumedSize == TerminalSize(columns: 80, rows: 24))
    }

    @Test(arguments: [("xterm", true), ("dumb", false), ("", false), ("linux", true)])
    func cursor(_ term: String, _ canMove: Bool) {
        #expect(Self.environment(["TERM": term]).canMoveCursor == canMove)
    }

    @Test(arguments: [
        (["LANG": "de_DE.UTF-8"], true), (["LANG": "C.utf8"], true), (["LANG": "C"], false),
        (["LANG": "de_DE.UTF-8", "LC_ALL": "C"], false),
        (["LANG": "de_DE.UTF-8", "LC_ALL": ""], true),
        (["LANG": "C", "LC_CTYPE": "en_US.UTF-8"], true),
        (["LC_CTYPE": "C", "LC_ALL": "en_US.UTF-8@euro"], true), (["LANG": "ja_JP.eucJP"], false),
    ])
    func locale(_ variables: [String: String], _ isUTF8: Bool) {
        #expect(Self.environment(variables).isUTF8 == isUTF8)
    }

    @Test("an empty NO_COLOR has no effect", arguments: [("", true), ("1", false), ("0", false)])
    func color(_ value: String, _ hasColor: Bool) {
        #expect(Self.environment(["NO_COLOR": value]).hasColor == hasColor)
    }

    @Test(arguments: [
        ("100", 100), ("0", 80), ("-5", 80), ("x", 80), ("99999999999999999999", 80), ("20000", 80),
    ])
    func columns(_ value: String, _ columns: Int) {
        #expect(Self.environment(["COLUMNS": value]).assumedSize.columns == columns)
    }
}
