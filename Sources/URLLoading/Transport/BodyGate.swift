import Synchronization

/// What a task decides about a hop's body, on its way to the transport's thread.
final class BodyGate: Sendable {
    private let disposition = Mutex<BodyDisposition?>(nil)

    func set(_ value: BodyDisposition) {
        disposition.withLock { $0 = value }
    }

    /// The decision, once.
    func take() -> BodyDisposition? {
        disposition.withLock { value in
            defer { value = nil }
            return value
        }
    }
}
