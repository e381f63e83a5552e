import FoundationEssentials
import Synchronization

// A task that waits for a network: the actions of its life cycle.
extension URLSessionTask {
    func reportWaiting(_ locked: borrowing Locked) {
        guard let delegate = effectiveDelegate(locked) else { return }
        session.queue.async { [self] in
            delegate.urlSession(session, taskIsWaitingForConnectivity: self)
        }
    }

    /// Waits for a change of the network, or for a time; `nil` where the task is suspended.
    func awaitNetwork(_ limit: Duration?, _ locked: inout Locked) {
        // Failed attempts cost nothing, and there may be any number of them, so the task drops their
        // metrics.
        locked.metrics.forgetLast()
        guard let limit else { return }
        let watch =
            locked.watch
            ?? session.networkMonitor.watch { [weak self] reason in
                self?.apply { $0.lifecycle.networkMayBeThere(reason) }
            }
        locked.watch = watch
        watch.wait(atMost: limit)
    }

    /// Notes that a server has responded, so a network is available.
    func noteNetwork(_ locked: inout Locked) {
        guard locked.watch != nil || locked.lifecycle.connectivity.isTryingAgain else { return }
        locked.watch = nil
        locked.lifecycle.connectivity.noteResponse()
    }
}

extension URLSessionTaskDelegate {
    /// Calls the session's delegate.
    public func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask)
    {
        session.taskDelegate(behind: self)?.urlSession(session, taskIsWaitingForConnectivity: task)
    }
}

extension URLSessionConfiguration {
    /// Whether tasks wait for a network if none is available, instead of failing.
    ///
    /// A task waits if its hop fails before it sends any byte, because no route, link, source address or
    /// name server is available. A host that refuses the connection or does not exist is an error, and so is
    /// a broken connection. A waiting task notifies its delegate, by
    /// `urlSession(_:taskIsWaitingForConnectivity:)`. It tries again when the kernel reports a change of
    /// links, addresses or routes, and after some time in any case. Meanwhile ``timeoutIntervalForRequest``
    /// does not run, but ``timeoutIntervalForResource`` does.
    ///
    /// Default: `false`.
    public var waitsForConnectivity: Bool {
        get { locked.withLock { $0.waitsForConnectivity } }
        set { locked.withLock { $0.waitsForConnectivity = newValue } }
    }
}
