import URLLoading

/// How fast it went, second by second.
struct RateHistory {
    /// How many seconds are remembered.
    static let length = 8

    private static let slot: Duration = .seconds(1)

    private var count: Int64
    private var time: ContinuousClock.Instant
    private var slotEnd: ContinuousClock.Instant
    /// What came in the second that has not ended yet.
    private var current = 0.0
    /// Bytes of each whole second, the last at the end.
    private(set) var rates: [Double] = []

    init(from count: Int64, at now: ContinuousClock.Instant) {
        self.count = count
        time = now
        slotEnd = now + Self.slot
    }

    /// Goes on from another count: what lies between has not been transferred.
    mutating func jump(to count: Int64) {
        self.count = count
    }

    /// Notes the count; what has come since the last time is taken to have come evenly.
    mutating func note(_ count: Int64, at now: ContinuousClock.Instant) {
        guard now > time else { return }
        let rate =
            Double(max(0, count.subtracting(clamping: self.count))) / ((now - time) / .seconds(1))
        // After a long sleep only the last seconds can be seen.
        let earliest = now - Self.slot * (Self.length + 1)
        if slotEnd < earliest {
            slotEnd = earliest
            time = earliest - Self.slot
            current = 0
        }
        while slotEnd <= now {
            current += rate * ((slotEnd - time) / .seconds(1))
            rates.append(current / (Self.slot / .seconds(1)))
            current = 0
            time = slotEnd
            slotEnd += Self.slot
        }
        if rates.count > Self.length { rates.removeFirst(rates.count - Self.length) }
        current += rate * ((now - time) / .seconds(1))
        time = now
        self.count = count
    }
}
