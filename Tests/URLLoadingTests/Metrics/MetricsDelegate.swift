import FoundationEssentials
import Synchronization

@testable import URLLoading

/// A delegate that keeps the metrics of tasks, and the order of the calls at their end.
final class MetricsDelegate: URLSessionDataDelegate, URLSessionDownloadDelegate {
    private struct State {
        var calls: [String] = []
        var metrics: [URLSessionTaskMetrics] = []
        var heads = Data()
    }

    private let state = Mutex(State())
    private let credential: URLCredential?

    /// - Parameter credential: the credential for challenges.
    init(_ credential: URLCredential? = nil) {
        self.credential = credential
    }

    /// The calls that tests examine: `data`, `finished`, `collected`, `completed`, and those that a test
    /// notes.
    var calls: [String] { state.withLock { $0.calls } }
    var metrics: [URLSessionTaskMetrics] { state.withLock { $0.metrics } }
    var heads: String { String(decoding: state.withLock { $0.heads }, as: UTF8.self) }

    func note(_ call: String) {
        state.withLock { $0.calls.append(call) }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard let credential, challenge.previousFailureCount == 0 else {
            return completionHandler(.performDefaultHandling, nil)
        }
        completionHandler(.useCredential, credential)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        note("data")
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didFinishDownloadingTo location: URL
    ) { note("finished") }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        note("collected")
        state.withLock { $0.metrics.append(metrics) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didReceiveHeads bytes: Data) {
        state.withLock { $0.heads += bytes }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) { note("completed") }
}
