import Glibc
import URLLoading

/// How fast something counts up: the mean of the last seconds, the latest counting most.
///
/// The weight of a moment falls by e with each time constant that passes, so it does not matter how
/// often and how regularly the count is noted. The time before the start counts for nothing: a
/// meter that has just begun shows the mean since then, and does not climb to it from zero.
struct RateMeter {
    private let constant: Duration
    private let start: ContinuousClock.Instant
    private var time: ContinuousClock.Instant
    private var count: Int64
    /// Bytes per second, as if there had been none before the start.
    private var average = 0.0

    /// Starts with a count that is not to be measured, such as what an earlier run has fetched.
    init(over constant: Duration, from count: Int64, at now: ContinuousClock.Instant) {
        self.constant = constant
        self.count = count
        start = now
        time = now
    }

    /// Notes the count; one that has not risen lets the rate fall, one that is lower starts over.
    mutating func note(_ count: Int64, at now: ContinuousClock.Instant) {
        let seconds = (now - time) / .seconds(1)
        guard seconds > 0 else { return }
        let kept = exp((time - now) / constant)
        average =
            average * kept + Double(max(0, count.subtracting(clamping: self.count))) / seconds
            * (1 - kept)
        time = now
        self.count = count
    }

    /// Bytes per second as last noted; nil before there is anything to tell.
    var rate: Double? {
        guard time > start else { return nil }
        return average / (1 - exp((start - time) / constant))
    }
}
