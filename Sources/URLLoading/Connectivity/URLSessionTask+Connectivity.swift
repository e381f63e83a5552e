import Dispatch
import FoundationEssentials
import Synchronization

// A task that waits for a network: what its life asks for.
extension URLSessionTask {
    func reportWaiting(_ locked: borrowing Locked) {
        guard let delegate = audience(locked) else { return }
        session.queue.async { [self] in
            delegate.urlSession(session, taskIsWaitingForConnectivity: self)
        }
    }

    /// Finds out why a name was not found, on a thread that can wait.
    ///
    /// - Parameters:
    ///   - host: the name.
    ///   - number: what the task's life knows the look-up by.
    ///   - limit: what is left of the time for the whole.
    func lookUp(_ host: String, _ number: Int, _ limit: Duration?) {
        let family = session.settings.transport.addressFamily
        let queue = DispatchQueue.global(qos: .utility)
        queue.async { [self] in
            let finding = NameLookUp.of(host, family)
            apply { $0.lifecycle.lookedUp(number, finding) }
        }
        guard let limit else { return }
        queue.asyncAfter(deadline: .now() + limit / .seconds(1)) { [weak self] in
            self?.apply { $0.lifecycle.lookedUp(number, .late) }
        }
    }

    /// Waits for a change of the network, or for a while.
    ///
    /// - Parameters:
    ///   - limit: how long at most; `nil` where the task is suspended, and begins again when it is
    ///     resumed.
    ///   - locked: of the task.
    func awaitNetwork(_ limit: Duration?, _ locked: inout Locked) {
        // The try that came to nothing has cost nothing, and there may be any number of them.
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

    /// There is a network: a server has responded.
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
    /// Whether tasks for which there is no network wait for one, where they would fail otherwise.
    ///
    /// That is a task whose hop fails before any of its bytes has left: there is no route, no link,
    /// no source address, or no name server for the host. A host that refuses, or does not exist,
    /// is none of that; neither is a connection that breaks. Such a task notifies its delegate, by
    /// `urlSession(_:taskIsWaitingForConnectivity:)`, and tries again when the kernel says that
    /// links, addresses or routes have changed, and after a while in any case.
    /// ``timeoutIntervalForRequest`` does not count meanwhile, ``timeoutIntervalForResource`` does.
    ///
    /// Default: `false`.
    public var waitsForConnectivity: Bool {
        get { locked.withLock { $0.waitsForConnectivity } }
        set { locked.withLock { $0.waitsForConnectivity = newValue } }
    }
}
