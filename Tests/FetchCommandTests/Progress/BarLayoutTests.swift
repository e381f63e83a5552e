import TestSupport
import Testing

@testable import FetchCommand

@Suite struct BarLayoutTests {
    private static let plain = BarStyle(isUTF8: true, hasColor: false)
    private static let state = BarState(
        name: "debian-12.iso",
        share: 0.45,
        count: 12 << 20,
        total: 27 << 20,
        pace: .moving(2.5 * 1_048_576),
        remaining: .seconds(125),
        history: [1, 2, 3, 4, 5, 6, 7, 8]
    )

    private static func row(
        _ columns: Int,
        _ state: BarState = state,
        _ style: BarStyle = plain
    ) -> String {
        BarLayout(
            columns: columns,
            longestName: DisplayWidth.of(style.shown(state.name)),
            hasLengths: state.share != nil
        ).row(state, style)
    }

    /// The text that a terminal shows for a row.
    private static func seen(_ row: String, _ columns: Int = 200) -> String {
        var screen = TerminalScreen(columns: max(1, columns), rows: 2)
        screen.feed(row.utf8)
        return screen.text.joined(separator: "|")
    }

    @Test(
        "a narrower terminal shows fewer columns of a row",
        arguments: [
            (
                100,
                "debian-12.iso  45% [========>             ]  12.0 MiB of 27.0 MiB   2.5 MiB/s  eta 2m05s"
                    + "   ▂▃▄▅▆▇██"
            ),
            (80, "debian-12.iso  45% [=====>        ]  12.0 MiB   2.5 MiB/s  eta 2m05s   ▂▃▄▅▆▇██"),
            (72, "debia…2.iso  45% [==>     ]  12.0 MiB   2.5 MiB/s  eta 2m05s   ▂▃▄▅▆▇██"),
            (66, "debian-12.iso  45% [===>      ]  12.0 MiB   2.5 MiB/s  eta 2m05s"),
            (55, "debian-12.iso  45%  12.0 MiB   2.5 MiB/s  eta 2m05s"),
            (42, "debian-12.iso  45%  12.0 MiB   2.5 MiB/s"),
            (30, "debian-12.iso  45%  12.0 MiB"), (27, "debia…2.iso  45%  12.0 MiB"),
            (20, "debian-12.iso  45%"), (15, "debi….iso  45%"), (10, "de…o  45%"), (9, " 45%"),
            (5, " 45%"), (4, ""), (1, ""), (0, ""),
        ]
    )
    func narrower(_ columns: Int, _ expected: String) {
        #expect(Self.seen(Self.row(columns), columns) == expected)
    }

    @Test(arguments: [
        (60, "debian-12.iso [<=>        ]  12.0 MiB   2.5 MiB/s"),
        (30, "debian-12.iso  12.0 MiB"), (12, "12.0 MiB"), (9, "12.0 MiB"), (8, ""),
    ])
    func withoutLength(_ columns: Int, _ expected: String) {
        var state = Self.state
        (state.share, state.total, state.remaining) = (nil, nil, nil)
        state.history = []
        #expect(Self.seen(Self.row(columns, state), columns) == expected)
    }

    @Test("a row is narrower than the terminal, whatever the name and colours")
    func neverBreaks() {
        let names = [
            "", "x", "日本語のとても長いファイルの名前.tar.gz", "e\u{301}e\u{301}", "👨\u{200d}👩\u{200d}👧.png",
            String(repeating: "long", count: 50),
        ]
        for name in names {
            for columns in 0...220 {
                for isKnown in [true, false] {
                    var state = Self.state
                    state.name = name
                    if !isKnown {
                        (state.share, state.total, state.remaining) = (nil, nil, nil)
                    }
                    let row = Self.row(
                        columns,
                        state,
                        BarStyle(isUTF8: columns % 2 == 0, hasColor: columns % 3 == 0)
                    )
                    var screen = TerminalScreen(columns: max(1, columns), rows: 5)
                    screen.feed((row + "|").utf8)
                    #expect(screen.text.count <= 1, "\(name) at \(columns): \(screen.text)")
                    #expect(screen.unknown == [])
                }
            }
        }
    }

    @Test("columns are aligned, also after wide names")
    func aligned() {
        var names = ["a", "日本語", "long-name.txt"].map { name in
            var state = Self.state
            state.name = name
            return state
        }
        names[1].share = 1
        let rows = BarRows.text(names, on: TerminalSize(columns: 80, rows: 24), Self.plain)
        var screen = TerminalScreen(columns: 80, rows: 24)
        for row in rows { screen.feed((row + "\r\n").utf8) }
        let places = screen.text.map { line in
            line.firstIndex(of: "%").map { DisplayWidth.of(String(line[..<$0])) }
        }
        #expect(places == [17, 17, 17], "\(screen.text)")
    }

    @Test func anotherLocaleHasOnlyASCII() {
        var state = Self.state
        state.name = "naïve-日本.txt"
        let row = Self.row(90, state, BarStyle(isUTF8: false, hasColor: false))
        #expect(row.utf8.allSatisfy { $0 < 0x80 })
        #expect(row.hasPrefix("na?ve-??.txt "))
        #expect(row.hasSuffix("_.:-=+*##") || row.contains(".:-=+*##"))
    }

    @Test func coloursAreReset() {
        let row = Self.row(90, Self.state, BarStyle(isUTF8: true, hasColor: true))
        #expect(row.contains("\u{1b}[32m"))
        #expect(row.split(separator: "\u{1b}[").count { $0.first == "0" } == 2)
        #expect(!Self.row(90).contains("\u{1b}"))
    }

    @Test(arguments: [(0, 0), (0.004, 0), (0.999_99, 99), (1, 100)])
    func aHundredPercentMeansComplete(_ share: Double, _ percent: Int) {
        var state = Self.state
        state.share = share
        #expect(Self.row(80, state).contains(" \(percent)%"))
    }

    @Test func theMarkerMovesBackAndForth() {
        var state = Self.state
        state.share = nil
        let layout = BarLayout(columns: 50, longestName: 13, hasLengths: false)
        var seen: Set<String> = []
        for step in 0..<100 {
            state.steps = step
            seen.insert(layout.row(state, Self.plain))
        }
        #expect(seen.count == layout.gauge - 2 - 3 + 1)
    }

    @Test(arguments: [
        (BarState.Pace.waiting, "waiting"), (.stalled, "stalled"), (.moving(0), "0 B/s"),
        (.moving(1e18), "888 PiB/s"), (.offline, "no network"),
    ])
    func pace(_ pace: BarState.Pace, _ text: String) {
        var state = Self.state
        state.pace = pace
        #expect(Self.row(80, state).contains(" \(text)  "))
    }
}
