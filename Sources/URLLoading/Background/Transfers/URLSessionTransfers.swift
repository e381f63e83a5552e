import Dispatch
import FoundationEssentials

// Unchecked: all that changes is used on `queue` alone, which is serial, and whose every way in
// is checked.
/// Carries the tasks of a background session out with an ordinary session.
///
/// What has come of a download stays in the session's folder, and is gone on with, by `Range` and
/// `If-Range`, by this process or the next.
final class URLSessionTransfers: BackgroundTransfers, @unchecked Sendable {
    let queue: DispatchQueue
    private let filesFolder: String
    let partsFolder: String
    private let lowerPriority: @Sendable () -> Void
    /// Who is told what comes of tasks.
    weak var host: BackgroundHost?

    private var settings: BackgroundSettings?
    /// The sessions by how tasks are carried out; most have one.
    private var sessions: [String?: TransferSession] = [:]
    let credentials = TransferCredentials()
    var runs: [Int: TransferRun] = [:]
    /// The runs whose end counts for nothing.
    var stopped: Set<ObjectIdentifier> = []
    /// The tasks whose files go when their runs end.
    var cancelled: Set<Int> = []
    /// The tasks whose parts are handed over when their runs end.
    var salvaged: Set<Int> = []
    /// What is begun when the run before has ended.
    var next: [Int: BackgroundTaskRecord] = [:]
    var tries: [Int: Tries] = [:]
    /// What the tries of tasks have cost.
    var metrics: [Int: StoredMetrics] = [:]
    /// What is called when nothing runs any more.
    private var finishing: (@Sendable () -> Void)?

    /// - Parameters:
    ///   - filesFolder: the folder of all tasks' files.
    ///   - partsFolder: the folder of parts for which programs have resume data.
    ///   - queue: the host's.
    ///   - lowerPriority: called when the session becomes one that steps back behind all else.
    init(
        filesFolder: String,
        partsFolder: String,
        queue: DispatchQueue,
        lowerPriority: @escaping @Sendable () -> Void = {}
    ) {
        self.filesFolder = filesFolder
        self.partsFolder = partsFolder
        self.queue = queue
        self.lowerPriority = lowerPriority
    }

    deinit {
        for session in sessions.values { session.session?.invalidateAndCancel() }
    }

    func policy(of record: BackgroundTaskRecord) -> RetryPolicy {
        .background(tries: session(for: record).settings?.background.maximumTries)
    }

    /// What carries a task out.
    func session(for record: BackgroundTaskRecord) -> TransferSession {
        let configuration = record.configuration ?? settings?.configuration
        if let known = sessions[configuration] { return known }
        let made = TransferSession(configuration)
        sessions[configuration] = made
        return made
    }

    func start(_ task: BackgroundTaskRecord) {
        dispatchPrecondition(condition: .onQueue(queue))
        guard finishing == nil else { return }
        guard runs[task.identifier] == nil else {
            next[task.identifier] = task
            return
        }
        do throws(URLError) {
            try begin(task)
        } catch {
            host?.report(.failed(task: task.identifier, StoredError(error), nil))
        }
    }

    func stop(_ task: Int) {
        dispatchPrecondition(condition: .onQueue(queue))
        next[task] = nil
        guard let run = runs[task], stopped.insert(ObjectIdentifier(run)).inserted else { return }
        run.stop()
    }

    func salvage(_ task: Int) {
        dispatchPrecondition(condition: .onQueue(queue))
        guard runs[task] == nil else {
            salvaged.insert(task)
            return
        }
        let resumeData = host?.record(of: task).flatMap(takePart)
        host?.report(.salvaged(task: task, resumeData: resumeData))
    }

    func cancel(_ task: Int) {
        stop(task)
        forget(task)
        if runs[task] == nil {
            files(of: task).remove()
        } else {
            cancelled.insert(task)
        }
    }

    func answer(
        _ task: Int,
        to challenge: ChallengeRecord,
        disposition: Int,
        user: String?,
        password: String?,
        identity: URLSessionConfiguration.ClientCertificate?
    ) {
        dispatchPrecondition(condition: .onQueue(queue))
        guard let state = host?.book.ledger.state,
            let disposition = URLSession.AuthChallengeDisposition(rawValue: disposition)
        else { return }
        let isForAll = credentials.take(
            task,
            challenge,
            disposition,
            user: user,
            password: password,
            identity: identity
        )
        guard isForAll else { return }
        // Whoever is asked the same has the answer, too.
        for (other, known) in state.tasks.sorted(by: { $0.key < $1.key }) where other != task {
            guard case .parked(let asked) = known.phase, asked.place == challenge.place else {
                continue
            }
            host?.report(.answered(task: other))
        }
    }

    func configure(_ settings: BackgroundSettings) {
        dispatchPrecondition(condition: .onQueue(queue))
        let before = self.settings
        self.settings = settings
        if settings.isDiscretionary, before?.isDiscretionary != true { lowerPriority() }
        guard let before, before.configuration != settings.configuration else { return }
        // What runs goes on as it was begun.
        for session in sessions.values { session.session?.finishTasksAndInvalidate() }
        sessions = [:]
    }

    /// Stops all, and keeps what has come; nothing is started any more.
    ///
    /// - Parameter completionHandler: called on the host's queue when all is at rest.
    func finish(completionHandler: @escaping @Sendable () -> Void) {
        dispatchPrecondition(condition: .onQueue(queue))
        guard finishing == nil || !runs.isEmpty else { return completionHandler() }
        finishing = completionHandler
        next = [:]
        for task in runs.keys.sorted() { stop(task) }
        finishIfDone()
    }

    /// Has everything written that outlives the process, beside the session's own.
    func flush() {
        dispatchPrecondition(condition: .onQueue(queue))
        for session in sessions.values { _ = session.session?.flushState() }
    }

    func finishIfDone() {
        guard let finishing, runs.isEmpty else { return }
        queue.async(execute: finishing)
    }

    func files(of task: Int) -> TransferFiles {
        guard let record = host?.record(of: task) else {
            return TransferFiles(filesFolder, task: task)
        }
        return TransferFiles(filesFolder, record, token: settings?.token ?? "")
    }

    func forget(_ task: Int) {
        tries[task] = nil
        metrics[task] = nil
        credentials.forget(task)
    }
}
