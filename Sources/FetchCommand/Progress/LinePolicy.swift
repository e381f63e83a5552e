import URLLoading

/// When a line about a task's progress is due, where lines are all there is.
///
/// Of "every 10 s" and "every 10 %" the rarer one holds: a fast transfer gets no more lines than a
/// short one, and a slow one at most nine. A length that is not known is taken for twice what has
/// come. Only a transfer so slow that a tenth takes longer than five minutes gives a sign of life
/// then, since there are build services that end what has been silent for ten.
struct LinePolicy {
    private static let interval: Duration = .seconds(10)
    private static let silence: Duration = .seconds(300)

    /// When the last line was printed, and how far it was.
    private(set) var time: ContinuousClock.Instant
    private(set) var count: Int64

    /// Begins with the count of the line at the start.
    init(from count: Int64, at now: ContinuousClock.Instant) {
        self.count = count
        time = now
    }

    /// Whether a line is due, now that so much has come.
    func isDue(_ count: Int64, of expected: Int64?, at now: ContinuousClock.Instant) -> Bool {
        let come = count.subtracting(clamping: self.count)
        // The line at the end says the rest.
        guard come > 0, count != expected else { return false }
        guard now - time >= Self.interval else { return false }
        if now - time >= Self.silence { return true }
        guard let expected, expected > 0 else { return count >= self.count &+ self.count }
        return Double(come) >= Double(expected) / 10
    }

    /// A line was printed.
    mutating func note(_ count: Int64, at now: ContinuousClock.Instant) {
        self.count = count
        time = now
    }
}
