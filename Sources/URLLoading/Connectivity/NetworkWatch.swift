/// Somebody's wish to be woken when the network changes; it ends with its last owner.
///
/// A change that comes while nobody is waiting, since another try is out, is not lost: the next
/// ``wait(atMost:)`` is over at once.
final class NetworkWatch: Sendable {
    private let monitor: NetworkMonitor
    private let number: UInt64

    init(_ monitor: NetworkMonitor, _ number: UInt64) {
        self.monitor = monitor
        self.number = number
    }

    deinit {
        monitor.end(number)
    }

    /// Has it woken once: by the next change, or after this time.
    func wait(atMost limit: Duration) {
        monitor.arm(number, atMost: limit)
    }
}
