import Dispatch
import FoundationEssentials
import Synchronization
import TestSupport

@testable import URLLoading

/// A delegate of a background session that records its calls.
final class BackgroundDelegate: URLSessionDownloadDelegate, URLSessionDataDelegate {
    enum Call: Equatable, Sendable {
        case finished(Int, String)
        case completed(Int, URLError.Code?)
        case allDone
        case response(Int, Int)
        case data(Int, Int)
        case wrote(Int, Int64, total: Int64)
        case sent(Int, Int64, total: Int64)
        case resumed(Int, Int64, total: Int64)
        case startedOver(Int, DownloadStartOver)
        case waiting(Int)
        case challenge(Int, String)
        case invalid(URLError.Code?)
    }

    /// A call with its event.
    struct ReportedEvent: Equatable, Sendable {
        var sequence: Int
        var isRedelivery: Bool
        var call: Call
    }

    /// A call with a task's metrics.
    struct ReportedMetrics: Sendable {
        var task: Int
        var metrics: URLSessionTaskMetrics
        /// Whether the task's end was reported before the metrics.
        var isLate: Bool
    }

    private struct State {
        var calls: [Call] = []
        var metrics: [ReportedMetrics] = []
        var reported: [ReportedEvent] = []
        var failures: [String] = []
    }

    private let state = Mutex(State())
    /// Runs within each call.
    private let within: @Sendable (Call, URLSession) -> Void
    private let disposition: URLSession.ResponseDisposition

    init(
        disposition: URLSession.ResponseDisposition = .allow,
        _ within: @escaping @Sendable (Call, URLSession) -> Void = { _, _ in }
    ) {
        self.disposition = disposition
        self.within = within
    }

    var calls: [Call] { state.withLock { $0.calls } }
    var reported: [ReportedEvent] { state.withLock { $0.reported } }
    /// The texts of all errors.
    var failures: [String] { state.withLock { $0.failures } }

    var metrics: [ReportedMetrics] { state.withLock { $0.metrics } }

    func has(_ call: Call) -> Bool { calls.contains(call) }

    var isInvalid: Bool {
        calls.contains { if case .invalid = $0 { true } else { false } }
    }

    private func note(_ call: Call, _ session: URLSession, _ error: (any Error)? = nil) {
        let event = session.backgroundEvent
        within(call, session)
        state.withLock { state in
            state.calls.append(call)
            if let error { state.failures.append("\(error)") }
            if let event {
                state.reported.append(
                    ReportedEvent(
                        sequence: event.sequence,
                        isRedelivery: event.isRedelivery,
                        call: call
                    )
                )
            }
        }
    }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        note(.invalid((error as? URLError)?.code), session, error)
    }

    func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
        note(.allDone, session)
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didFinishDownloadingTo location: URL
    ) {
        let text = (try? String(contentsOf: location, encoding: .utf8)) ?? "(gone)"
        note(.finished(downloadTask.taskIdentifier, text), session)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        let number = task.taskIdentifier
        state.withLock { state in
            let isLate = state.calls.contains {
                if case .completed(number, _) = $0 { true } else { false }
            }
            state.metrics.append(ReportedMetrics(task: number, metrics: metrics, isLate: isLate))
        }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) { note(.completed(task.taskIdentifier, (error as? URLError)?.code), session, error) }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        note(.response(dataTask.taskIdentifier, status), session)
        // The handler is called later, on another queue.
        DispatchQueue.global().async { [disposition] in completionHandler(disposition) }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        note(.data(dataTask.taskIdentifier, data.count), session)
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    ) { note(.wrote(downloadTask.taskIdentifier, bytesWritten, total: totalBytesWritten), session) }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    ) {
        let task = downloadTask.taskIdentifier
        note(.resumed(task, fileOffset, total: expectedTotalBytes), session)
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didStartOver reason: DownloadStartOver
    ) { note(.startedOver(downloadTask.taskIdentifier, reason), session) }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) { note(.sent(task.taskIdentifier, bytesSent, total: totalBytesSent), session) }

    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
        note(.waiting(task.taskIdentifier), session)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        note(.challenge(task.taskIdentifier, challenge.protectionSpace.host), session)
        completionHandler(
            .useCredential,
            URLCredential(user: "me", password: "secret", persistence: .none)
        )
    }
}
