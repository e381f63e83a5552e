public import Foundation
public import URLLoading

extension URLSession {
    /// Creates a session that calls its delegate on an operation queue.
    ///
    /// The session uses the queue's `underlyingQueue`, and sets it to a serial queue of its own if
    /// it is `nil`. The queue's operations and the session's calls then never run at the same time.
    /// The calls are not operations: `isSuspended` does not delay them, and they cannot be
    /// cancelled.
    ///
    /// - Parameters:
    ///   - configuration: the session copies it.
    ///   - delegate: the session retains it until the session has become invalid.
    ///   - delegateQueue: must have no operations yet, unless it has an `underlyingQueue`.
    @_disfavoredOverload
    public convenience init(
        configuration: URLSessionConfiguration,
        delegate: (any URLSessionDelegate)?,
        delegateQueue: OperationQueue?
    ) {
        var queue = delegateQueue?.underlyingQueue
        if let delegateQueue, queue == nil {
            let own = DispatchQueue(label: "URLSession.delegateQueue")
            delegateQueue.underlyingQueue = own
            queue = own
        }
        self.init(configuration: configuration, delegate: delegate, delegateQueue: queue)
    }
}
