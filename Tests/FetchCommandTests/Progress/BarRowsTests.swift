import Testing

@testable import FetchCommand

@Suite struct BarRowsTests {
    private static let style = BarStyle(isUTF8: true, hasColor: false)

    private static func bars(_ count: Int, waiting: Set<Int> = []) -> [BarState] {
        (0..<count).map { number in
            BarState(
                name: "file-\(number)",
                share: 0.5,
                count: 512,
                total: 1_024,
                pace: waiting.contains(number) ? .waiting : .moving(1_024 * 1_024)
            )
        }
    }

    private static func names(_ rows: [String]) -> [String] {
        rows.map { String($0.prefix { $0 != " " }) }
    }

    @Test func oneRowForEachTask() {
        let rows = BarRows.text(Self.bars(3), on: TerminalSize(columns: 80, rows: 24), Self.style)
        #expect(Self.names(rows) == ["file-0", "file-1", "file-2"])
        #expect(BarRows.text([], on: TerminalSize(columns: 80, rows: 24), Self.style) == [])
    }

    @Test("the terminal shows the moving bars and a summary of the others where they are too many")
    func tooMany() {
        let bars = Self.bars(9, waiting: [0, 1, 2, 6])
        let rows = BarRows.text(bars, on: TerminalSize(columns: 80, rows: 5), Self.style)
        #expect(Self.names(rows.dropLast()) == ["file-3", "file-4", "file-5", "file-7"])
        #expect(rows.last == "and 5 more, 4 of them waiting, 1.0 MiB/s")
        let narrow = BarRows.text(bars, on: TerminalSize(columns: 12, rows: 5), Self.style)
        #expect(narrow.count == 5)
        #expect(narrow.allSatisfy { DisplayWidth.of($0) < 12 })
    }

    @Test func justEnoughRows() {
        let rows = BarRows.text(Self.bars(5), on: TerminalSize(columns: 80, rows: 5), Self.style)
        #expect(Self.names(rows).last == "file-4")
    }

    @Test(arguments: [0, 1])
    func oneRowAtLeast(_ rows: Int) {
        let size = TerminalSize(columns: 80, rows: rows)
        #expect(
            Self.names(BarRows.text(Self.bars(4, waiting: [0]), on: size, Self.style)) == ["file-1"]
        )
    }

    @Test func noRowFitsAScreenWithoutRows() {
        #expect(BarRows.text(Self.bars(2), on: TerminalSize(columns: 3, rows: 9), Self.style) == [])
    }
}
