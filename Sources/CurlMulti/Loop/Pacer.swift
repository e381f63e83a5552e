/// Holds one direction of a transfer to so many bytes a second.
///
/// libcurl's own limit lets the first seconds of a transfer through, which on a fast network is all
/// of it. This one may be a tenth of a second's bytes, and one piece, ahead at any time.
struct Pacer {
    private let bytesPerSecond: Int64
    private let burst: Int64
    /// The bytes that may move now; below zero after a piece that was larger.
    private var budget: Int64
    private var lastRefill: ContinuousClock.Instant

    /// `nil` where the rate is 0: any number of bytes.
    init?(bytesPerSecond: Int64, now: ContinuousClock.Instant) {
        guard bytesPerSecond > 0 else { return nil }
        self.bytesPerSecond = bytesPerSecond
        burst = max(1, bytesPerSecond / 10)
        budget = burst
        lastRefill = now
    }

    /// How many bytes may move at this moment.
    mutating func allowance(_ now: ContinuousClock.Instant) -> Int64 {
        let elapsed = Double((now - lastRefill) / .nanoseconds(1)) / 1e9
        let earned = Int64(min(elapsed * Double(bytesPerSecond), 1e15))
        if earned > 0 {
            budget = min(burst, budget + earned)
            // Not to this moment: a part of a byte is earned, too.
            lastRefill += .nanoseconds(Int64(Double(earned) / Double(bytesPerSecond) * 1e9))
        }
        return max(0, budget)
    }

    /// Says that so many have moved.
    mutating func note(_ bytes: Int) {
        budget -= Int64(bytes)
    }

    /// When a byte may move again.
    var nextByte: ContinuousClock.Instant {
        let missing = max(0, 1 - budget)
        return lastRefill + .nanoseconds(Int64(Double(missing) / Double(bytesPerSecond) * 1e9) + 1)
    }
}
