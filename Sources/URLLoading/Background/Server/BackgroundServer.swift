import Dispatch
import FoundationEssentials
import Glibc

/// A background session in its transfer process. It passes requests of clients and results of transfers to
/// the state machine, stores the records, and performs the effects.
///
/// The inputs of one iteration of the queue become one batch in the journal.
actor BackgroundServer: QueueActor {
    /// The queue of this server, its connections and its transfers.
    nonisolated let queue: SerialQueue
    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    let folder: BackgroundFolder
    let lock: BackgroundLock
    var journaled: JournaledState
    private var address: SocketAddress
    let environment: ServerEnvironment
    let transfers: any BackgroundTransfers
    let placing = FilePlacing()
    /// Called on the queue when the process may end.
    private let ended: @Sendable () -> Void

    private(set) var listener: BackgroundListener?
    var connections: [Int: ClientConnection] = [:]
    var lastConnection = 0
    /// The tasks before the last step.
    private var before: NumberedTable<BackgroundTask> = [:]
    /// Whether another client has changed tasks that the attached client has.
    var isOutdated = false
    /// Inputs that are not stored yet.
    private var pending: [BackgroundInput] = []
    private var isFlushing = false
    /// The error for which inputs are offered to the journal again; `nil` if the last step was stored.
    private(set) var journalError: BackgroundError?
    private(set) var hasEnded = false
    /// The time until which the server waits for a client without having work.
    var idleDeadline: DispatchTime = .now()
    /// The number of the last alarm; earlier alarms have no effect.
    private var alarm = 0
    private var alarmTime: DispatchTime?
    var checksConditions = false
    var conditionChecks = 0
    /// The conditions for which a discretionary session waits.
    var waits: [DiscretionaryConditions.Wait] = []
    /// Requests to make tasks, in order; the files of the first are being copied.
    var makeRequests: [MakeRequest] = []
    var progress: [Int: BackgroundProgress] = [:]

    init(
        _ folder: consuming BackgroundFolder,
        _ lock: consuming BackgroundLock,
        _ journaled: consuming JournaledState,
        at address: SocketAddress,
        queue: SerialQueue,
        transfers: any BackgroundTransfers,
        environment: ServerEnvironment = ServerEnvironment(),
        ended: @escaping @Sendable () -> Void
    ) {
        self.folder = folder
        self.lock = lock
        self.journaled = journaled
        self.address = address
        self.queue = queue
        self.transfers = transfers
        self.environment = environment
        self.ended = ended
    }

    /// Continues the session from its journal, and listens for clients; on an error, no transfer has begun.
    func begin() throws(BackgroundError) {
        transfers.begin(for: self)
        try folder.makeFilesFolder()
        // The conditions must be known before the first transfer begins.
        let isDiscretionary = journaled.machine.state.settings?.isDiscretionary == true
        waits = isDiscretionary ? waitsNow(isRunning: false) : []
        let now = environment.now()
        let effects = try journaled.begin(in: folder, at: now, mayRun: waits.isEmpty)
        do throws(BackgroundError) {
            try listen(at: address)
        } catch {
            // The runtime folder may be another user's, or full.
            let inside = SocketAddress(inside: folder.path)
            guard address.path != inside.path else { throw error }
            try listen(at: inside)
        }
        watchSocket()
        sweep()
        idleDeadline = .now() + environment.timeout
        if let settings = journaled.machine.state.settings { transfers.act(.configure(settings)) }
        act(effects)
        // After a crash, files of ended tasks may be left beside their destinations.
        for (number, task) in journaled.machine.state.tasks
        where task.hasEnded && task.record.destination != nil {
            transfers.act(.cancel(task: number))
        }
        endOrWait()
        post(after: environment.timeout) { $0.endOrWait() }
    }

    /// Listens at an address, and writes the address into the lock's file.
    private func listen(at address: SocketAddress) throws(BackgroundError) {
        let listener = try BackgroundListener(address, queue: queue) { [weak self] socket in
            self?.assumeIsolated { $0.take(socket) }
        }
        do throws(PrivateFileError) {
            let version = BackgroundHandshake.version
            try lock.describe(LockHolder(process: getpid(), socket: address.path, version: version))
        } catch {
            listener.close()
            throw .file(error)
        }
        self.address = address
        self.listener = listener
    }

    /// Checks the socket's name at intervals, and binds the socket again if the name is gone.
    ///
    /// Programs that clean temporary folders remove the socket, and a logout removes the whole folder.
    /// Without that folder, the socket is in the session's own folder. If the lock is gone too, programs no
    /// longer find this process, and it ends: received bytes stay where they are.
    private func watchSocket() {
        post(after: environment.socketInterval) { server in
            guard !server.hasEnded else { return }
            guard server.isFound else { return server.end() }
            if server.listener?.isBound != true {
                server.listener?.close()
                for address in [server.address, SocketAddress(inside: server.folder.path)]
                where (try? server.listen(at: address)) != nil {
                    break
                }
            }
            server.watchSocket()
        }
    }

    /// The record of a task, even if the last step has removed the task.
    func record(of task: Int) -> BackgroundTaskRecord? {
        (journaled.machine.state.tasks[task] ?? before[task])?.record
    }

    /// Takes an input, which is stored at the end of this iteration of the queue.
    func report(_ input: BackgroundInput) {
        guard !hasEnded else { return }
        pending.append(input)
        flushSoon(after: nil)
    }

    private func flushSoon(after seconds: Double?) {
        guard !isFlushing else { return }
        isFlushing = true
        let flush: @Sendable (isolated BackgroundServer) -> Void = { server in
            server.isFlushing = false
            server.flush()
        }
        guard let seconds else {
            // A released server has lost the lock, and must not write.
            return queue.async { [weak self] in self?.assumeIsolated(flush) }
        }
        post(after: seconds, flush)
    }

    private func flush() {
        while !pending.isEmpty, !hasEnded {
            let beginsWork = pending[0].beginsWork
            before = journaled.machine.state.tasks
            let batch = Array(pending.prefix { $0.beginsWork == beginsWork })
            do throws(BackgroundError) {
                let effects = try journaled.take(batch, in: folder, at: environment.now())
                pending.removeFirst(batch.count)
                journalError = nil
                act(effects)
                announceIfOutdated()
            } catch {
                let reason = StoredError(error.urlError)
                // Inputs that cannot be refused are offered again; nothing was sent for them.
                let rest = batch.filter { !refuse($0, reason) }
                pending.replaceSubrange(..<batch.count, with: rest)
                guard !rest.isEmpty else { continue }
                journalError = error
                return flushSoon(after: environment.retryInterval)
            }
        }
        endOrWait()
    }

    /// Sends the error to the client of an input; returns `false` if the input cannot be refused.
    private func refuse(_ input: BackgroundInput, _ reason: StoredError) -> Bool {
        switch input {
        case .request(.acknowledge, _): return false
        case .request(.make(let tasks, _), let connection):
            let tasks = tasks.map(\.identifier)
            send(.refused(tasks: tasks, code: reason.code, detail: reason.detail), to: connection)
        case .request(_, let connection): send(.done(error: reason), to: connection)
        case .attach(let client):
            send(.done(error: reason), to: client.connection)
            connections.removeValue(forKey: client.connection)?.connection.close()
        default: return false
        }
        return true
    }

    /// Ends the server if it has no work and no client; otherwise sets the alarm.
    private func endOrWait() {
        guard !hasEnded, pending.isEmpty else { return }
        if journaled.machine.state.settings?.isDiscretionary == true, !checksConditions {
            checkConditions()
        }
        if journaled.machine.isIdle, connections.isEmpty, makeRequests.isEmpty,
            DispatchTime.now() >= idleDeadline
        {
            return end()
        }
        guard let wake = journaled.machine.wake else { return }
        // The wall clock may be set meanwhile, so the wait is at most an hour.
        let delay = min(max(0.01, (Double(wake) - Double(environment.now())) / 1e6), 3_600)
        let time = DispatchTime.now() + delay
        if let alarmTime, alarmTime <= time { return }
        alarm += 1
        alarmTime = time
        post(after: delay) { [alarm] server in
            guard server.alarm == alarm else { return }
            server.alarmTime = nil
            server.report(.tick)
        }
    }

    /// Ends the server, also while clients are connected; they begin at the lock again, which is soon free.
    func end() {
        guard !hasEnded else { return }
        hasEnded = true
        listener?.close()
        for client in connections.values { client.connection.close() }
        connections = [:]
        if pending.isEmpty, journaled.machine.state.isSpent, journaled.machine.isIdle, isFound {
            folder.remove()
        }
        ended()
    }

    /// Whether programs find this process; if not, the session's path may have another session by now.
    private var isFound: Bool { lock.isFound(in: folder.folder) }
}

/// The clock, intervals and conditions of a ``BackgroundServer``; tests replace them.
struct ServerEnvironment: Sendable {
    /// Microseconds since 1970.
    var now: @Sendable () -> Int64 = { WallClock.now }
    /// The time for which a process without work waits for the client that has started it, seconds.
    var timeout: Double = 5
    /// The pause before records are written again after the disk was full, seconds.
    var retryInterval: Double = 1
    /// The interval between checks of the socket's name, seconds.
    var socketInterval: Double = 2
    /// The interval between checks of a discretionary session's conditions, seconds.
    var conditionsInterval: Double = 30
    var waits: @Sendable (_ isRunning: Bool) -> [DiscretionaryConditions.Wait] = {
        DiscretionaryConditions().waits(isRunning: $0)
    }
    /// Runs a session's command, and passes on its status from waitpid(2); `nil` if the command could not
    /// be started.
    var runCommand: @Sendable (BackgroundCommand, @escaping @Sendable (Int32?) -> Void) -> Void = {
        $0.run(completionHandler: $1)
    }
}
