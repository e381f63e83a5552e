import FoundationEssentials
import Synchronization

/// Where a task was when it failed: what another one needs to send the same request again.
struct TaskSnapshot: Sendable {
    /// The request as it was last: a redirect's target, with the method and without the fields that
    /// the redirect has left of it.
    var request: URLRequest
    /// The redirects that led there.
    var redirects: Int
    /// Its body, from the first byte.
    var body: TaskBody
}

extension URLSessionTask {
    /// Where it is.
    var snapshot: TaskSnapshot {
        locked.withLock { locked in
            TaskSnapshot(
                request: locked.lifecycle.currentRequest,
                redirects: locked.lifecycle.redirects,
                body: locked.lifecycle.body.again
            )
        }
    }

    /// How many redirects it has followed.
    package var redirectCount: Int { locked.withLock { $0.lifecycle.redirects } }

    /// Whether the request that it sends, or sent last, has a body.
    package var sendsBody: Bool { locked.withLock { $0.lifecycle.body.isSome } }
}
