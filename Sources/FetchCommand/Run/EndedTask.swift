import Synchronization
import URLLoading

/// The error of the task that has just ended, from the delegate queue to the main thread.
final class EndedTask: Sendable {
    private let error = Mutex<URLError?>(nil)

    func set(_ error: URLError?) {
        self.error.withLock { $0 = error }
    }

    func take() -> URLError? {
        error.withLock { error in
            defer { error = nil }
            return error
        }
    }
}
