import Dispatch
import FoundationEssentials
import Synchronization
import TestSupport
import URLLoading

/// Turns every data task into a download, when the test asks for it, and records its calls.
final class BecomingDelegate: URLSessionDataDelegate, URLSessionDownloadDelegate {
    /// A call, with the kind of its task.
    enum Call: Equatable, Sendable {
        case response
        case became
        case asked
        case data
        case wrote
        case finished
        case completed(isDownload: Bool, URLError.Code?)
        case invalid
    }

    private struct State {
        var calls: [Call] = []
        var download: URLSessionDownloadTask?
        var completion: (@Sendable (URLSession.ResponseDisposition) -> Void)?
        var bytes: [UInt8] = []
        var resumeData: Data?
        var total: Int64 = 0
    }

    private let state = Mutex(State())
    private let waits: Bool
    private let destination: DownloadDestination?
    private let became: @Sendable (URLSessionDataTask, URLSessionDownloadTask) -> Void

    /// - Parameters:
    ///   - waits: whether only `decide(_:)` decides on the response.
    ///   - destination: where downloads go.
    ///   - became: called in `didBecome`.
    init(
        waits: Bool = false,
        destination: DownloadDestination? = .temporary,
        became: @escaping @Sendable (URLSessionDataTask, URLSessionDownloadTask) -> Void = { _, _ in
        }
    ) {
        self.waits = waits
        self.destination = destination
        self.became = became
    }

    var calls: [Call] { state.withLock { $0.calls } }
    /// The calls, without those of uncertain number.
    var order: [Call] { calls.filter { $0 != .wrote } }
    var download: URLSessionDownloadTask? { state.withLock { $0.download } }
    /// The file's bytes at the end.
    var bytes: [UInt8] { state.withLock { $0.bytes } }
    var resumeData: Data? { state.withLock { $0.resumeData } }
    /// The last count of written bytes.
    var total: Int64 { state.withLock { $0.total } }

    /// Decides on the waiting response.
    func decide(_ disposition: URLSession.ResponseDisposition) {
        let completion = state.withLock { state in
            defer { state.completion = nil }
            return state.completion
        }
        completion?(disposition)
    }

    var isAsked: Bool { state.withLock { $0.completion != nil } }

    private func note(_ call: Call) { state.withLock { $0.calls.append(call) } }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        note(.response)
        guard waits else { return completionHandler(.becomeDownload) }
        state.withLock { $0.completion = completionHandler }
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didBecome downloadTask: URLSessionDownloadTask
    ) {
        note(.became)
        state.withLock { $0.download = downloadTask }
        became(dataTask, downloadTask)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        note(.data)
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (DownloadDestination?) -> Void
    ) {
        note(.asked)
        completionHandler(destination)
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    ) {
        state.withLock { $0.total = totalBytesWritten }
        note(.wrote)
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didFinishDownloadingTo location: URL
    ) {
        let bytes = (try? Data(contentsOf: location)).map { [UInt8]($0) } ?? []
        state.withLock { $0.bytes = bytes }
        note(.finished)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        let error = error as? URLError
        state.withLock { $0.resumeData = error?.downloadTaskResumeData }
        note(.completed(isDownload: task is URLSessionDownloadTask, error?.code))
    }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        note(.invalid)
    }

    /// Waits for the end of the download, or of the data task.
    func hasCompleted() async -> Bool {
        await eventually {
            calls.contains { if case .completed = $0 { true } else { false } }
        }
    }
}
