import Glibc
import URLLoading

enum ProgressDisplay: Sendable {
    /// Progress is neither shown nor counted.
    case none
    case lines
    case bars(BarBoard)

    /// Examines standard error; bars may share it with messages, not with events or reports.
    init(_ choice: ProgressChoice?, besides events: EventLog, reportsOnOutput: Bool) {
        switch choice {
        case ProgressChoice.none?: self = .none
        case .lines: self = .lines
        case .bar, nil:
            guard isatty(STDERR_FILENO) != 0, !events.isOnTerminal,
                !reportsOnOutput || isatty(STDOUT_FILENO) == 0
            else {
                self = .lines
                return
            }
            let environment = TerminalEnvironment(Environment.value)
            self = BarBoard(environment).map(Self.bars) ?? .lines
        }
    }

    var isShown: Bool {
        if case .none = self { false } else { true }
    }

    /// The bars; `nil` if none are shown.
    var board: BarBoard? {
        if case .bars(let board) = self { board } else { nil }
    }
}

/// Decides when a line about a task's progress is due, and writes it, if bars are impossible.
///
/// A line is due after 10 s and 10 % of the body, whichever is later. So a fast transfer gets no
/// more lines than a short one, and a slow one at most nine. If the length is unknown, twice the
/// received bytes are assumed. After five minutes a line is due in any case, because some build
/// services end a job without output after ten.
struct LinePolicy {
    private static let interval: Duration = .seconds(10)
    private static let silence: Duration = .seconds(300)

    /// The time and the count of the last line.
    let time: MonotonicInstant
    let count: Int64

    /// Starts with the count at the task's start, or at a printed line.
    init(from count: Int64, at now: MonotonicInstant) {
        self.count = count
        time = now
    }

    func isDue(_ count: Int64, of expected: Int64?, at now: MonotonicInstant) -> Bool {
        let come = count.subtracting(clamping: self.count)
        // The message at the task's end reports the rest.
        guard come > 0, count != expected else { return false }
        guard now - time >= Self.interval else { return false }
        if now - time >= Self.silence { return true }
        guard let expected, expected > 0 else { return count >= self.count &+ self.count }
        return Double(come) >= Double(expected) / 10
    }

    /// `NAME: 30%, 6.0 MiB of 20.0 MiB, 2.0 MiB/s, eta 7s`; the rate since the last line.
    func text(_ reading: TaskProgress.Reading, at now: MonotonicInstant) -> String {
        let come = Double(reading.count.subtracting(clamping: count))
        let rate = come / max((now - time) / .seconds(1), 0.001)
        let rateText = "\(ByteText.size(Int64(clamping: rate)))/s"
        let verb = reading.phase == .sending ? "sent " : ""
        var parts: [String] = []
        if let expected = reading.expected, expected >= reading.count, expected > 0 {
            let share = Double(reading.count) / Double(expected)
            let left = Double(expected - reading.count) / max(rate, 1)
            parts.append(verb + "\(Int(clamping: share * 100))%")
            parts.append("\(ByteText.size(reading.count)) of \(ByteText.size(expected))")
            parts.append(rateText)
            if let left = TimeText.short(.seconds(left)) { parts.append("eta \(left)") }
        } else {
            parts.append(verb + ByteText.size(reading.count))
            parts.append(rateText)
        }
        return "\(reading.name): " + parts.joined(separator: ", ")
    }
}

/// How progress is shown: `--progress`.
enum ProgressChoice: String, CaseIterable, Sendable {
    /// A bar for each task, redrawn in place.
    case bar
    /// Lines at intervals.
    case lines
    case none

    /// Parses fetch's words, and wget's `dot` and `bar` with their styles, as in `dot:giga`.
    init(_ value: FlagValue) throws(UsageError) {
        switch value.text.prefix(while: { $0 != ":" }) {
        case "dot": self = .lines
        case "bar": self = .bar
        default: self = try value.choice()
        }
    }
}
