import Dispatch
import FoundationEssentials
import Glibc

/// A background session in its transfer process: takes what visitors want and what transfers come
/// to, writes it down, and has done what follows from that.
///
/// What happens in one turn of the queue is written down together.
actor BackgroundHost: QueueActor {
    nonisolated let queue: SerialQueue
    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    let folder: BackgroundFolder
    private let lock: BackgroundLock
    var book: BackgroundBook
    private let address: SocketAddress
    let surroundings: BackgroundSurroundings
    let transfers: any BackgroundTransfers
    private let ended: @Sendable () -> Void

    private(set) var listener: BackgroundListener?
    var visitors: [Int: BackgroundGuest] = [:]
    var lastConnection = 0
    /// The tasks as they were before what was written down last.
    private var before: [Int: BackgroundTask] = [:]
    /// Whether somebody else's orders have changed what whoever is attached knows.
    var isStale = false
    /// What has happened and is not written down.
    private var pending: [BackgroundInput] = []
    private var isFlushing = false
    private(set) var hasEnded = false
    /// Until when it waits for somebody though it has nothing to do.
    var patience: DispatchTime = .now()
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
    /// What visitors want made, in the order in which they want it; of the first, files are being
    /// copied.
    var makings: [Making] = []
    /// How far tasks are, as it was told last.
    var progress: [Int: BackgroundProgress] = [:]

    /// - Parameters:
    ///   - folder: the session's.
    ///   - lock: its lock, given up when all is over.
    ///   - book: its book, just opened.
    ///   - address: where it is to be found.
    ///   - queue: its own, which what belongs to it shares.
    ///   - transfers: what carries tasks out.
    ///   - surroundings: the machine.
    ///   - ended: called on the queue when the process may end.
    init(
        _ folder: consuming BackgroundFolder,
        _ lock: consuming BackgroundLock,
        _ book: consuming BackgroundBook,
        at address: SocketAddress,
        queue: SerialQueue,
        transfers: any BackgroundTransfers,
        surroundings: BackgroundSurroundings = BackgroundSurroundings(),
        ended: @escaping @Sendable () -> Void
    ) {
        self.folder = folder
        self.lock = lock
        self.book = book
        self.address = address
        self.queue = queue
        self.transfers = transfers
        self.surroundings = surroundings
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
            let isDiscretionary = book.ledger.state.settings?.isDiscretionary == true
            waits = isDiscretionary ? surroundings.waits(false) : []
            effects = try book.begin(at: surroundings.now(), mayRun: waits.isEmpty)
        } catch {
            throw .journal(error)
        }
        listener = try BackgroundListener(address, queue: queue) { [weak self] socket in
            self?.assumeIsolated { $0.take(socket) }
        }
        do throws(PrivateFileError) {
            let version = BackgroundHello.version
            try lock.describe(
                LockHolder(process: getpid(), socket: address.path, version: version)
            )
        } catch {
            listener?.close()
            throw .file(error)
        }
        sweep()
        patience = .now() + surroundings.patience
        if let settings = book.ledger.state.settings { transfers.configure(settings) }
        act(effects)
        // A crash may have come between the end of a task and the removal of what it had received.
        for (number, task) in book.ledger.state.tasks
        where task.hasEnded && task.record.destination != nil {
            transfers.cancel(number)
        }
        settle()
        post(after: surroundings.patience) { $0.settle() }
    }

    /// Says why it could not begin, to whoever comes to the session's lock.
    func fail(_ error: BackgroundError) {
        lock.describe(failure: error)
    }

    /// What a task is to do, also where it has just been told the end of.
    func record(of task: Int) -> BackgroundTaskRecord? {
        (book.ledger.state.tasks[task] ?? before[task])?.record
    }

    /// Takes what has happened; it is written down at the end of this turn of the queue.
    func report(_ input: BackgroundInput) {
        guard !hasEnded else { return }
        pending.append(input)
        flushSoon(after: nil)
    }

    private func flushSoon(after seconds: Double?) {
        guard !isFlushing else { return }
        isFlushing = true
        let flush: @Sendable (isolated BackgroundHost) -> Void = { host in
            host.isFlushing = false
            host.flush()
        }
        guard let seconds else { return post(flush) }
        post(after: seconds, flush)
    }

    private func flush() {
        while !pending.isEmpty, !hasEnded {
            let beginsWork = pending[0].beginsWork
            before = book.ledger.state.tasks
            let batch = Array(pending.prefix { $0.beginsWork == beginsWork })
            do throws(JournalError) {
                let effects = try book.take(batch, in: folder, at: surroundings.now())
                pending.removeFirst(batch.count)
                act(effects)
                announceIfStale()
            } catch {
                refuse(batch, error)
                // Nothing is announced that may be lost: the rest is offered again.
                let rest = batch.filter { !$0.isOrder }
                pending.replaceSubrange(..<batch.count, with: rest)
                if !rest.isEmpty { return flushSoon(after: surroundings.retryInterval) }
            }
        }
        settle()
    }

    private func refuse(_ batch: [BackgroundInput], _ error: JournalError) {
        let reason = StoredError(BackgroundError.journal(error).urlError)
        for input in batch {
            switch input {
            case .make(let tasks, let connection):
                visitors[connection]?.send(
                    .refused(
                        tasks: tasks.map(\.identifier),
                        code: reason.code,
                        detail: reason.detail
                    )
                )
                settleMaking(of: connection)
            case .confirm(let connection): visitors[connection]?.send(.done(error: reason))
            case .attach(let visitor):
                visitors[visitor.connection]?.send(.done(error: reason))
                visitors.removeValue(forKey: visitor.connection)?.connection.close()
            default: break
            }
        }
    }

    /// Ends it where nothing is left to do; else waits for what comes next.
    private func settle() {
        guard !hasEnded, pending.isEmpty else { return }
        if book.ledger.state.settings?.isDiscretionary == true, !looksAtConditions {
            lookAtConditions()
        }
        if book.ledger.isIdle, visitors.isEmpty, makings.isEmpty, DispatchTime.now() >= patience {
            return end()
        }
        guard let wake = book.ledger.wake else { return }
        // The clock of the wall may be set: it is looked at again after an hour at the latest.
        let delay = min(max(0.01, (Double(wake) - Double(surroundings.now())) / 1e6), 3_600)
        let time = DispatchTime.now() + delay
        if let alarmTime, alarmTime <= time { return }
        alarm += 1
        alarmTime = time
        post(after: delay) { [alarm] host in
            guard host.alarm == alarm else { return }
            host.alarmTime = nil
            host.report(.tick)
        }
    }

    /// Ends it, whoever is there: they begin at the lock again, which is free when this is released.
    func end() {
        guard !hasEnded else { return }
        hasEnded = true
        listener?.close()
        for visitor in visitors.values { visitor.connection.close() }
        visitors = [:]
        if pending.isEmpty, book.ledger.state.isSpent, book.ledger.isIdle { folder.remove() }
        ended()
    }
}
