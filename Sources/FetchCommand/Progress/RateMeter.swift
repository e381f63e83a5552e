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

/// How much longer it takes, as a moment towards which time runs, so that it counts down steadily.
///
/// Each new estimate is held against that moment. As long as the two agree about well enough, the
/// moment stays: the figure on the screen falls by a second each second. Where they do not, the
/// moment moves towards the estimate, and does not jump. A figure that would rise stays what it is
/// until the rise is worth it, so that none goes to and fro between two seconds.
struct RemainingTime {
    /// What is no news: this share of the time that is left, and at least a second.
    private static let tolerance = 0.08
    /// A moment that is off goes two thirds of the way in this time.
    private static let pull: Duration = .seconds(3)
    /// A rise is worth showing from this share on, and from two seconds.
    private static let worth = 0.05
    /// What takes longer than this cannot be foretold.
    private static let longest: Duration = .seconds(100 * 86_400)

    private var end: ContinuousClock.Instant?
    private var time: ContinuousClock.Instant?
    private var shown: Duration?

    /// Takes a new estimate.
    ///
    /// - Parameters:
    ///   - left: the bytes that are missing.
    ///   - rate: bytes per second; nil while that is not known.
    ///   - now: the present.
    /// - Returns: the time to show; nil while there is no telling.
    mutating func update(
        left: Int64,
        rate: Double?,
        at now: ContinuousClock.Instant
    ) -> Duration? {
        guard let rate, rate > 0, Double(left) / rate <= Self.longest / .seconds(1) else {
            forget()
            return nil
        }
        let estimate = Duration.seconds(Double(left) / rate)
        let elapsed = time.map { now - $0 } ?? .zero
        var end = end ?? now + estimate
        let gap = now + estimate - end
        if abs(gap / .seconds(1)) > max(1, Self.tolerance * (estimate / .seconds(1))) {
            end += gap * (1 - exp(-(elapsed / Self.pull)))
        }
        self.end = end
        time = now
        let left = max(.zero, end - now)
        if let shown, left > shown, left - shown < max(.seconds(2), shown * Self.worth) {
            return shown
        }
        shown = left
        return left
    }

    /// The next estimate begins anew.
    mutating func forget() {
        end = nil
        time = nil
        shown = nil
    }
}

/// Times of which the columns count.
enum TimeText {
    /// The most columns that a text takes.
    static let width = 6

    /// `59s`, `59m59s`, `23h59m`, `99d23h`; nil for what is longer.
    static func short(_ duration: Duration) -> String? {
        let seconds = duration.components.seconds
        switch seconds {
        case ..<0: return nil
        case ..<60: return "\(seconds)s"
        case ..<3_600: return "\(seconds / 60)m\(twoDigits(seconds % 60))s"
        case ..<86_400: return "\(seconds / 3_600)h\(twoDigits(seconds / 60 % 60))m"
        case ..<8_640_000: return "\(seconds / 86_400)d\(twoDigits(seconds / 3_600 % 24))h"
        default: return nil
        }
    }

    private static func twoDigits(_ number: Int64) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
