import Synchronization
import URLLoading

/// The progress of one task over all attempts: the delegate writes it, the display reads it.
final class TaskProgress: Sendable {
    struct Reading: Equatable {
        enum Phase {
            /// The task waits for the server, or for another attempt.
            case waiting
            case offline
            case sending
            case receiving
        }

        /// The task's displayed name, without control characters.
        var name = ""
        var phase = Phase.waiting
        /// The start of the phase, and the count then, which does not count for the rate.
        var since: MonotonicInstant
        var base: Int64 = 0
        /// Bytes of the body, including those of earlier attempts.
        var count: Int64 = 0
        /// The body's length, including bytes of earlier attempts; `nil` if unknown.
        var expected: Int64?
        var sent: Int64 = 0
        /// Whether a bar, or a line before the last one, was displayed.
        var wasShown = false
    }

    private struct State {
        var reading: Reading
        var policy: LinePolicy

        mutating func begin(_ phase: Reading.Phase, from count: Int64, at now: MonotonicInstant) {
            reading.phase = phase
            reading.since = now
            reading.base = count
            reading.count = count
            policy = LinePolicy(from: count, at: now)
        }
    }

    private let state: Mutex<State>

    init(at now: MonotonicInstant = .now) {
        state = Mutex(State(reading: Reading(since: now), policy: LinePolicy(from: 0, at: now)))
    }

    var reading: Reading { state.withLock { $0.reading } }

    /// Sets the task's name, which must not contain control characters.
    func name(_ name: String) { state.withLock { $0.reading.name = name } }

    func noteShown() { state.withLock { $0.reading.wasShown = true } }

    func wait(_ phase: Reading.Phase = .waiting, at now: MonotonicInstant = .now) {
        state.withLock { $0.begin(phase, from: $0.reading.count, at: now) }
    }

    /// Records all sent bytes of the request's body; its length is negative if unknown.
    func sent(_ total: Int64, of expected: Int64, at now: MonotonicInstant = .now) {
        state.withLock { state in
            state.reading.sent = total
            // A response may arrive before the request was sent completely; it is then shown
            // instead.
            guard state.reading.phase != .receiving else { return }
            if state.reading.phase != .sending { state.begin(.sending, from: total, at: now) }
            state.reading.count = total
            state.reading.expected = expected < 0 ? nil : expected
        }
    }

    /// Begins the response's body; its length includes existing bytes, and is negative if unknown.
    func receive(of expected: Int64, from offset: Int64 = 0, at now: MonotonicInstant = .now) {
        state.withLock { state in
            state.begin(.receiving, from: offset, at: now)
            state.reading.expected = expected < 0 ? nil : expected
        }
    }

    /// Records received bytes of the response's body, including existing ones.
    func received(_ total: Int64) {
        state.withLock { state in
            guard state.reading.phase == .receiving else { return }
            state.reading.count = total
        }
    }

    /// The line to print if one is due, which is then recorded as printed; otherwise `nil`.
    func dueLine(at now: MonotonicInstant) -> String? {
        state.withLock { state in
            let reading = state.reading
            guard reading.phase != .waiting, reading.phase != .offline,
                state.policy.isDue(reading.count, of: reading.expected, at: now)
            else { return nil }
            let line = state.policy.text(reading, at: now)
            state.policy = LinePolicy(from: reading.count, at: now)
            state.reading.wasShown = true
            return line
        }
    }
}
