import Glibc

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
