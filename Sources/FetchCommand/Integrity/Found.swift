import Synchronization
import URLLoading

/// What came of comparing a file, from the queue that reads it to whoever waits.
final class Found: Sendable {
    private let value = Mutex<Result<DigestMismatch?, URLError>?>(nil)

    var result: Result<DigestMismatch?, URLError>? { value.withLock { $0 } }

    func set(_ result: Result<DigestMismatch?, URLError>) {
        value.withLock { $0 = result }
    }
}
