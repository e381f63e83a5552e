import FoundationEssentials
import Synchronization
import SystemPackage

/// One attempt of a task: its delegate in an ordinary session.
///
/// The session calls it on the session's queue; it reports on the server's queue.
final class TransferRun: Sendable {
    private static let interval: Duration = .milliseconds(250)

    struct State {
        var task: URLSessionTask?
        var isStopped = false
        var response: HTTPURLResponse?
        /// The challenge at which the attempt ends.
        var challenge: ChallengeRecord?
        var file: Result<(BackgroundFile, StoredResponse?), URLError>?
        var metrics: URLSessionTaskMetrics?
        var lastReported: MonotonicInstant?
        /// Whether a report is on its way, which will have the latest progress.
        var isReporting = false
        var hasEnded = false
        var progress: BackgroundProgress
    }

    let record: BackgroundTaskRecord
    let files: TransferFiles
    private let folders: CheckedFolders
    let credentials: TransferCredentials
    let settings: SessionSettings?
    weak let transfers: URLSessionTransfers?
    let state: Mutex<State>

    init(
        _ record: BackgroundTaskRecord,
        _ files: TransferFiles,
        _ settings: SessionSettings?,
        _ transfers: URLSessionTransfers
    ) {
        self.record = record
        self.files = files
        folders = transfers.checkedFolders
        credentials = transfers.credentials
        self.settings = settings
        self.transfers = transfers
        state = Mutex(State(progress: BackgroundProgress(task: record.identifier)))
    }

    func begin(_ task: URLSessionTask) {
        task.delegate = self
        task.expectedDigest = record.filing?.digest
        task.priority = record.priority
        note(task)
        task.resume()
    }

    /// Ends the attempt, and keeps the received bytes; the end is still reported.
    func stop() {
        let task = state.withLock { state in
            defer { state.isStopped = true }
            return state.isStopped ? nil : state.task
        }
        if let task { cancel(task) }
    }

    var isStopped: Bool { state.withLock { $0.isStopped } }

    private func cancel(_ task: URLSessionTask) {
        guard record.kind == .download, let download = task as? URLSessionDownloadTask else {
            return task.cancel()
        }
        download.cancel { _ in }
    }

    /// Whether the whole request was sent, as far as is known.
    var hasSentAll: Bool {
        guard let task = state.withLock({ $0.task }) else { return true }
        return task.countOfBytesExpectedToSend <= 0
            || task.countOfBytesSent >= task.countOfBytesExpectedToSend
    }

    var method: String {
        let task = state.withLock { $0.task }
        return task?.currentRequest?.httpMethod ?? record.request.method ?? "GET"
    }

    /// Notes the attempt's current task: a data task may become a download task.
    func note(_ task: URLSessionTask) {
        let isStopped = state.withLock { state in
            state.task = task
            return state.isStopped
        }
        if isStopped { cancel(task) }
    }

    /// Takes a response's head; returns whether its body is wanted.
    func take(_ response: URLResponse) -> Bool {
        guard let response = response as? HTTPURLResponse else { return true }
        state.withLock { $0.response = response }
        return !isRefused(response) && !isUnchanged(by: response)
    }

    /// Whether a response has an error status, and only a success is wanted.
    private func isRefused(_ response: HTTPURLResponse) -> Bool {
        record.takesSuccessOnly && response.statusCode >= 400
    }

    private func isUnchanged(by response: HTTPURLResponse) -> Bool {
        // A response without a body replaces no file that the user has named.
        record.destination != nil && [204, 304].contains(response.statusCode)
            || record.filing?.isUnchanged(by: response) == true
    }

    /// Whether the files may be made: another user may have replaced a folder since the task was made.
    func mayWrite() -> Bool {
        do throws(URLError) {
            try files.checkFolder(folders)
            return true
        } catch {
            state.withLock { $0.file = .failure(error) }
            return false
        }
    }

    /// Keeps a complete body; returns whether the body has its next name.
    func keep(_ path: String, _ received: FileDescriptor?) -> Bool {
        let response = state.withLock { $0.response }.map { StoredResponse($0) }
        let file = Result { () throws(URLError) in
            (try files.finish(path, response, received: received), response)
        }
        state.withLock { $0.file = file }
        return if case .success = file { true } else { false }
    }

