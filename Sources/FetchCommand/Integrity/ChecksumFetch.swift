import FoundationEssentials
import Synchronization
import URLLoading

/// Fetches a list of checksums into memory.
///
/// It is the delegate of its own task, and tells what it hears as the session's does; challenges
/// and redirects go on to that, but for one that leads out of TLS: what such a list says could be
/// anybody's.
final class ChecksumFetch: URLSessionDataDelegate {
    /// Why there is no list.
    enum Failure: Error {
        /// In words, and what a task comes to that needs it.
        case failed(String, ExitStatus)
        case interrupted(Interruption)
    }

    private struct State {
        var bytes = Data()
        /// Why it was given up, or what the server has said.
        var refusal: (words: String, status: ExitStatus)?
        var error: URLError?
        var isOver = false
    }

    private let session: RunDelegate
    private let ended: @Sendable () -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - session: the session's delegate.
    ///   - ended: told that it is over.
    init(_ session: RunDelegate, ended: @escaping @Sendable () -> Void) {
        self.session = session
        self.ended = ended
    }

    /// Whether its task has ended.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// The list, once it is over.
    ///
    /// - Parameter name: the URL, for messages.
    /// - Returns: the list.
    /// - Throws: `failed`, with the name in its words.
    func list(_ name: String) throws(Failure) -> ChecksumList {
        let state = state.withLock { $0 }
        if let refusal = state.refusal {
            throw .failed("--checksum-from: \(name): \(refusal.words)", refusal.status)
        }
        if let error = state.error {
            let words = Printable.text(error.code.redacted(error.description))
            throw .failed("--checksum-from: \(name): \(words)", ExitStatus(error.code))
        }
        return ChecksumList(state.bytes)
    }

    private func refuse(_ words: String, _ status: ExitStatus) {
        state.withLock { $0.refusal = $0.refusal ?? (words, status) }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        guard RedirectCrossing(task.currentRequest, to: request).isDowngrade else {
            return self.session.urlSession(
                session,
                task: task,
                willPerformHTTPRedirection: response,
                newRequest: request,
                completionHandler: completionHandler
            )
        }
        let target = request.url.map(Printer.shown) ?? "nowhere"
        refuse("redirected out of TLS, to \(target), which is not followed", .localPolicy)
        task.cancel()
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        self.session.printer.event(.didReceiveResponse(dataTask, response))
        if let http = response as? HTTPURLResponse {
            self.session.showHead(http)
            if http.statusCode != 200 {
                let outcome = TaskOutcome.status(http.statusCode)
                refuse(
                    HeadText.status(http.statusCode),
                    http.statusCode >= 400 ? outcome.exitStatus : .protocolError
                )
                return completionHandler(.cancel)
            }
        }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        self.session.printer.event(.didReceiveData(dataTask, data.count))
        let isTooMuch = state.withLock { state in
            state.bytes += data
            return state.bytes.count > ChecksumList.sizeLimit
        }
        guard isTooMuch else { return }
        refuse("has more than \(ByteText.size(Int64(ChecksumList.sizeLimit)))", .integrity)
        dataTask.cancel()
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        self.session.printer.event(.didComplete(task, error))
        state.withLock { state in
            state.error = error.map { $0 as? URLError ?? URLError(.unknown, detail: "\($0)") }
            state.isOver = true
        }
        ended()
    }
}
