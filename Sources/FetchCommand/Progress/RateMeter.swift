import Glibc
import URLLoading

/// The rate of a counter: an exponentially weighted mean of the last seconds.
///
/// The weight of a moment falls by e with each time constant, so the frequency and regularity of
/// updates do not matter. The time before the start has no weight, so a new meter shows the mean
/// since its start, and does not climb from zero.
struct RateMeter {
    private let constant: Duration
    private let start: MonotonicInstant
    private var time: MonotonicInstant
    private var count: Int64
    /// Bytes per second, computed as if the rate had been 0 before the start.
    private var average = 0.0

    /// Starts at a count that is not measured, such as the bytes of an earlier run.
    init(over constant: Duration, from count: Int64, at now: MonotonicInstant) {
        self.constant = constant
        self.count = count
        start = now
        time = now
    }

    /// Updates the count; an unchanged count lets the rate fall, a lower one resets the count.
    mutating func note(_ count: Int64, at now: MonotonicInstant) {
        let seconds = (now - time) / .seconds(1)
        guard seconds > 0 else { return }
        let kept = exp((time - now) / constant)
        average =
            average * kept + Double(max(0, count.subtracting(clamping: self.count))) / seconds
            * (1 - kept)
        time = now
        self.count = count
    }

    /// Bytes per second at the last update; `nil` before the first.
    var rate: Double? {
        guard time > start else { return nil }
        return average / (1 - exp((start - time) / constant))
    }
}

struct RateHistory {
    /// How many seconds are stored.
    static let length = 8

    private static let slot: Duration = .seconds(1)

    private var count: Int64
    private var time: MonotonicInstant
    private var slotEnd: MonotonicInstant
    /// Bytes of the current second.
    private var current = 0.0
    /// Bytes of each complete second, the latest last.
    private(set) var rates: [Double] = []

    init(from count: Int64, at now: MonotonicInstant) {
        self.count = count
        time = now
        slotEnd = now + Self.slot
    }

    /// Continues from another count; the difference was not transferred.
    mutating func jump(to count: Int64) { self.count = count }

    /// Updates the count; its increase is spread evenly over the time since the last update.
    mutating func note(_ count: Int64, at now: MonotonicInstant) {
        guard now > time else { return }
        let rate =
            Double(max(0, count.subtracting(clamping: self.count))) / ((now - time) / .seconds(1))
        // After a long sleep, only the last seconds are visible.
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

/// The remaining time, stored as the moment of the end, so that the display counts down steadily.
///
/// Each new estimate is compared with that moment. While the two nearly agree, the moment is kept,
/// and the displayed time falls by one second a second. Otherwise the moment moves towards the
/// estimate without a jump. A small rise is not shown, so that the display does not flicker between
/// two seconds.
struct RemainingTime {
    /// A smaller difference is ignored: this share of the remaining time, and at least a second.
    private static let tolerance = 0.08
    /// In this time, a wrong moment moves two thirds of the way to the estimate.
    private static let pull: Duration = .seconds(3)
    /// A rise is shown if it is at least this share, and at least two seconds.
    private static let worth = 0.05
    /// A longer time is not shown.
    private static let longest: Duration = .seconds(100 * 86_400)

    private var end: MonotonicInstant?
    private var time: MonotonicInstant?
    private var shown: Duration?

    /// Updates the estimate by the missing bytes and the bytes per second; `nil` while unknown.
    mutating func update(left: Int64, rate: Double?, at now: MonotonicInstant) -> Duration? {
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

    /// Discards the estimate; the next one starts anew.
    mutating func forget() {
        end = nil
        time = nil
        shown = nil
    }
}

enum TimeText {
    /// The maximum width of a text, in columns.
    static let width = 6

    /// `59s`, `59m59s`, `23h59m`, `99d23h`; `nil` for a longer duration.
    static func short(_ duration: Duration) -> String? {
        // The seconds of a longer duration may not fit into an integer.
        guard duration >= .zero, duration < .seconds(8_640_000) else { return nil }
        let seconds = duration.components.seconds
        switch seconds {
        case ..<60: return "\(seconds)s"
        case ..<3_600: return "\(seconds / 60)m\(twoDigits(seconds % 60))s"
        case ..<86_400: return "\(seconds / 3_600)h\(twoDigits(seconds / 60 % 60))m"
        default: return "\(seconds / 86_400)d\(twoDigits(seconds / 3_600 % 24))h"
        }
    }

    private static func twoDigits(_ number: Int64) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
