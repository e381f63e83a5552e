import FoundationEssentials
import Glibc
import SystemPackage

// Effects.
extension BackgroundServer {
    func act(_ effects: [BackgroundEffect]) {
        var moves: [(task: Int, placement: BackgroundPlacement)] = []
        for effect in effects {
            if case .place(let task, let placement) = effect {
                moves.append((task, placement))
            } else {
                act(effect)
            }
        }
        guard !moves.isEmpty else { return }
        placing.place(moves) { [weak self] inputs in
            self?.post { server in
                for input in inputs { server.report(input) }
            }
        }
    }

    private func act(_ effect: BackgroundEffect) {
        switch effect {
        case .start, .stop, .handOverPart, .cancel: transfers.act(effect)
        case .keepHead(let task, _):
            progress[task] = nil
            transfers.act(effect)
        // The moves of a step are carried out together.
        case .place: break
        case .forget(let tasks):
            for task in tasks { progress[task] = nil }
            transfers.act(effect)
            sweep()
        case .runCommand(let run, let reason): runCommand(run, reason)
        case .configure:
            transfers.act(effect)
            if checksConditions { checkConditions() }
        case .attached(let connection):
            if let client = connections[connection] { list(for: client) }
        case .reply(let connection, let reply): send(reply, to: connection)
        case .announce(let tasks): announce(tasks)
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

    func send(_ reply: BackgroundReply, to connection: Int) {
        connections[connection]?.send(reply)
        switch reply {
        case .inUse: disconnect(connection)
        case .made, .refused: makingEnded(of: connection)
        case .done(nil): if attached?.number != connection { isOutdated = true }
        default: break
        }
    }

    var attached: ClientConnection? {
        journaled.machine.attachment.flatMap { connections[$0.connection] }
    }

    /// Sends events while the outbox has room; the others stay in the journal.
    func deliver() {
        guard let attached, attached.isReady, !attached.isSending else { return }
        attached.isSending = true
        while !attached.connection.isFull, let next = journaled.nextDelivery() {
            attached.send(.event(delivery: next))
        }
        attached.isSending = false
    }

    func sendProgress(_ progress: BackgroundProgress) {
        guard journaled.machine.running.contains(progress.task) else { return }
        self.progress[progress.task] = progress
        attached?.send(.progress(progress: progress))
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

    /// The conditions for which a session waits; tasks whose server is this machine need no network.
    func waitsNow(isRunning: Bool) -> [DiscretionaryConditions.Wait] {
        let waits = environment.waits(isRunning)
        guard waits.contains(.network) else { return waits }
        let live = journaled.machine.state.tasks.values.filter(\.isLive)
        let isLocal = live.allSatisfy { IPAddress.isLoopback(url: $0.record.request.url) }
        return isLocal && !live.isEmpty ? waits.filter { $0 != .network } : waits
    }

    /// Checks the conditions of a discretionary session, now and at intervals.
    func checkConditions() {
        guard !hasEnded, journaled.machine.state.settings?.isDiscretionary == true else {
            waits = []
            checksConditions = false
            if !journaled.machine.mayRun { report(.mayRun(true)) }
            return
        }
        checksConditions = true
        waits = waitsNow(isRunning: !journaled.machine.running.isEmpty)
        if waits.isEmpty != journaled.machine.mayRun { report(.mayRun(waits.isEmpty)) }
        conditionChecks += 1
        post(after: environment.conditionsInterval) { [conditionChecks] server in
            // A later check has its own next one.
            if server.conditionChecks == conditionChecks { server.checkConditions() }
        }
    }
}

/// The command that is run when all tasks are done, or a credential is needed.
struct BackgroundCommand: Hashable, Sendable {
    /// The text for `sh -c`.
    var text: String
    /// The working folder; `/` if it is gone.
    var folder: String?
    var identifier: String
    var reason: BackgroundCommandReason
    /// The umask(2); `nil`: 077.
    var mask: UInt32?
    /// The file to which the output is appended; `nil`: none.
    var log: String?

    /// Variables in addition to this process's environment.
    var variables: [String: String] {
        var own = ["FETCH_BACKGROUND_ID": identifier, "FETCH_BACKGROUND_OUTCOME": reason.outcome]
        if case .allDone(let counts) = reason {
            own["FETCH_BACKGROUND_SUCCEEDED"] = "\(counts.succeeded)"
            own["FETCH_BACKGROUND_FAILED"] = "\(counts.failed)"
        }
        return own
    }

    /// Runs the command, on a thread of its own; the status is `nil` if it could not be started.
    ///
    /// The command has a process group of its own, and no descriptor of this process: processes that it
    /// leaves running must not have the session's lock.
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

    /// The longest log, bytes; a longer one is emptied, also while the command runs.
    static let logLimit: off_t = 1 << 20
    /// The interval between checks of the log's length while the command runs.
    private static let logInterval: Duration = .milliseconds(200)

    /// Empties a log that is too long; the command appends, so its output goes to the new end.
    static func bound(_ log: FileDescriptor) {
        guard let size = FileStatus(descriptor: log.rawValue)?.size, size > logLimit else { return }
        try? log.resize(to: 0)
    }

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
        // posix_spawn(3) has no way to set a folder that all supported systems have.
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

/// Carries out the tasks of a ``BackgroundServer``; calls and reports are on the server's queue.
///
/// For each started task, it calls ``BackgroundServer/report(_:)`` once with `received`, `sent`, `failed`,
/// `blocked`, `retry` or `challenged`. The server ignores a report for a task that was stopped or cancelled
/// meanwhile.
protocol BackgroundTransfers: AnyObject, Sendable {
    /// Sets the server that gets the reports, before the first task.
    func begin(for server: BackgroundServer)
    /// Performs an effect that concerns transfers.
    ///
    /// A task that is stopped may be started again before its transfer has ended. A part is handed over once
    /// the task's transfer has ended: the report is `partHandedOver`.
    func act(_ effect: BackgroundEffect)
    /// Takes the delegate's disposition of a parked task's challenge, for the task's next start.
    func decide(
        _ task: Int,
        about challenge: ChallengeRecord,
        _ disposition: URLSession.AuthChallengeDisposition,
        _ credential: URLCredential?
    )
}
