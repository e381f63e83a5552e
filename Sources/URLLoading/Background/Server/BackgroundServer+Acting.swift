import FoundationEssentials
import Glibc
import SystemPackage

// What is to be done.
extension BackgroundServer {
    func act(_ effects: [BackgroundEffect]) {
        var moves: [FilePlacing.Move] = []
        for effect in effects {
            guard case .place(let task, let placement) = effect else {
                act(effect)
                continue
            }
            let name = placement.name ?? record(of: task)?.destination ?? placement.target
            moves.append(FilePlacing.Move(task: task, placement: placement, name: name))
        }
        place(moves)
    }

    private func act(_ effect: BackgroundEffect) {
        switch effect {
        case .start(let task): transfers.start(task)
        case .stop(let task): transfers.stop(task)
        case .handOverPart(let task): transfers.handOverPart(task)
        case .cancel(let task): transfers.cancel(task)
        case .keepHead(let task, let response): transfers.keepHead(task, response)
        // Those of a batch are carried out together.
        case .place: break
        case .forget(let tasks):
            for task in tasks {
                progress[task] = nil
                // The sweep does not come to what is beside another file.
                if record(of: task)?.destination != nil { transfers.cancel(task) }
            }
            sweep()
        case .runCommand(let run, let reason): runCommand(run, reason)
        case .configure(let settings):
            transfers.configure(settings)
            if looksAtConditions { lookAtConditions() }
        case .attached(let connection):
            if let client = connections[connection] { list(for: client) }
        case .inUse(let connection, let process):
            connections[connection]?.send(.inUse(process: process))
            disconnect(connection)
        case .made(let connection, let tasks):
            connections[connection]?.send(.made(tasks: tasks))
            makingEnded(of: connection)
        case .refused(let connection, let tasks, let reason):
            let code = URLError.Code.resourceUnavailable.rawValue
            connections[connection]?.send(.refused(tasks: tasks, code: code, detail: reason))
            makingEnded(of: connection)
        case .announce(let tasks): announce(tasks)
        case .done(let connection):
            connections[connection]?.send(.done(error: nil))
            if attached?.number != connection { isOutdated = true }
        case .ask(let task, let challenge):
            let question = BackgroundReply.challenge(task: task, challenge: challenge)
            guard let attached, attached.isReady else {
                attached?.challenges.append(question)
                break
            }
            attached.send(question)
        case .deliver: deliver()
        }
    }

    /// The client that is attached.
    var attached: ClientConnection? {
        journaled.machine.attachment.flatMap { connections[$0.connection] }
    }

    /// Sends events, as far as there is room; the others stay in the journal.
    func deliver() {
        guard let attached, attached.isReady, !attached.isSending else { return }
        attached.isSending = true
        while !attached.connection.isFull, let next = journaled.nextDelivery() {
            attached.send(.event(delivery: next))
        }
        attached.isSending = false
    }

    /// Tells the attached client how far a task is.
    func sendProgress(_ progress: BackgroundProgress) {
        guard journaled.machine.running.contains(progress.task) else { return }
        self.progress[progress.task] = progress
        attached?.send(.progress(progress: progress))
    }

    /// Tells the attached client what a task waits for.
    func sendWaiting(_ task: Int, for reason: String) {
        attached?.send(.waiting(task: task, reason: reason))
    }

    /// Moves bodies that are whole to where they belong, those of one batch together.
    private func place(_ moves: [FilePlacing.Move]) {
        guard !moves.isEmpty else { return }
        placing.place(moves) { [weak self] inputs in
            self?.post { server in
                for input in inputs { server.report(input) }
            }
        }
    }

    private func runCommand(_ run: Int, _ reason: BackgroundCommandReason) {
        guard let settings = journaled.machine.state.settings, let text = settings.command else {
            return report(.commandEnded(run: run, status: nil))
        }
        let command = BackgroundCommand(
            text: text,
            folder: settings.commandFolder,
            identifier: settings.identifier,
            reason: reason,
            mask: settings.commandMask,
            log: folder.makeCommandLog()
        )
        environment.runCommand(command) { [weak self] status in
            self?.post { $0.report(.commandEnded(run: run, status: status)) }
        }
    }

    /// What a discretionary session has to wait for.
    ///
    /// No network is needed by tasks that ask this machine itself.
    func waitsNow(isRunning: Bool) -> [DiscretionaryConditions.Wait] {
        let waits = environment.waits(isRunning)
        guard waits.contains(.network) else { return waits }
        let live = journaled.machine.state.tasks.values.filter(\.isLive)
        let isLocal = live.allSatisfy { IPAddress.isLoopback(url: $0.record.request.url) }
        return isLocal && !live.isEmpty ? waits.filter { $0 != .network } : waits
    }

    /// Looks whether the time is good, where that matters, and again later.
    func lookAtConditions() {
        guard !hasEnded, journaled.machine.state.settings?.isDiscretionary == true else {
            waits = []
            looksAtConditions = false
            if !journaled.machine.mayRun { report(.mayRun(true)) }
            return
        }
        looksAtConditions = true
        waits = waitsNow(isRunning: !journaled.machine.running.isEmpty)
        if waits.isEmpty != journaled.machine.mayRun { report(.mayRun(waits.isEmpty)) }
        looks += 1
        post(after: environment.conditionsInterval) { [looks] server in
            // Another look that came meanwhile has its own next one.
            if server.looks == looks { server.lookAtConditions() }
        }
    }
}

