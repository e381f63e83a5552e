import TestSupport
import Testing

@testable import FetchCommand

/// The painter's output, as a screen shows it.
@Suite struct PainterTests {
    private var painter = Painter()
    private var screen = TerminalScreen(columns: 20, rows: 6)
    private var size = TerminalSize(columns: 20, rows: 6)

    /// The terminal's driver moves the cursor to the beginning of the line.
    private mutating func write(_ text: String?) {
        screen.feed((text ?? "").replacing("\n", with: "\r\n").utf8)
    }

    private mutating func draw(_ rows: [String]) {
        write(painter.draw(rows, on: size))
    }

    @Test mutating func redrawsInPlace() {
        write("before\n")
        draw(["one 10%", "two 20%"])
        #expect(screen.text == ["before", "one 10%", "two 20%"])
        draw(["one", "two 3%"])
        #expect(screen.text == ["before", "one", "two 3%"])
        #expect(screen.cursor == (1, 0))
    }

    @Test mutating func writesNothingWithoutAChange() {
        draw(["one"])
        #expect(painter.draw(["one"], on: size) == nil)
        #expect(painter.draw(["two"], on: size) != nil)
        #expect(painter.draw([], on: size) != nil)
        #expect(painter.draw([], on: size) == nil)
        #expect(painter.draw([], on: TerminalSize(columns: 5, rows: 5)) == nil)
    }

    @Test mutating func printsLinesAbove() {
        draw(["one 10%", "two 20%"])
        write(painter.printAbove("a line that is longer than the window"))
        write(painter.printAbove("first\nsecond"))
        draw(["one 11%", "two 20%"])
        #expect(
            screen.text == [
                "a line that is longe", "r than the window", "first", "second", "one 11%",
                "two 20%",
            ]
        )
    }

    @Test mutating func printsPlainLinesWithoutBars() {
        #expect(painter.printAbove("line") == "line\n")
        draw(["one"])
        write(painter.erase())
        #expect(painter.printAbove("line") == "line\n")
    }

    @Test mutating func aBarBecomesItsLastLine() {
        draw(["one 99%", "two 20%"])
        write(painter.printAbove("one: done", rows: ["two 20%"]))
        #expect(screen.text == ["one: done", "two 20%"])
        write(painter.printAbove("two: done", rows: []))
        #expect(screen.text == ["one: done", "two: done"])
        #expect(screen.cursor == (2, 0))
    }

    @Test mutating func appearsAndDisappearsAtTheBottomOfTheScreen() {
        for number in 1...9 { write("line \(number)\n") }
        draw(["a"])
        draw(["a", "b", "c"])
        draw(["A", "B", "C"])
        #expect(screen.window == ["line 7", "line 8", "line 9", "A", "B", "C"])
        draw(["only"])
        #expect(screen.window == ["line 7", "line 8", "line 9", "only", "", ""])
        write(painter.erase())
        #expect(screen.text.suffix(2) == ["line 8", "line 9"])
        #expect(screen.cursor.column == 0)
        #expect(painter.erase() == "")
    }

    @Test(
        "a narrower window breaks the rows, and the painter erases all of them",
        arguments: [19, 12, 7, 3]
    )
    mutating func shrinks(columns: Int) {
        write("before\n")
        draw(["0123456789012345678", "abcdefghijklmnopqrs"])
        screen.resize(columns: columns, rows: 6)
        size.columns = columns
        draw(["x", "y"])
        let above = "before".count > columns ? ["bef", "ore"] : ["before"]
        #expect(screen.text == above + ["x", "y"])
    }

    @Test mutating func grows() {
        draw(["short"])
        screen.resize(columns: 40, rows: 10)
        size = TerminalSize(columns: 40, rows: 10)
        draw(["short and more and more and more"])
        #expect(screen.text == ["short and more and more and more"])
    }

    @Test mutating func redrawsAfterOtherOutput() {
        draw(["one", "two"])
        painter.forgetRows()
        write("\r\n\n$ fg\n")
        draw(["one", "two"])
        #expect(screen.text.suffix(3) == ["$ fg", "one", "two"])
    }
}
