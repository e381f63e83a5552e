import FoundationEssentials
import Glibc
import Synchronization
import SystemPackage
import URLLoading

/// The bars of all tasks at the bottom of a terminal, and every other line above them.
///
/// Any thread may print a line, which waits for the terminal only if the backlog is too large. The
/// main thread redraws the bars at each tick, and sleeps no longer than until the next one. Output
/// that the terminal does not take is buffered for the next tick. Until then no bars are drawn, so
/// frames are dropped, and lines never.
final class BarBoard: Sendable {
    /// A shorter task has no bar: it would be gone before it can be read.
    private static let delay: Duration = .milliseconds(150)
    /// Ten times a second looks smooth, and costs 1 KB a second on a slow line.
    private static let interval: Duration = .milliseconds(100)
    /// How soon a job that is brought to the foreground shows its bars.
    private static let backgroundInterval: Duration = .seconds(1)
    /// The largest backlog of lines for a stopped terminal, in bytes; beyond it, the printing code
    /// waits.
    private static let longestBacklog = 1 << 20

    private struct State: ~Copyable {
        var terminal: Terminal
        var painter = Painter()
        var bars: [Bar] = []
        /// Whether the screen shows the bar of an ended task.
        var hasEnded = false
        /// Nil while there is nothing to do.
        var nextTick: MonotonicInstant?
        /// Whether a body was written to the terminal, so that the cursor's position is unknown.
        var isGivenUp = false
        /// Lines to print after the prompt; nil: there is no prompt.
        var deferredLines: [String]?
    }

    private let style: BarStyle
    private let descriptor: CInt
    private let state: Mutex<State>

    /// Nil where standard error is no terminal, or none whose cursor can be moved.
    init?(_ environment: TerminalEnvironment) {
        guard environment.canMoveCursor,
            let terminal = Terminal(.standardError, assumedSize: environment.assumedSize)
        else { return nil }
        style = BarStyle(isUTF8: environment.isUTF8, hasColor: environment.hasColor)
        descriptor = terminal.descriptor
        state = Mutex(State(terminal: terminal))
    }

    /// Whether the terminal is ours, and not another job's.
    var isForeground: Bool { state.withLock { $0.terminal.isForeground } }

    /// When `tick` wants to be called; nil for never.
    var nextTick: MonotonicInstant? { state.withLock { $0.nextTick } }

    /// A task begins.
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

    /// A task is over.
    ///
    /// Its bar is removed with the next line or tick.
    func remove(_ progress: TaskProgress) {
        state.withLock { state in
            state.bars.removeAll { $0.progress === progress }
            state.hasEnded = true
        }
    }

    /// Ends the bars, because a body is written to the terminal.
    func giveUp() {
        let isDone = state.withLock { state in
            state.isGivenUp = true
            state.bars = []
            state.nextTick = nil
            if state.terminal.isForeground { state.terminal.send(state.painter.erase()) }
            return state.terminal.flush()
        }
        if !isDone { drain(to: 0) }
    }

    /// Removes the bars during a prompt, and buffers lines meanwhile.
    func hold() {
        state.withLock { state in
            state.deferredLines = state.deferredLines ?? []
            if state.terminal.isForeground { state.terminal.send(state.painter.erase()) }
        }
    }

    /// Prints the buffered lines.
    ///
    /// The bars return with the next tick.
    func release() {
        let deferred = state.withLock { state in
            defer { state.deferredLines = nil }
            return state.deferredLines ?? []
        }
        for text in deferred { say(text) }
    }

    /// Redraws the bars if something has changed, and it is time.
    func tick(at now: MonotonicInstant = .now) {
        state.withLock { state in
            guard let due = state.nextTick, now >= due else { return }
            guard state.deferredLines == nil else {
                state.nextTick = now + Self.backgroundInterval
                return
            }
            for index in state.bars.indices { state.bars[index].update(at: now) }
            let isForeground = state.terminal.isForeground
            if !isForeground { state.painter.letGo() }
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

    /// Prints a line, or several, above the bars.
    ///
    /// - Parameters:
    ///   - text: the lines.
    ///   - waits: whether to wait if the backlog is too large.
    func say(_ text: String, waits: Bool = true) {
        let (backlog, allowed) = state.withLock { state in
            if state.deferredLines != nil {
                state.deferredLines?.append(text)
                return (0, 0)
            }
            if !state.terminal.isForeground { state.painter.letGo() }
            // Only the bars of running tasks return below it.
            let rows = state.hasEnded ? rows(state) : nil
            state.hasEnded = false
            state.terminal.send(state.painter.say(text, above: rows))
            let backlog = state.terminal.backlog
            // A body's next bytes must not be printed in the middle of a line.
            guard !state.isGivenUp else { return (backlog, 0) }
            if backlog > 0 { state.nextTick = state.nextTick ?? .now }
            return (backlog, Self.longestBacklog)
        }
        if waits, backlog > allowed { drain(to: allowed) }
    }

    /// Waits until the backlog has at most so many bytes.
    private func drain(to allowed: Int) {
        var backlog = Int.max
        while backlog > allowed {
            Terminal.takesMore(descriptor, within: -1)
            backlog = state.withLock { state in
                state.terminal.flush()
                return state.terminal.backlog
            }
        }
    }

    /// Removes the bars, and waits until every line is printed.
    ///
    /// - Parameter timeout: how long to wait; nil for as long as it takes.
    func close(within timeout: Duration?) {
        let end = timeout.map { MonotonicInstant.now + $0 }
        release()
        var isDone = state.withLock { state in
            state.bars = []
            if state.terminal.isForeground { state.terminal.send(state.painter.erase()) }
            return state.terminal.flush()
        }
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

    /// If another job has just taken the terminal, drawing must not stop this process by SIGTTOU.
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

/// All bars as rows, as many as the terminal has.
enum BarRows {
    /// The rows, top to bottom; none is as wide as the terminal.
    ///
    /// If there are more tasks than rows, active tasks come first, and the last row summarises the
    /// others.
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

    /// Such as `and 7 more, 3 of them waiting, 12.3 MiB/s`.
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
