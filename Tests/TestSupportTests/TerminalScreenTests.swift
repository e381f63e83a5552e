import TestSupport
import Testing

@Suite
struct TerminalScreenTests {
    private static func screen(_ text: String, columns: Int = 10, rows: Int = 4) -> TerminalScreen {
        var screen = TerminalScreen(columns: columns, rows: rows)
        screen.feed(text.utf8)
        return screen
    }

    @Test(arguments: [
        ("one\r\ntwo", ["one", "two"]), ("one\ntwo", ["one", "   two"]), ("abc\rX", ["Xbc"]),
        ("0123456789abc", ["0123456789", "abc"]), ("0123456789\r\nabc", ["0123456789", "abc"]),
        ("abc\u{8}X", ["abX"]), ("a  \r\n\r\n", ["a"]), ("", []),
        ("日本語日本語", ["日本語日本", "語"]), ("e\u{301}x", ["e\u{301}x"]),
        ("日本\rx", ["x 本"]), ("日本\u{1b}[2Gx", [" x本"]), ("a\u{1b}[5Gb", ["a   b"]),
        ("abcdef\r\u{1b}[3C\u{1b}[K", ["abc"]), ("abc\u{1b}[2Dx", ["axc"]),
        ("a\r\nb\r\nc\u{1b}[2AX", ["aX", "b", "c"]),
        ("a\r\nb\r\nc\u{1b}[A\r\u{1b}[J", ["a"]), ("\u{1b}[32mx\u{1b}[0m", ["x"]),
    ])
    func shows(_ text: String, _ lines: [String]) {
        let screen = Self.screen(text)
        #expect(screen.text == lines)
        #expect(screen.unknown == [])
    }

    @Test
    func scrolls() {
        let screen = Self.screen("1\r\n2\r\n3\r\n4\r\n5\r\n6\u{1b}[9AX")
        #expect(screen.text == ["1", "2", "3X", "4", "5", "6"])
        #expect(screen.window == ["3X", "4", "5", "6"])
        #expect(screen.cursor == (0, 2))
    }

    @Test
    func theCursorWaitsAtTheLastColumn() {
        var screen = Self.screen("0123456789")
        #expect(screen.cursor == (0, 9))
        screen.feed("\r".utf8)
        #expect(screen.cursor == (0, 0))
        screen.feed("\n\u{1b}[99Cxy".utf8)
        #expect(screen.text == ["0123456789", "         x", "y"])
    }

    @Test
    func wrapsItsLinesAgain() {
        var screen = Self.screen("before\r\n0123456789abc\r\nnext\u{1b}[2A\r\u{1b}[3C")
        #expect(screen.text == ["before", "0123456789", "abc", "next"])
        screen.resize(columns: 5, rows: 10)
        #expect(screen.text == ["befor", "e", "01234", "56789", "abc", "next"])
        #expect(screen.cursor == (2, 3))
        screen.resize(columns: 20, rows: 4)
        #expect(screen.text == ["before", "0123456789abc", "next"])
        #expect(screen.cursor == (1, 3))
        screen.feed("X\r\u{1b}[J".utf8)
        #expect(screen.text == ["before"])
    }

    @Test
    func reportsColours() {
        #expect(!Self.screen("\u{1b}[0mx").hasColor)
        #expect(Self.screen("\u{1b}[1;31mx").hasColor)
    }

    @Test(arguments: ["\u{1b}7", "\u{1b}[?25l", "\u{1b}[2J", "\u{1}"])
    func reportsUnknownSequences(_ text: String) {
        #expect(Self.screen(text).unknown.count == 1)
    }

    @Test
    func reportsBytesThatAreNotText() {
        var screen = TerminalScreen(columns: 10, rows: 4)
        screen.feed([0xff, 0xc3, 0x28, 0x41])
        #expect(screen.unknown == ["ff", "c3 28"])
        #expect(screen.text == ["A"])
    }
}
