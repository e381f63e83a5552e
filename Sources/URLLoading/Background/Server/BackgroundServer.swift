import Dispatch
import FoundationEssentials
import Glibc

/// A background session in its transfer process: takes what clients request and what transfers come
/// to, writes it down, and has done what follows from that.
///
/// What happens in one iteration of the queue is written down together.
actor BackgroundServer: QueueActor {
    nonisolated let queue: SerialQueue
    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    let folder: BackgroundFolder
    private let lock: BackgroundLock
    var journaled: JournaledState
    private var address: SocketAddress
    let environment: ServerEnvironment
    let transfers: any BackgroundTransfers
    let placing = FilePlacing()
    private let ended: @Sendable () -> Void

    private(set) var listener: BackgroundListener?
    var connections: [Int: ClientConnection] = [:]
    var lastConnection = 0
    /// The tasks as they were before what was written down last.
    private var before: NumberedTable<BackgroundTask> = [:]
    /// Whether other clients have changed what the attached client knows.
    var isOutdated = false
    /// What has happened and is not written down.
    private var pending: [BackgroundInput] = []
    private var isFlushing = false
    private(set) var hasEnded = false
    /// Until when it waits for a client though it has nothing to do.
    var idleDeadline: DispatchTime = .now()
    /// Which of the alarms is the last.
    private var alarm = 0
    /// When it rings.
    private var alarmTime: DispatchTime?
    /// Whether it looks at the conditions from time to time.
    var looksAtConditions = false
    /// How often it has.
    var looks = 0
    /// What a discretionary session waits for.
    var waits: [DiscretionaryConditions.Wait] = []
    /// The tasks that clients request, in order; of the first, files are being copied.
    var makeRequests: [MakeRequest] = []
    /// How far tasks are, as it was told last.
    var progress: [Int: BackgroundProgress] = [:]

    /// - Parameters:
    ///   - folder: the session's.
    ///   - lock: its lock, given up when all is over.
    ///   - journaled: its state, just opened.
    ///   - address: where clients connect.
    ///   - queue: its own, which what belongs to it shares.
    ///   - transfers: what carries tasks out.
    ///   - environment: the machine.
    ///   - ended: called on the queue when the process may end.
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

    /// Goes on from where the journal says the session is, and can be found from now on.
    ///
    /// Throws what keeps it from that; then nothing has been begun.
    func begin() throws(BackgroundError) {
        transfers.begin(for: self)
        try folder.makeFilesFolder()
        let effects: [BackgroundEffect]
        do throws(JournalError) {
            // Not a transfer is begun before that is known.
            let isDiscretionary = journaled.machine.state.settings?.isDiscretionary == true
            waits = isDiscretionary ? waitsNow(isRunning: false) : []
            effects = try journaled.begin(at: environment.now(), mayRun: waits.isEmpty)
        } catch {
            throw .journal(error)
        }
        try listen(at: address)
        watchSocket()
        sweep()
        idleDeadline = .now() + environment.timeout
        if let settings = journaled.machine.state.settings { transfers.configure(settings) }
        act(effects)
        // A crash may have come between the end of a task and the removal of what it had received.
        for (number, task) in journaled.machine.state.tasks
        where task.hasEnded && task.record.destination != nil {
            transfers.cancel(number)
        }
        endOrWait()
        post(after: environment.timeout) { $0.endOrWait() }
    }

    /// Listens at an address, which the lock's file names from then on.
    private func listen(at address: SocketAddress) throws(BackgroundError) {
        let listener = try BackgroundListener(address, queue: queue) { [weak self] socket in
            self?.assumeIsolated { $0.take(socket) }
        }
        do throws(PrivateFileError) {
            let version = BackgroundHandshake.version
            try lock.describe(
                LockHolder(process: getpid(), socket: address.path, version: version)
            )
        } catch {
            listener.close()
            throw .file(error)
        }
        self.address = address
        self.listener = listener
    }

    /// Binds the socket anew where its name is gone.
    ///
    /// Programs that clear folders for temporary files remove it, and a logout the whole folder.
    /// Where that is gone the session's own folder has it.
    private func watchSocket() {
        post(after: environment.socketInterval) { server in
            guard !server.hasEnded else { return }
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

    /// Writes why it could not begin into the lock's file, for the client that has started it.
    func fail(_ error: BackgroundError) {
        lock.describe(failure: error)
    }

    /// What a task is to do, also where it has just been told the end of.
    func record(of task: Int) -> BackgroundTaskRecord? {
        (journaled.machine.state.tasks[task] ?? before[task])?.record
    }

    /// Takes what has happened; it is written down at the end of this iteration of the queue.
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
            // A server that is gone has lost the lock, and writes nothing any more.
            return queue.async { [weak self] in self?.assumeIsolated(flush) }
        }
        post(after: seconds, flush)
    }

    private func flush() {
        while !pending.isEmpty, !hasEnded {
            let beginsWork = pending[0].beginsWork
            before = journaled.machine.state.tasks
            let batch = Array(pending.prefix { $0.beginsWork == beginsWork })
            do throws(JournalError) {
                let effects = try journaled.take(batch, in: folder, at: environment.now())
                pending.removeFirst(batch.count)
                act(effects)
                announceIfOutdated()
            } catch {
                refuse(batch, error)
                // Nothing is announced that may be lost: the rest is offered again.
                let rest = batch.filter { !$0.isRefusable }
                pending.replaceSubrange(..<batch.count, with: rest)
                if !rest.isEmpty { return flushSoon(after: environment.retryInterval) }
            }
        }
        endOrWait()
    }

    private func refuse(_ batch: [BackgroundInput], _ error: JournalError) {
        let reason = StoredError(BackgroundError.journal(error).urlError)
        for input in batch {
            switch input {
            case .request(.make(let tasks, _), let connection):
                connections[connection]?.send(
                    .refused(
                        tasks: tasks.map(\.identifier),
                        code: reason.code,
                        detail: reason.detail
                    )
                )
                makingEnded(of: connection)
            case .request(.acknowledge, _): break
            case .request(_, let connection): connections[connection]?.send(.done(error: reason))
            case .attach(let client):
                connections[client.connection]?.send(.done(error: reason))
                connections.removeValue(forKey: client.connection)?.connection.close()
            default: break
            }
        }
    }

    /// Ends it where nothing is left to do; else waits for what comes next.
    private func endOrWait() {
        guard !hasEnded, pending.isEmpty else { return }
        if journaled.machine.state.settings?.isDiscretionary == true, !looksAtConditions {
            lookAtConditions()
        }
        if journaled.machine.isIdle, connections.isEmpty, makeRequests.isEmpty,
            DispatchTime.now() >= idleDeadline
        {
            return end()
        }
        guard let wake = journaled.machine.wake else { return }
        // The clock of the wall may be set: it is looked at again after an hour at the latest.
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

    /// Ends it, also while clients are connected.
    ///
    /// They begin at the lock again, which is free when this is released.
    func end() {
        guard !hasEnded else { return }
        hasEnded = true
        listener?.close()
        for client in connections.values { client.connection.close() }
        connections = [:]
        if pending.isEmpty, journaled.machine.state.isSpent, journaled.machine.isIdle {
            folder.remove()
        }
        ended()
    }
}

/// What a ``BackgroundServer`` needs of the machine: for tests to put something else in its place.
struct ServerEnvironment: Sendable {
    /// Microseconds since 1970.
    var now: @Sendable () -> Int64 = { WallClock.now }
    /// How long a process that has nothing to do waits for the client that has started it, seconds.
    var timeout: Double = 5
    /// How long it waits before it writes down again what the disk had no room for, seconds.
    var retryInterval: Double = 1
    /// How often it looks whether its socket can be found, seconds.
    var socketInterval: Double = 2
    /// How often a discretionary session looks whether the time is good, seconds.
    var conditionsInterval: Double = 30
    /// What there is to wait for.
    var waits: @Sendable (_ isRunning: Bool) -> [DiscretionaryConditions.Wait] = {
        DiscretionaryConditions().waits(isRunning: $0)
    }
    /// Runs a session's command, and says with what it has ended, as waitpid(2) does; `nil` where it
    /// could not be begun.
    var runCommand: @Sendable (BackgroundCommand, @escaping @Sendable (Int32?) -> Void) -> Void = {
        $0.run(completionHandler: $1)
    }
}
