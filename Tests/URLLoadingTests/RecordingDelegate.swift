import Dispatch
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import URLLoading

/// A delegate that records its calls, and behaves as the test directs.
final class RecordingDelegate: URLSessionDataDelegate, URLSessionDownloadDelegate {
    /// A call, with the values that tests compare.
    enum Call: Equatable, Sendable {
        case redirect(Int, to: String)
        case needNewBodyStream
        case sent(bytes: Int64, total: Int64, expected: Int64)
        case response(Int)
        case data(Int)
        case wrote(bytes: Int64, total: Int64, expected: Int64)
        case resumed(at: Int64, expected: Int64)
        case startedOver(DownloadStartOver)
        case split(Int, DownloadSplitLimit?)
        case finished
        case completed(URLError.Code?)
        case invalid
    }

    /// The behavior of the delegate.
    struct Behavior: Sendable {
        var redirect: @Sendable (URLRequest) -> URLRequest? = { $0 }
        var bodyStream: @Sendable (Int) -> (any HTTPBodyStream)? = { _ in nil }
        var response: URLSession.ResponseDisposition = .allow
        var destination: DownloadDestination? = .temporary
        /// Called before the destination is passed.
        var asked: @Sendable (URLSessionDownloadTask) -> Void = { _ in }
        var finished: @Sendable (URL) -> Void = { _ in }
        var received: @Sendable (URLSessionTask, Data) -> Void = { _, _ in }
    }

    private struct State {
        var calls: [Int: [Call]] = [:]
        var data: [Int: Data] = [:]
        var all: [Call] = []
        var streams = 0
        var running = 0
        var maximumAtOnce = 0
    }

    private let behavior: Behavior
    private let state = Mutex(State())

    init(_ behavior: Behavior = Behavior()) {
        self.behavior = behavior
    }

    /// The calls for a task, or of the session, in order.
    func calls(_ task: URLSessionTask? = nil) -> [Call] {
        state.withLock { state in
            guard let task else { return state.all }
            return state.calls[task.taskIdentifier] ?? []
        }
    }

    /// The received data of a task.
    func data(_ task: URLSessionTask) -> Data {
        state.withLock { $0.data[task.taskIdentifier] ?? Data() }
    }

    /// How many calls ever ran at the same time.
    var maximumAtOnce: Int { state.withLock { $0.maximumAtOnce } }

    /// Waits for a task's last call.
    ///
    /// - Returns: its error's code; `nil` for success. `.unknown` where it never came.
    func completion(
        of task: URLSessionTask,
        within limit: Duration = .seconds(20)
    ) async
        -> URLError.Code?
    {
        _ = await eventually(within: limit) {
            if case .completed = calls(task).last { true } else { false }
        }
        guard case .completed(let code) = calls(task).last else { return .unknown }
        return code
    }

    private func note(_ call: Call, _ task: URLSessionTask?) {
        if TaskLockCounter.count > 0 { Issue.record("\(call) under a task's lock") }
        state.withLock { state in
            state.running += 1
            state.maximumAtOnce = max(state.maximumAtOnce, state.running)
            state.all.append(call)
            if let task { state.calls[task.taskIdentifier, default: []].append(call) }
        }
    }

    private func leave() {
        state.withLock { $0.running -= 1 }
    }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        note(.invalid, nil)
        leave()
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        note(.redirect(response.statusCode, to: request.url?.path ?? ""), task)
        completionHandler(behavior.redirect(request))
        leave()
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable ((any HTTPBodyStream)?) -> Void
    ) {
        note(.needNewBodyStream, task)
        let number = state.withLock { state in
            state.streams += 1
            return state.streams
        }
        completionHandler(behavior.bodyStream(number))
        leave()
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        note(
            .sent(bytes: bytesSent, total: totalBytesSent, expected: totalBytesExpectedToSend),
            task
        )
        leave()
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        note(.response((response as? HTTPURLResponse)?.statusCode ?? 0), dataTask)
        completionHandler(behavior.response)
        leave()
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        note(.data(data.count), dataTask)
        state.withLock { $0.data[dataTask.taskIdentifier, default: Data()].append(data) }
        behavior.received(dataTask, data)
        leave()
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (DownloadDestination?) -> Void
    ) {
        note(.response((response as? HTTPURLResponse)?.statusCode ?? 0), downloadTask)
        behavior.asked(downloadTask)
        completionHandler(behavior.destination)
        leave()
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    ) {
        note(
            .wrote(
                bytes: bytesWritten,
                total: totalBytesWritten,
                expected: totalBytesExpectedToWrite
            ),
            downloadTask
        )
        leave()
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    ) {
        note(.resumed(at: fileOffset, expected: expectedTotalBytes), downloadTask)
        leave()
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didStartOver reason: DownloadStartOver
    ) {
        note(.startedOver(reason), downloadTask)
        leave()
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didSplitInto streams: Int,
        limit: DownloadSplitLimit?
    ) {
        note(.split(streams, limit), downloadTask)
        leave()
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didFinishDownloadingTo location: URL
    ) {
        note(.finished, downloadTask)
        behavior.finished(location)
        leave()
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        note(.completed(error.map { ($0 as? URLError)?.code ?? .unknown }), task)
        leave()
    }
}
