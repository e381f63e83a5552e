import FoundationEssentials
import Synchronization
import URLLoading

/// Asks the server how long its file is.
///
/// It is the delegate of its own task, and tells what it hears as the session's does; redirects and
/// challenges go on to that.
final class SizeProbe: URLSessionDataDelegate {
    private let session: RunDelegate
    private let ended: @Sendable () -> Void
    private let found = Mutex<Int64?>(nil)
    private let refusal = Mutex<Int?>(nil)
    private let failure = Mutex<URLError?>(nil)

    /// - Parameters:
    ///   - session: the session's delegate.
    ///   - ended: told that the answer is there, or will not come.
    init(_ session: RunDelegate, ended: @escaping @Sendable () -> Void) {
        self.session = session
        self.ended = ended
    }

    /// The length in bytes; `nil` where the server does not tell.
    var length: Int64? { found.withLock { $0 } }

    /// A status that may be another one later; `nil` where there is none.
    var passingStatus: Int? { refusal.withLock { $0 } }

    /// Why there is no answer.
    var error: URLError? { failure.withLock { $0 } }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        self.session.printer.event(.didReceiveResponse(dataTask, response))
        if let http = response as? HTTPURLResponse {
            self.session.showHead(http)
            if http.statusCode == 200, response.expectedContentLength >= 0 {
                found.withLock { $0 = response.expectedContentLength }
            }
            // Another error is a server that does not tell.
            if self.session.session.retries.statuses.contains(http.statusCode) {
                _ = self.session.isTriedAgain(dataTask, after: http)
                refusal.withLock { $0 = http.statusCode }
            }
        }
        completionHandler(.allow)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        self.session.printer.event(.didComplete(task, error))
        failure.withLock { $0 = error as? URLError }
        ended()
    }
}
