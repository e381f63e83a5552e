import FoundationEssentials
import Synchronization

/// The state of a failed task that another task needs to send the same request again.
struct TaskSnapshot: Sendable {
    /// The last request: a redirect's target, with the method and the fields that remain after the redirect.
    var request: URLRequest
    /// The number of redirects that the task has followed.
    var redirects: Int
    /// The request's body, from its first byte.
    var body: TaskBody
}

extension URLSessionTask {
    var snapshot: TaskSnapshot {
        locked.withLock { locked in
            TaskSnapshot(
                request: locked.lifecycle.currentRequest,
                redirects: locked.lifecycle.redirects,
                body: locked.lifecycle.body.again
            )
        }
    }

    /// The number of redirects that the task has followed.
    package var redirectCount: Int { locked.withLock { $0.lifecycle.redirects } }

    /// Whether the current or last request has a body.
    package var sendsBody: Bool { locked.withLock { $0.lifecycle.body.isSome } }
}
