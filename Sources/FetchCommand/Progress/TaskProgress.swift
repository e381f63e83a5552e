import Synchronization
import URLLoading

/// One task's progress: written by the delegate, and read by the display.
///
/// It lives over all attempts of a task, so a retried download keeps its bar.
final class TaskProgress: Sendable {
    /// What is known at one moment.
    struct Reading: Equatable {
        enum Phase {
            /// For the server, or for another attempt.
            case waiting
            /// For a network.
            case offline
            case sending
            case receiving
        }

        /// What the task is called, printable.
        var name = ""
        var phase = Phase.waiting
        /// The start of the phase, and its count then: the bytes of an earlier attempt do not count
        /// for the rate.
        var since: MonotonicInstant
        var base: Int64 = 0
        /// Bytes of the body, those of earlier attempts included.
        var count: Int64 = 0
        /// The body's length, including bytes of earlier attempts; nil if unknown.
        var expected: Int64?
        /// Bytes of the request's body that were sent.
        var sent: Int64 = 0
        /// Whether the user has seen a bar, or a line before the last.
        var wasShown = false
    }

    private struct State {
        var reading: Reading
        var policy: LinePolicy

        mutating func begin(
            _ phase: Reading.Phase,
            from count: Int64,
            at now: MonotonicInstant
        ) {
            reading.phase = phase
            reading.since = now
            reading.base = count
            reading.count = count
            policy = LinePolicy(from: count, at: now)
        }
    }

    private let state: Mutex<State>

    init(at now: MonotonicInstant = .now) {
        state = Mutex(
            State(reading: Reading(since: now), policy: LinePolicy(from: 0, at: now))
        )
    }

    var reading: Reading { state.withLock { $0.reading } }

    /// Sets the task's name, which must be printable.
    func name(_ name: String) {
        state.withLock { $0.reading.name = name }
    }

    func noteShown() {
        state.withLock { $0.reading.wasShown = true }
    }

    /// The task waits for another attempt.
    func wait(at now: MonotonicInstant = .now) {
        state.withLock { $0.begin(.waiting, from: $0.reading.count, at: now) }
    }

    /// The task waits for a network.
    func lackNetwork(at now: MonotonicInstant = .now) {
        state.withLock { $0.begin(.offline, from: $0.reading.count, at: now) }
    }

    /// Bytes of the request's body were sent.
    ///
    /// - Parameters:
    ///   - total: all bytes sent.
    ///   - expected: the body's length; negative where it is not known.
    ///   - now: the present.
    func sent(_ total: Int64, of expected: Int64, at now: MonotonicInstant = .now) {
        state.withLock { state in
            state.reading.sent = total
            // A response may arrive before everything was sent; from then on, the response is
            // shown.
            guard state.reading.phase != .receiving else { return }
            if state.reading.phase != .sending { state.begin(.sending, from: total, at: now) }
            state.reading.count = total
            state.reading.expected = expected < 0 ? nil : expected
        }
    }

    /// The response's body begins.
    ///
    /// - Parameters:
    ///   - expected: its length, including existing bytes; negative if unknown.
    ///   - offset: the existing bytes.
    ///   - now: the present.
    func receive(
        of expected: Int64,
        from offset: Int64 = 0,
        at now: MonotonicInstant = .now
    ) {
        state.withLock { state in
            state.begin(.receiving, from: offset, at: now)
            state.reading.expected = expected < 0 ? nil : expected
        }
    }

    /// Bytes of the response's body were received, including existing ones.
    func received(_ total: Int64) {
        state.withLock { state in
            guard state.reading.phase == .receiving else { return }
            state.reading.count = total
        }
    }

    /// A line to print, where one is due; it then counts as printed.
    func dueLine(at now: MonotonicInstant) -> String? {
        state.withLock { state in
            let reading = state.reading
            guard reading.phase != .waiting, reading.phase != .offline,
                state.policy.isDue(reading.count, of: reading.expected, at: now)
            else {
                return nil
            }
            let line = ProgressLine.text(reading, after: state.policy, at: now)
            state.policy.note(reading.count, at: now)
            state.reading.wasShown = true
            return line
        }
    }
}
