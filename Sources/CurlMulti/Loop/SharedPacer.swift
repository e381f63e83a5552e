import Synchronization

/// A rate that several transfers are held to together, on one loop or on several.
public final class SharedPacer: Sendable {
    private let pacer: Mutex<Pacer>

    /// - Parameter bytesPerSecond: of all together; `nil` where that is 0: any number.
    public convenience init?(bytesPerSecond: Int64) {
        self.init(bytesPerSecond: bytesPerSecond, now: .now)
    }

    init?(bytesPerSecond: Int64, now: ContinuousClock.Instant) {
        guard let pacer = Pacer(bytesPerSecond: bytesPerSecond, now: now) else { return nil }
        self.pacer = Mutex(pacer)
    }

    /// How many bytes may move at this moment.
    func allowance(_ now: ContinuousClock.Instant) -> Int64 {
        pacer.withLock { $0.allowance(now) }
    }

    /// Says that so many have moved.
    func note(_ bytes: Int) {
        pacer.withLock { $0.note(bytes) }
    }

    /// When a byte may move again.
    var nextByte: ContinuousClock.Instant { pacer.withLock { $0.nextByte } }
}
