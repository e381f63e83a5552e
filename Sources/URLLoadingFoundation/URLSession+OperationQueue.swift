public import Foundation
public import URLLoading

extension URLSession {
    /// Makes a session whose delegate is called on an operation queue.
    ///
    /// The calls are made on the queue's `underlyingQueue`, which is set to a serial one of the
    /// session's where it has none. The queue's operations and the calls do not run at the same
    /// time then. The calls are no operations: `isSuspended` delays none, and nothing cancels one.
    ///
    /// - Parameters:
    ///   - configuration: copied.
    ///   - delegate: kept until the session has become invalid.
    ///   - delegateQueue: without operations as yet, or with an `underlyingQueue`.
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
