import Dispatch
import FoundationEssentials
import Synchronization

// A data task that becomes a download. The hop continues, and still reports to the data task. The data task
// passes each report on: it takes its own lock first, then the download's.
extension URLSessionTask {
    /// Passes the hop to a new download.
    ///
    /// The delegate is notified before any event of the download. The data task reports nothing more,
    /// not even its end.
    func becomeDownload(_ id: HopID, _ locked: inout Locked) {
        guard let dataTask = self as? URLSessionDataTask, let response = locked.response else {
            return
        }
        let delegate = effectiveDataDelegate(locked)
        var inherited = locked
        inherited.lifecycle = locked.lifecycle.handOver()
        inherited.answerTimer = nil
        let (download, isCancelled) = session.makeSuccessor { identifier in
            URLSessionDownloadTask(identifier, inheriting: inherited, from: self)
        }
        locked.successor = download
        locked.hop = nil
        locked.recorder = nil
        locked.exchange = nil
        locked.delegate = nil
        session.queue.async { [self] in
            delegate?.urlSession(session, dataTask: dataTask, didBecome: download)
            self.locked.withLock { $0.isSuccessorKnown = true }
            session.taskEnded(self)
        }
        download.apply { $0.lifecycle.received(inherited: response, of: id) }
        if isCancelled { download.cancel() }
    }

    /// Applies a call of the program to this task, or to the download that replaced it, if the program
    /// does not know the download yet.
    func command(_ event: (inout Locked) -> [TaskLifecycle.Action]) {
        let successor: URLSessionTask? = locked.withLock { locked in
            if let successor = locked.successor, !locked.isSuccessorKnown { return successor }
            act(event(&locked), &locked)
            return nil
        }
        successor?.apply(event)
    }

    /// Handles a report of a hop in this task, or in the download that replaced it.
    func report(_ event: (_ owner: URLSessionTask, inout Locked) -> Void) {
        let successor: URLSessionTask? = locked.withLock { locked in
            if let successor = locked.successor { return successor }
            event(self, &locked)
            return nil
        }
        successor?.report(event)
    }
}