    /// Notes progress, and reports it at most once in each interval; the last change is reported too.
    func note(_ change: (inout BackgroundProgress) -> Void) {
        let wait: Duration? = state.withLock { state in
            change(&state.progress)
            guard !state.isReporting else { return nil }
            state.isReporting = true
            let passed = state.lastReported.map { MonotonicInstant.now - $0 }
            return max(.zero, Self.interval - (passed ?? Self.interval))
        }
        guard let wait else { return }
        if wait == .zero {
            transfers?.post { self.report(to: $0) }
        } else {
            transfers?.post(after: wait / .seconds(1)) { self.report(to: $0) }
        }
    }

    private func report(to transfers: isolated URLSessionTransfers) {
        let progress: BackgroundProgress? = state.withLock { state in
            state.isReporting = false
            state.lastReported = .now
            // The next attempt has a progress of its own.
            return state.hasEnded ? nil : state.progress
        }
        if let progress { transfers.askServer { $0.sendProgress(progress) } }
    }

    /// Reports the result, when the attempt has ended and its files are closed.
    func end(_ error: URLError?) {
        let outcome = outcome(error, state.withLock { $0 })
        transfers?.post { transfers in
            self.state.withLock { $0.hasEnded = true }
            transfers.ended(self, outcome)
        }
    }

    private func outcome(_ error: URLError?, _ state: State) -> TryOutcome {
        var response: StoredResponse? { state.response.map { StoredResponse($0) } }
        if let challenge = state.challenge { return .challenged(challenge) }
        do throws(URLError) {
            // An upload of a file that has changed meanwhile is not a success, and not retried.
            try record.body?.check()
        } catch {
            if !state.isStopped { return .failure(error, response) }
        }
        if let refusal = state.response, isRefused(refusal) { return .status(refusal) }
        if let unchanged = state.response, isUnchanged(by: unchanged) {
            // No bytes prove the digest, and the existing file is not examined here.
            guard record.filing?.digest != nil else { return .empty(response) }
            let detail = "the server's response has no body (status \(response?.status ?? 0))"
            return .failure(URLError(.bodyDigestMismatch, detail: detail), response)
        }
        if case .failure(let failure)? = state.file { return .failure(failure, response) }
        if let error { return .failure(error, response) }
        guard case .success((let file, let response))? = state.file else { return .empty(response) }
        return file.size == 0 && record.kind == .upload ? .empty(response) : .whole(file, response)
    }
}

/// The result of one attempt of a task.
enum TryOutcome: Sendable {
    case whole(BackgroundFile, StoredResponse?)
    case empty(StoredResponse?)
    /// An error status, if only a success is wanted; its body was dropped.
    case status(HTTPURLResponse)
    case failure(URLError, StoredResponse?)
    /// A challenge without a known credential.
    case challenged(ChallengeRecord)
}

/// An ordinary session that carries out tasks of a background session.
struct TransferSession {
    /// The session's settings; `nil` if the stored settings cannot be decoded.
    let settings: SessionSettings?
    /// The session, or the reason why there is none: a guess at settings could mean no proxy.
    let session: Result<URLSession, URLError>

    /// Without stored settings, the session has the defaults.
    init(_ configuration: String?) {
        let stored =
            configuration.map { SessionSettings(stored: $0) } ?? SessionSettings(kind: .default)
        settings = stored
        guard var settings = stored else {
            session = Self.failure("the session's settings were written by an incompatible build")
            return
        }
        settings.waitsForConnectivity = true
        // The state machine enforces the task's deadline, which also counts while no process runs.
        settings.timeoutForResource = 0
        settings.transport.recordsHeads = false
        settings.transport.tracesTransfers = false
        settings.transport.keepsChecksums = true
        // The journal says which bodies are complete, so they must be on the disk.
        if settings.transport.fileSynchronization == .none {
            settings.transport.fileSynchronization = .group
        }
        if let path = settings.background.cookieFile {
            do throws(PrivateFileError) {
                let cookies = try HTTPCookieStorage.cookies(inFile: path).cookies
                settings.cookies.storage?.add(cookies)
            } catch {
                session = Self.failure("its cookies: \(error)")
                return
            }
        }
        session = .success(URLSession(configuration: URLSessionConfiguration(settings)))
    }

    private static func failure(_ reason: String) -> Result<URLSession, URLError> {
        .failure(URLError(.resourceUnavailable, detail: reason))
    }
}
