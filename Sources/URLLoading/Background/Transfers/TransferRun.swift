import FoundationEssentials
import Synchronization
import SystemPackage

/// One try of a task: told, as its delegate, what happens to it, and reports what has come of it.
///
/// Its session calls it on a queue of the session's; what it tells is handed on to the server's.
final class TransferRun: Sendable {
    /// How often it tells how far it is, at the most.
    private static let interval: Duration = .milliseconds(250)

    /// What it reports to; called on the session's queue.
    struct Observer: Sendable {
        var report: @Sendable (BackgroundProgress) -> Void
        var wait: @Sendable () -> Void
        /// Once, when the try is over and its files are at rest.
        var end: @Sendable (TransferRun, TryOutcome) -> Void
    }

    private struct State {
        var task: URLSessionTask?
        var isStopped = false
        var response: HTTPURLResponse?
        /// An error status where only a success is wanted.
        var refusal: HTTPURLResponse?
        /// Whether the server has no other file than the one that is there.
        var isUnchanged = false
        var challenge: ChallengeRecord?
        var file: Result<BackgroundFile, URLError>?
        var metrics: URLSessionTaskMetrics?
        /// When it has said how far it is.
        var lastReported: MonotonicInstant?
        var progress: BackgroundProgress
    }

    let record: BackgroundTaskRecord
    let files: TransferFiles
    let credentials: TransferCredentials
    /// The session's.
    let settings: SessionSettings?
    private let observer: Observer
    private let state: Mutex<State>

    init(
        _ record: BackgroundTaskRecord,
        _ files: TransferFiles,
        _ credentials: TransferCredentials,
        _ settings: SessionSettings?,
        _ observer: Observer
    ) {
        self.record = record
        self.files = files
        self.credentials = credentials
        self.settings = settings
        self.observer = observer
        let progress = BackgroundProgress(
            task: record.identifier,
            received: 0,
            expectedToReceive: -1,
            sent: 0,
            expectedToSend: -1
        )
        state = Mutex(State(progress: progress))
    }

    /// Begins.
    func begin(_ task: URLSessionTask) {
        task.delegate = self
        task.expectedDigest = record.filing?.digest
        task.priority = record.priority
        note(task)
        task.resume()
    }

    /// Ends it, and keeps what has come; it reports its end all the same.
    func stop() {
        let task = state.withLock { state in
            state.isStopped = true
            return state.task
        }
        switch task {
        case let download as URLSessionDownloadTask where record.kind == .download:
            download.cancel { _ in }
        default: task?.cancel()
        }
    }

    /// Whether all of the request has left, as far as is known here.
    var hasSentAll: Bool {
        guard let task = state.withLock({ $0.task }) else { return true }
        return task.countOfBytesExpectedToSend <= 0
            || task.countOfBytesSent >= task.countOfBytesExpectedToSend
    }

    /// The method of the request that was sent last.
    var method: String {
        let task = state.withLock { $0.task }
        return task?.currentRequest?.httpMethod ?? record.request.method ?? "GET"
    }

    /// The task that it is now.
    func note(_ task: URLSessionTask) {
        let isStopped = state.withLock { state in
            state.task = task
            return state.isStopped
        }
        if isStopped { stop() }
    }

    /// Takes a response's head.
    ///
    /// - Returns: whether its body is wanted.
    func take(_ response: URLResponse) -> Bool {
        guard let response = response as? HTTPURLResponse else { return true }
        let isRefused = record.takesSuccessOnly && response.statusCode >= 400
        let isUnchanged = record.filing?.isUnchanged(by: response) == true
        state.withLock { state in
            state.response = response
            if isRefused { state.refusal = response }
            state.isUnchanged = isUnchanged
        }
        return !isRefused && !isUnchanged
    }

    /// Has a body that is whole kept.
    ///
    /// - Parameters:
    ///   - path: where it is.
    ///   - received: the file that was written to, open.
    func keep(_ path: String, _ received: FileDescriptor?) {
        let response = state.withLock { $0.response }.map { StoredResponse($0) }
        let file: Result<BackgroundFile, URLError>
        do throws(URLError) {
            file = .success(try files.finish(path, response, received: received))
        } catch {
            file = .failure(error)
        }
        state.withLock { $0.file = file }
    }

    /// It stops here for want of a credential.
    func park(_ challenge: ChallengeRecord) {
        state.withLock { $0.challenge = challenge }
    }

    /// It begins where another download has ended, or at its first byte though it should not.
    func noteBeginning(goingOn isContinued: Bool) {
        if !isContinued { note { $0.startOver = DownloadStartOver.partialFileChanged.stored } }
    }

    /// What it has cost; `nil` before its end.
    var metrics: URLSessionTaskMetrics? { state.withLock { $0.metrics } }

    func take(_ metrics: URLSessionTaskMetrics) {
        state.withLock { $0.metrics = metrics }
    }

    func reportWaiting() {
        observer.wait()
    }

    /// Notes how far it is, and tells it from time to time.
    func note(_ change: (inout BackgroundProgress) -> Void) {
        let progress: BackgroundProgress? = state.withLock { state in
            change(&state.progress)
            let now = MonotonicInstant.now
            if let last = state.lastReported, now - last < Self.interval { return nil }
            state.lastReported = now
            return state.progress
        }
        if let progress { observer.report(progress) }
    }

    /// Reports what has come of it.
    func end(_ error: URLError?) {
        observer.end(self, outcome(error, state.withLock { $0 }))
    }

    private func outcome(_ error: URLError?, _ state: State) -> TryOutcome {
        let response = state.response.map { StoredResponse($0) }
        if let challenge = state.challenge { return .challenged(challenge) }
        do throws(URLError) {
            // A mixture is no success, and of another file nothing is sent again.
            try record.body?.check()
        } catch {
            if !state.isStopped { return .failure(error, response) }
        }
        if let refusal = state.refusal { return .status(refusal) }
        if state.isUnchanged { return .empty(response) }
        if let error { return .failure(error, response) }
        switch state.file {
        case .success(let file) where file.size == 0 && record.kind == .upload:
            return .empty(response)
        case .success(let file): return .whole(file, response)
        case .failure(let error): return .failure(error, response)
        case nil: return .empty(response)
        }
    }
}

/// What has come of one try of a task.
enum TryOutcome: Sendable {
    /// A body, whole and on the disk.
    case whole(BackgroundFile, StoredResponse?)
    /// A response without a body.
    case empty(StoredResponse?)
    /// An error status, where only a success is wanted; its body was left.
    case status(HTTPURLResponse)
    case failure(URLError, StoredResponse?)
    /// A challenge for which there is no credential here.
    case challenged(ChallengeRecord)
}
