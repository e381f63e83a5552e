import CLinux
import FoundationEssentials
import Glibc
import Synchronization
import SystemPackage
import URLLoading

/// The bars of all tasks at the bottom of a terminal, and all other lines above them.
///
/// Any thread may print a line, and does not block. The main thread redraws the bars at each tick,
/// and sleeps at most until the next tick. Output that the terminal does not accept is buffered
/// until the next tick. Until then no bars are drawn, so frames are dropped, but never lines.
final class BarBoard: Sendable {
    /// A shorter task has no bar, because its user could not read it.
    private static let delay: Duration = .milliseconds(150)
    /// Ten frames a second look smooth, and need 1 KB a second on a slow connection.
    private static let interval: Duration = .milliseconds(100)
    /// How soon a job shows its bars after it was brought to the foreground.
    private static let backgroundInterval: Duration = .seconds(1)
    /// The longest wait for a stopped terminal before a body is written to it.
    static let drainTimeout: Duration = .seconds(1)

    private struct State: ~Copyable {
        var terminal: Terminal
        var painter = Painter()
        var bars: [Bar] = []
        /// Whether the bar of an ended task is still on the screen.
        var hasEnded = false
        /// `nil` if there is nothing to draw.
        var nextTick: MonotonicInstant?
        /// Whether a body was written to the terminal, so that the cursor's position is unknown.
        var isGivenUp = false
        /// Lines to print after the prompt; `nil` without a prompt.
        var deferredLines: [String]?

        mutating func erase() {
            if terminal.isForeground { terminal.send(painter.erase()) }
        }

        /// Removes all bars; returns whether the terminal has accepted everything.
        mutating func clear() -> Bool {
            bars = []
            erase()
            return terminal.flush()
        }
    }

    private let style: BarStyle
    private let descriptor: CInt
    private let state: Mutex<State>

    /// `nil` if standard error is not a terminal, or its cursor cannot be moved.
    init?(_ environment: TerminalEnvironment) {
        guard environment.canMoveCursor,
            let terminal = Terminal(.standardError, assumedSize: environment.assumedSize)
        else { return nil }
        style = BarStyle(isUTF8: environment.isUTF8, hasColor: environment.hasColor)
        descriptor = terminal.descriptor
        state = Mutex(State(terminal: terminal))
    }

    var isForeground: Bool { state.withLock { $0.terminal.isForeground } }

    /// The bytes that the terminal has not accepted yet, and those that wait for the end of a prompt.
    var backlog: Int {
        state.withLock { state in
            (state.deferredLines ?? []).reduce(state.terminal.backlog) { $0 + $1.utf8.count }
        }
    }

    /// The time of the next call of `tick`; `nil`: none is needed.
    var nextTick: MonotonicInstant? { state.withLock { $0.nextTick } }

    func add(_ progress: TaskProgress, at now: MonotonicInstant = .now) {
        state.withLock { state in
            guard !state.isGivenUp, !state.bars.contains(where: { $0.progress === progress }) else {
                return
            }
            state.bars.append(Bar(progress, at: now))
            let due = now + Self.delay
            state.nextTick = min(state.nextTick ?? due, due)
        }
    }

    /// Removes an ended task; its bar disappears with the next line or tick.
    func remove(_ progress: TaskProgress) {
        state.withLock { state in
            state.bars.removeAll { $0.progress === progress }
            state.hasEnded = true
        }
    }

    /// Ends all bars, because a body is written to the terminal.
    func stop() {
        let isDone = state.withLock { state in
            state.isGivenUp = true
            state.nextTick = nil
            return state.clear()
        }
        if !isDone { drain() }
    }

    /// Removes the bars during a prompt, and buffers lines until its end.
    func beginPrompt() {
        state.withLock { state in
            state.deferredLines = state.deferredLines ?? []
            state.erase()
        }
    }

    /// Ends the prompt: prints the buffered lines; the bars reappear with the next tick.
    func endPrompt() {
        let deferred = state.withLock { state in
            defer { state.deferredLines = nil }
            return state.deferredLines ?? []
        }
        for text in deferred { printAbove(text) }
    }

    /// Redraws the bars if the next tick is due and something has changed.
    func tick(at now: MonotonicInstant = .now) {
        state.withLock { state in
            guard let due = state.nextTick, now >= due else { return }
            guard state.deferredLines == nil else {
                state.nextTick = now + Self.backgroundInterval
                return
            }
            for index in state.bars.indices { state.bars[index].update(at: now) }
            let isForeground = state.terminal.isForeground
            if !isForeground { state.painter.forgetRows() }
            if state.terminal.flush(), isForeground {
                for index in state.bars.indices where now - state.bars[index].started >= Self.delay
                {
                    state.bars[index].show()
                }
                if let frame = state.painter.draw(rows(state), on: state.terminal.size) {
                    Self.unstopped { state.terminal.send(frame) }
                }
                state.hasEnded = false
            }
            let isIdle = state.bars.isEmpty && state.terminal.backlog == 0
            state.nextTick =
                isIdle ? nil : now + (isForeground ? Self.interval : Self.backgroundInterval)
        }
    }

