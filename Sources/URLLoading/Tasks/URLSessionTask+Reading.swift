import Dispatch
import FoundationEssentials

// Reads the files that a hop needs. The caller's thread reads those of the first hop before it takes the
// task's lock, unless that thread also runs other tasks. A queue reads those of a later hop. The loop's
// thread reads no file.
extension URLSessionTask {
    /// Reads the HSTS hosts and the cookies, where a request needs them and they are not in memory.
    ///
    /// May wait for the disk; called without the task's lock.
    func readState(for request: URLRequest) {
        guard mustReadState(for: request), let url = request.url, LocalAddress(url) == nil else {
            return
        }
        // The transfer process carries out the task, and reads them itself.
        if case .background = session.settings.kind { return }
        session.hsts?.prepare(for: url)
        cookieStorage(of: request)?.prepare()
    }

    /// Starts a hop on a queue, if it must read files first; `false`: the caller starts it.
    ///
    /// Until then no hop exists to suspend or cancel; the life cycle notes the program's calls.
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
        // Only GET and HEAD look for a stored response, and a download never does.
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
        guard request.httpShouldHandleCookies, cookies.areSent || cookies.policy != .never
        else { return nil }
        return cookies.storage
    }
}