/// The command that is run when all is done, or a credential is needed.
struct BackgroundCommand: Hashable, Sendable {
    /// For `sh -c`.
    var text: String
    /// The folder it is run in; `/` where that is gone.
    var folder: String?
    /// Its umask(2); nil: this process's.
    var mask: UInt32?
    /// The file that its output is added to; nil: none.
    var log: String?
    /// What it finds in its environment, besides this process's.
    var variables: [String: String]

    init(
        text: String,
        folder: String?,
        identifier: String,
        reason: BackgroundCommandReason,
        mask: UInt32? = nil,
        log: String? = nil
    ) {
        self.log = log
        self.text = text
        self.mask = mask
        self.folder = folder
        variables = [
            "FETCH_BACKGROUND_ID": identifier,
            "FETCH_BACKGROUND_OUTCOME": reason.outcome,
        ]
        guard case .allDone(let counts) = reason else { return }
        variables["FETCH_BACKGROUND_SUCCEEDED"] = "\(counts.succeeded)"
        variables["FETCH_BACKGROUND_FAILED"] = "\(counts.failed)"
    }

    /// Runs it, on a thread of its own.
    ///
    /// In a process group of its own, and with no descriptor of ours: what it leaves running must
    /// not have the session's lock.
    ///
    /// - Parameter completionHandler: takes what waitpid(2) says; `nil` where it was not begun.
    func run(completionHandler: @escaping @Sendable (Int32?) -> Void) {
        SerialQueue("BackgroundCommand").async {
            let output = log.flatMap(Self.open)
            let ended = BlockingWait<Void>()
            if let output {
                SerialQueue("BackgroundCommand.log").async {
                    while ended.wait(atMost: Self.logInterval) == nil { Self.bound(output) }
                    try? output.close()
                }
            }
            let status = (try? process(output).start()).flatMap(Children.wait)
            ended.end(())
            completionHandler(status)
        }
    }

    /// The longest log that is added to, bytes: a longer one is begun anew, also while the command
    /// runs.
    static let logLimit: off_t = 1 << 20
    /// How often its length is looked at while the command runs.
    private static let logInterval: Duration = .milliseconds(200)

    /// Begins a log anew that is too long: what is written to it goes behind its end, wherever that
    /// is.
    static func bound(_ log: FileDescriptor) {
        guard let size = FileStatus(descriptor: log.rawValue)?.size, size > logLimit else { return }
        try? log.resize(to: 0)
    }

    /// Opens a log, for its owner alone.
    private static func open(_ path: String) -> FileDescriptor? {
        guard
            let file = try? FileDescriptor.open(
                path,
                .writeOnly,
                options: [.create, .append, .noFollow, .closeOnExec],
                permissions: .ownerReadWrite
            )
        else { return nil }
        bound(file)
        return file
    }

    private func process(_ output: FileDescriptor?) -> ProcessStart {
        let output = output.map { ProcessStart.Descriptor.duplicate($0) } ?? .null
        // posix_spawn(3) has no way to name a folder that all of our systems know.
        let script = #"cd -- "$1" 2>/dev/null || cd /; umask "$2"; eval "$3""#
        let mask = "0" + String(mask ?? 0o077, radix: 8)
        var process = ProcessStart(
            "/bin/sh",
            ["sh", "-c", script, "sh", folder ?? "/", mask, text],
            descriptors: [.null, output, output],
            group: .own
        )
        process.variables = variables
        return process
    }
}

/// What carries tasks out for a ``BackgroundServer``: called, and reporting, on the server's queue.
///
/// It reports by ``BackgroundServer/report(_:)`` what comes of a task that was started, once:
/// `received`, `sent`, `failed`, `retry` or `challenged`. What it reports of one that was stopped or
/// cancelled meanwhile counts for nothing.
protocol BackgroundTransfers: AnyObject, Sendable {
    /// Takes the server that is told what comes of tasks, before the first of them.
    func begin(for server: BackgroundServer)
    /// Carries a task out, from what it has received already.
    func start(_ task: BackgroundTaskRecord)
    /// Ends a transfer, and keeps what has come; it may be started again before that is done.
    func stop(_ task: Int)
    /// Hands over what has come of a task that is not carried out any more, when it is at rest: reports
    /// `partHandedOver`.
    func handOverPart(_ task: Int)
    /// Ends a transfer, and keeps nothing.
    func cancel(_ task: Int)
    /// Keeps the head of a response with its body, which is whole and cannot be moved.
    func keepHead(_ task: Int, _ response: StoredResponse?)
    /// Takes what a task that needs a credential is to do, for when it is started next.
    ///
    /// - Parameters:
    ///   - task: the task, which is parked.
    ///   - challenge: what it is parked for, which is what the program was asked about.
    ///   - disposition: what the delegate has said, as Foundation numbers it.
    ///   - user: with `useCredential`.
    ///   - password: with `useCredential`.
    ///   - identity: with `useCredential`, the files of a client certificate.
    func decide(
        _ task: Int,
        about challenge: ChallengeRecord,
        disposition: Int,
        user: String?,
        password: String?,
        identity: URLSessionConfiguration.ClientCertificate?
    )
    /// Takes how tasks are to be carried out that are started from now on.
    func configure(_ settings: BackgroundSettings)
}