    /// Prints lines above the bars; the time limits the wait for a terminal that shows a body.
    func printAbove(_ text: String, within timeout: Duration = drainTimeout) {
        let mustDrain = state.withLock { state in
            if state.deferredLines != nil {
                state.deferredLines?.append(text)
                return false
            }
            if !state.terminal.isForeground { state.painter.forgetRows() }
            let isBehind = state.terminal.backlog > 0
            // Bars of ended tasks are not redrawn below the lines.
            let rows = state.hasEnded ? rows(state) : nil
            state.hasEnded = false
            state.terminal.send(state.painter.printAbove(text, rows: rows))
            guard state.terminal.backlog > 0 else { return false }
            state.nextTick = state.nextTick ?? .now
            // A body's next bytes must not be written into the middle of a line. If the terminal is stopped,
            // only the first line waits for it.
            return state.isGivenUp && !isBehind
        }
        if mustDrain { drain(within: timeout) }
    }

    /// Removes the bars, and blocks until every line is printed, or for a time.
    func close(within timeout: Duration?) {
        endPrompt()
        if !state.withLock({ $0.clear() }) { drain(within: timeout) }
    }

    /// Blocks until the terminal has accepted the backlog, or for a time.
    private func drain(within timeout: Duration? = drainTimeout) {
        let end = timeout.map { MonotonicInstant.now + $0 }
        var isDone = false
        while !isDone {
            let left = end.map { ($0 - .now) / .milliseconds(1) }
            if let left, left <= 0 { return }
            Terminal.takesMore(descriptor, within: left.map { CInt(clamping: Int($0) + 1) } ?? -1)
            isDone = state.withLock { $0.terminal.flush() }
        }
    }

    private func rows(_ state: borrowing State) -> [String] {
        let shown = state.bars.filter(\.isShown).map(\.state)
        return BarRows.text(shown, on: state.terminal.size, style)
    }

    /// Blocks SIGTTOU, which would stop this process if another job has just taken the terminal.
    private static func unstopped(_ draw: () -> Void) {
        var signal = sigset_t()
        var before = sigset_t()
        sigemptyset(&signal)
        sigaddset(&signal, SIGTTOU)
        pthread_sigmask(SIG_BLOCK, &signal, &before)
        draw()
        pthread_sigmask(SIG_SETMASK, &before, nil)
    }
}

/// Lays out all bars as rows, at most as many as the terminal has.
enum BarRows {
    /// The rows, narrower than the terminal; if there are too many, the last one sums up the rest.
    static func text(_ bars: [BarState], on size: TerminalSize, _ style: BarStyle) -> [String] {
        guard !bars.isEmpty else { return [] }
        var shown = bars
        var rest: [BarState] = []
        if bars.count > max(1, size.rows) {
            let places = max(1, size.rows - 1)
            let sorted = bars.filter(\.isActive) + bars.filter { !$0.isActive }
            shown = Array(sorted.prefix(places))
            rest = Array(sorted.dropFirst(places))
        }
        let layout = BarLayout(
            columns: size.columns,
            longestName: shown.map { DisplayWidth.of(style.shown($0.name)) }.max() ?? 0,
            hasLengths: shown.contains { $0.share != nil }
        )
        guard !layout.isEmpty else { return [] }
        var rows = shown.map { layout.row($0, style) }
        if !rest.isEmpty, size.rows > 1 {
            rows.append(
                DisplayWidth.fitted(
                    summary(rest),
                    to: max(0, size.columns - 1),
                    ellipsis: style.ellipsis
                )
            )
        }
        return rows
    }

    /// The last row: `and 7 more, 3 of them waiting, 12.3 MiB/s`.
    private static func summary(_ bars: [BarState]) -> String {
        var rate = 0.0
        for case .moving(let one?) in bars.map(\.pace) { rate += one }
        let waiting = bars.count { !$0.isActive }
        return "and \(bars.count) more"
            + (waiting > 0 ? ", \(waiting) of them waiting" : "")
            + (rate >= 1 ? ", \(ByteText.compact(Int64(clamping: rate)))/s" : "")
    }
}

extension BarState {
    fileprivate var isActive: Bool { pace != .waiting && pace != .offline }
}
