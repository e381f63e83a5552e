import Dispatch
import FoundationEssentials

// What a hop needs of files. The first hop's is read on the caller's thread, before the task's lock
// is taken, unless other tasks share that thread. A later hop's is read on a queue. The loop's
// thread, which all tasks share, reads none of it.
extension URLSessionTask {
    /// Reads the hosts that want TLS, and the cookies, where a request needs them and they were not read.
    ///
    /// May wait for the disk; no lock of the task's is held.
    func readState(for request: URLRequest) {
        guard let url = request.url, LocalAddress(url) == nil else { return }
        // Another process carries it out, and reads.
        if case .background = session.settings.kind { return }
        session.hsts?.prepare(for: url)
        cookieStorage(of: request)?.prepare()
    }

    /// Begins a hop on a queue, where something has to be read for it, or looked up on the disk.
    ///
    /// Until then there is no hop that could be suspended or ended; what the program requests
    /// meanwhile is kept in the task's life cycle.
    ///
    /// - Returns: whether there is anything to be read, and it is no thread of the caller's that begins
    ///   the hop.
    func startReading(
        _ request: URLRequest,
        _ body: TaskBody,
        _ id: HopID,
        _ timeLimit: Duration?,
        _ locked: inout Locked
    ) -> Bool {
        guard
            id.number > 1
                ? mustRead(request, body, locked)
                : session.host != nil && mustReadState(for: request)
        else { return false }
        locked.hop = nil
        session.reading.async { [self] in
            readState(for: request)
            report { task, locked in
                guard case .requesting(id) = locked.lifecycle.state else {
                    let end = HopEnd(error: URLError(.cancelled))
                    return task.act(locked.lifecycle.ended(id, end), &locked)
                }
                task.start(request, body, id, timeLimit, &locked, isRead: true)
                if locked.lifecycle.isSuspended { locked.hop?.suspend() }
            }
        }
        return true
    }

    private func mustRead(
        _ request: URLRequest,
        _ body: TaskBody,
        _ locked: borrowing Locked
    ) -> Bool {
        if case .file = body { return true }
        if mustReadState(for: request) { return true }
        // A download is looked up in no cache, and what others change is in none.
        return !locked.lifecycle.responsePolicy.body.isDownload
            && session.settings.urlCache.map { $0.diskCapacity > 0 } ?? false
            && ["GET", "HEAD"].contains(request.httpMethod ?? "GET")
    }

    private func mustReadState(for request: URLRequest) -> Bool {
        guard let url = request.url else { return false }
        return session.hsts?.mustRead(for: url) == true
            || cookieStorage(of: request)?.mustRead == true
    }

    private func cookieStorage(of request: URLRequest) -> HTTPCookieStorage? {
        let cookies = session.settings.cookies
        guard request.httpShouldHandleCookies, cookies.areSent || cookies.policy != .never else {
            return nil
        }
        return cookies.storage
    }
}
