import Dispatch
import FoundationEssentials
import Synchronization

// A data task that becomes a download. The hop goes on as it is, and still reports to the task that
// has begun it. What it reports is handed on, under one lock after the other, in this direction.
extension URLSessionTask {
    /// Hands the hop over to a download.
    ///
    /// The delegate hears of it before anything that the download does. The data task reports
    /// nothing more, not even its end.
    func becomeDownload(_ id: HopID, _ locked: inout Locked) {
        guard let dataTask = self as? URLSessionDataTask, let response = locked.response else {
            return
        }
        let delegate = dataAudience(locked)
        var inherited = locked
        inherited.lifecycle = locked.lifecycle.handOver()
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

    /// Does what the program asks of this task; of the download that it has become, as long as the
    /// program cannot know that.
    func command(_ event: (inout Locked) -> [TaskLifecycle.Action]) {
        let successor: URLSessionTask? = locked.withLock { locked in
            if let successor = locked.successor, !locked.isSuccessorKnown { return successor }
            act(event(&locked), &locked)
            return nil
        }
        successor?.apply(event)
    }

    /// Takes what a hop reports, where it belongs to this task; else the download does.
    func report(_ event: (_ owner: URLSessionTask, inout Locked) -> Void) {
        let successor: URLSessionTask? = locked.withLock { locked in
            if let successor = locked.successor { return successor }
            event(self, &locked)
            return nil
        }
        successor?.report(event)
    }
}
