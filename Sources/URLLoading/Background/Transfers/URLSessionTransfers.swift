import Dispatch
import FoundationEssentials

/// Carries out the tasks of a background session with an ordinary session.
///
/// The part of a download stays in the session's folder, or beside the destination. This process or the
/// next one continues it by `Range` and `If-Range`.
actor URLSessionTransfers: BackgroundTransfers, QueueActor {
    nonisolated let queue: SerialQueue
    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    private let filesFolder: String
    let partsFolder: String
    private let lowerPriority: @Sendable () -> Void
    let conventions: FileConventions
    /// Receives the reports; it has the same queue.
    private weak var server: BackgroundServer?

    private var settings: BackgroundSettings?
    /// The ordinary sessions, by stored configuration; usually there is one.
    private var sessions: [String?: TransferSession] = [:]
    nonisolated let credentials = TransferCredentials()
    let checkedFolders = CheckedFolders()
    var runs: [Int: TransferRun] = [:]
    /// The tasks whose files are removed when their attempts, or the readings of their parts, end.
    var cancelled: Set<Int> = []
    /// The tasks whose parts are handed over then.
    var handovers: Set<Int> = []
    /// The tasks to begin when the previous attempt has ended, or the part has been read.
    var next: [Int: BackgroundTaskRecord] = [:]
    private var readings: Set<Int> = []
    /// The queue for reading parts, which may be long.
    nonisolated let reading = DispatchQueue(label: "URLLoading.Background.Parts", qos: .utility)
    /// The last task that an earlier process may have begun.
    private var lastEarlierTask = 0
    /// The tasks whose bodies are complete; one of them may still have the name of a part.
    var complete: Set<Int> = []
    private(set) var begun: Set<Int> = []
    var counters: [Int: AttemptCounter] = [:]
    var metrics: [Int: StoredMetrics] = [:]
    /// Called when the last attempt has ended; `nil`: attempts may begin.
    private var finishing: [@Sendable () -> Void]?

    init(
        filesFolder: String,
        partsFolder: String,
        queue: SerialQueue,
        conventions: FileConventions = FileConventions(),
        lowerPriority: @escaping @Sendable () -> Void = {}
    ) {
        self.filesFolder = filesFolder
        self.partsFolder = partsFolder
        self.queue = queue
        self.lowerPriority = lowerPriority
        self.conventions = conventions
    }

    deinit {
        for session in sessions.values { try? session.session.get().invalidateAndCancel() }
    }

    private var openSessions: [URLSession] {
        sessions.values.compactMap { try? $0.session.get() }
    }

    func report(_ input: BackgroundInput) {
        askServer { $0.report(input) }
    }

    /// Calls the server, on the shared queue; `nil` if the server is gone.
    @discardableResult
    func askServer<Value: Sendable>(_ question: (isolated BackgroundServer) -> Value) -> Value? {
        server?.assumeIsolated(question)
    }

    nonisolated func begin(for server: BackgroundServer) {
        let counters = server.assumeIsolated { $0.journaled.machine.state.counters }
        assumeIsolated { transfers in
            transfers.server = server
            transfers.lastEarlierTask = counters.isFresh == true ? 0 : counters.lastTask
        }
    }

    nonisolated func act(_ effect: BackgroundEffect) {
        assumeIsolated { $0.perform(effect) }
    }

    private func perform(_ effect: BackgroundEffect) {
        switch effect {
        case .start(let task): tryToBegin(task)
        case .stop(let task): end(task)
        case .handOverPart(let task): handOver(task)
        case .cancel(let task): discard(task)
        case .keepHead(let task, let response): files(of: task).keepHead(response)
        case .forget(let tasks):
            for task in tasks {
                forget(task)
                complete.remove(task)
                begun.remove(task)
                // The server's sweep does not see files beside a destination.
                if record(of: task)?.destination != nil { discard(task) }
            }
        case .configure(let settings): adopt(settings)
        case .place, .runCommand, .attached, .reply, .announce, .ask, .deliver: break
        }
    }

    nonisolated func decide(
        _ task: Int,
        about challenge: ChallengeRecord,
        _ disposition: URLSession.AuthChallengeDisposition,
        _ credential: URLCredential?
    ) {
        if credentials.take(task, challenge, disposition, credential) {
            assumeIsolated { $0.release(challenge, but: task) }
        }
    }

    func policy(of record: BackgroundTaskRecord) -> RetryPolicy {
        .background(tries: session(for: record).settings?.background.maximumTries)
    }

    func session(for record: BackgroundTaskRecord) -> TransferSession {
        let configuration = record.configuration ?? settings?.configuration
        if let known = sessions[configuration] { return known }
        let made = TransferSession(configuration)
        sessions[configuration] = made
        return made
    }

    func tryToBegin(_ task: BackgroundTaskRecord) {
        guard finishing == nil else { return }
        let number = task.identifier
        guard !isBusy(number) else {
            next[number] = task
            return
        }
        if task.kind == .download, mayHaveFiles(number), beginReading(number) {
            next[number] = task
        } else {
            carryOut(task)
        }
    }

    /// Whether an attempt of a task, or the reader of its part, may change the task's files.
    private func isBusy(_ task: Int) -> Bool { runs[task] != nil || readings.contains(task) }

    /// Reads a part outside this queue, if all its bytes must be read; returns whether that is so.
    private func beginReading(_ task: Int) -> Bool {
        let files = files(of: task)
        guard PartReclaiming.mustBeRead(files.part) else { return false }
        readings.insert(task)
        reading.async { [weak self] in
            _ = PartReclaiming.resumeData(of: files.part)
            self?.post { $0.endReading(task, files) }
        }
        return true
    }

    private func endReading(_ task: Int, _ files: TransferFiles) {
        readings.remove(task)
        if cancelled.remove(task) != nil { files.remove() }
        if handovers.remove(task) != nil { reportPart(task) }
        if let record = next.removeValue(forKey: task) { carryOut(record) }
        finishIfDone()
    }

    /// Whether an earlier attempt may have left files of a task.
    private func mayHaveFiles(_ task: Int) -> Bool {
        task <= lastEarlierTask || begun.contains(task)
    }

    private func carryOut(_ task: BackgroundTaskRecord) {
        guard finishing == nil else { return }
        do throws(URLError) {
            let mayHaveFiles = mayHaveFiles(task.identifier)
            begun.insert(task.identifier)
            complete.remove(task.identifier)
            try begin(task, mayHaveFiles: mayHaveFiles)
        } catch {
            report(.failed(task: task.identifier, StoredError(error), nil))
        }
    }

    private func end(_ task: Int) {
        next[task] = nil
        runs[task]?.stop()
    }

    func handOver(_ task: Int) {
        if isBusy(task) || !complete.contains(task) && beginReading(task) {
            handovers.insert(task)
        } else {
            reportPart(task)
        }
    }

    private func reportPart(_ task: Int) {
        let resumeData = record(of: task).flatMap(takePart)
        report(.partHandedOver(task: task, resumeData: resumeData))
    }

    private func discard(_ task: Int) {
        end(task)
        forget(task)
        if isBusy(task) { cancelled.insert(task) }
        // A reader keeps the part open, and this process may end before the reader.
        if runs[task] == nil { files(of: task).remove() }
    }

    /// Resumes the other tasks that are parked for the same challenge.
    private func release(_ challenge: ChallengeRecord, but task: Int) {
        let tasks = askServer { $0.journaled.machine.state.tasks } ?? [:]
        for (other, known) in tasks.sorted(by: { $0.key < $1.key }) where other != task {
            guard case .parked(let asked) = known.phase, asked.place == challenge.place else {
                continue
            }
            report(.challengeDecided(task: other))
        }
    }

    private func adopt(_ settings: BackgroundSettings) {
        let before = self.settings
        self.settings = settings
        if settings.isDiscretionary, before?.isDiscretionary != true { lowerPriority() }
        guard let before, before.configuration != settings.configuration else { return }
        // Running attempts keep their settings.
        for session in openSessions { session.finishTasksAndInvalidate() }
        sessions = [:]
    }

    /// Stops all attempts, and keeps their bytes; each call's handler is called when all have ended.
    nonisolated func finish(completionHandler: @escaping @Sendable () -> Void) {
        assumeIsolated { $0.stopAll(completionHandler) }
    }

    private func stopAll(_ completionHandler: @escaping @Sendable () -> Void) {
        finishing = (finishing ?? []) + [completionHandler]
        next = [:]
        for task in runs.keys.sorted() { end(task) }
        finishIfDone()
    }

    /// Writes the state of the ordinary sessions that outlives the process, such as cookies.
    nonisolated func flush() {
        assumeIsolated { transfers in
            for session in transfers.openSessions { _ = session.flushState() }
        }
    }

    func finishIfDone() {
        guard let finishing, runs.isEmpty, cancelled.isEmpty, handovers.isEmpty else { return }
        self.finishing = []
        for completionHandler in finishing { queue.async(completionHandler) }
    }

    private func record(of task: Int) -> BackgroundTaskRecord? {
        askServer { $0.record(of: task) } ?? nil
    }

    func files(of task: Int) -> TransferFiles {
        guard let record = record(of: task) else { return TransferFiles(filesFolder, task: task) }
        let token = settings?.token ?? ""
        return TransferFiles(filesFolder, record, token: token, conventions)
    }

    func forget(_ task: Int) {
        counters[task] = nil
        metrics[task] = nil
        credentials.forget(task)
    }
}
