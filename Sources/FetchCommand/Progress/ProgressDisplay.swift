import Glibc
import URLLoading

/// Where progress is shown.
enum ProgressDisplay: Sendable {
    /// Nowhere, and nothing is counted for it.
    case none
    /// Now and then in a line of its own.
    case lines
    /// In bars on the terminal.
    case bars(BarBoard)

    /// Looks at standard error where the choice leaves that open, and where it asks for bars.
    ///
    /// Bars share their terminal only with messages, and not with events.
    init(_ choice: ProgressChoice?, besides events: EventLog) {
        switch choice {
        case ProgressChoice.none?: self = .none
        case .lines: self = .lines
        case .bar, nil:
            guard isatty(STDERR_FILENO) != 0, !events.isOnTerminal else {
                self = .lines
                return
            }
            let environment = TerminalEnvironment { name in
                getenv(name).map { String(cString: $0) }
            }
            self = BarBoard(environment).map(Self.bars) ?? .lines
        }
    }

    var isShown: Bool {
        if case .none = self { false } else { true }
    }

    /// Takes a task's bar away.
    func end(_ progress: TaskProgress) {
        if case .bars(let board) = self { board.remove(progress) }
    }
}

/// When a line about a task's progress is due, where lines are all there is.
///
/// The rarer of "every 10 s" and "every 10 %" applies: a fast transfer gets no more lines than a
/// short one, and a slow one at most nine. An unknown length counts as twice the received bytes. If
/// a tenth takes longer than five minutes, a line is printed then, because some build services end
/// a job that is silent for ten.
struct LinePolicy {
    private static let interval: Duration = .seconds(10)
    private static let silence: Duration = .seconds(300)

    /// The time of the last line, and its count.
    private(set) var time: MonotonicInstant
    private(set) var count: Int64

    /// Begins with the count of the line at the start.
    init(from count: Int64, at now: MonotonicInstant) {
        self.count = count
        time = now
    }

    /// Whether a line is due at this count.
    func isDue(_ count: Int64, of expected: Int64?, at now: MonotonicInstant) -> Bool {
        let come = count.subtracting(clamping: self.count)
        // The last line reports the rest.
        guard come > 0, count != expected else { return false }
        guard now - time >= Self.interval else { return false }
        if now - time >= Self.silence { return true }
        guard let expected, expected > 0 else { return count >= self.count &+ self.count }
        return Double(come) >= Double(expected) / 10
    }

    /// A line was printed.
    mutating func note(_ count: Int64, at now: MonotonicInstant) {
        self.count = count
        time = now
    }
}

/// A task's progress as a line, for outputs that cannot be redrawn.
enum ProgressLine {
    /// `NAME: 30%, 6.0 MiB of 20.0 MiB, 2.0 MiB/s, eta 7s`; the rate is that since the last line.
    static func text(
        _ reading: TaskProgress.Reading,
        after last: LinePolicy,
        at now: MonotonicInstant
    ) -> String {
        let rate =
            Double(reading.count.subtracting(clamping: last.count))
            / max((now - last.time) / .seconds(1), 0.001)
        let verb = reading.phase == .sending ? "sent " : ""
        var parts: [String] = []
        if let expected = reading.expected, expected >= reading.count, expected > 0 {
            let share = Double(reading.count) / Double(expected)
            let left = Double(expected - reading.count) / max(rate, 1)
            parts.append(verb + "\(Int(clamping: share * 100))%")
            parts.append("\(ByteText.size(reading.count)) of \(ByteText.size(expected))")
            parts.append(rateText(rate))
            if let left = TimeText.short(.seconds(left)) { parts.append("eta \(left)") }
        } else {
            parts.append(verb + ByteText.size(reading.count))
            parts.append(rateText(rate))
        }
        return "\(reading.name): " + parts.joined(separator: ", ")
    }

    private static func rateText(_ rate: Double) -> String {
        "\(ByteText.size(Int64(clamping: rate)))/s"
    }
}
