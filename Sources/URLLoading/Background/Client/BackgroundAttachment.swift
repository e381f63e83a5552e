import Dispatch
import FoundationEssentials

/// A program's side of a background session. It keeps the program connected with the transfer
/// process, through the end of one such process and the start of the next.
///
/// What the program requests is sent in order, and again to the next process where no reply came;
/// events are handed to its ``URLSession`` one after another, and acknowledged.
actor BackgroundAttachment: QueueActor {
    /// Where the connection stands.
    enum Phase {
        /// The program is not attached. → attached, over
        case away
        /// → away, over
        case attached
        /// Nothing is sent or received any more.
        case over
    }

    nonisolated let queue = SerialQueue("BackgroundAttachment")
    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    /// As the program calls the session.
    let text: String
    /// What the program has configured, as it is written down; `nil` where it only watches.
    let wanted: BackgroundSettings?
    let dependencies: BackgroundDependencies
    /// How far the program has been told in an earlier run.
    let cursor: BackgroundCursor?
    /// Whether it only watches.
    let watches: Bool
    /// Why a transfer process cannot do what the program has configured.
    private let blocker: BackgroundError?
    /// The session; gone when the program has let go of it.
    weak var session: URLSession?

    var phase = Phase.away
    var client: BackgroundClient?
    /// Ended when the session is attached, or cannot be.
    private var attachWait: BlockingWait<Void>?
    /// The tasks that have come before the status, and are not taken yet.
    var firstTasks: [BackgroundStatus.Task] = []
    /// The numbers of those that are.
    var listed: Set<Int> = []
    /// How the session was when it was attached first, and whether it had no tasks.
    var status: (BackgroundStatus, isEmpty: Bool)?
    /// Which session it is; `nil` before it was first attached.
    var token: String?
    /// The connections that were lost in a row, with nothing in between of how transfers go.
    var losses = 0
    var attachedSince = MonotonicInstant.now

    var requests = BackgroundRequestQueue()
    /// The tasks that only this program knows of.
    var drafts: [Int: URLSessionTask] = [:]
    /// Whether requests are sent at the end of this iteration of the queue.
    var isFlushing = false
    /// Whether the disk had no room for a request.
    var isHolding = false
    /// Ended when all requests are on the disk.
    var storageWaits: [BlockingWait<Void>] = []
    /// The tasks that this program has, or has had.
    var known: Set<Int> = []
    /// What the delegate is being asked, for each task: a task that another task's credential has
    /// released may meet another server before its own reply has come.
    var asking: [Int: Set<ChallengeRecord>] = [:]
    /// Those that wait for a network, as the delegate has been told.
    var reportedWaiting: Set<Int> = []

    /// The events that have come and were not told.
    var inbox: ArraySlice<BackgroundDelivery> = []
    /// Whether the delegate is being told one.
    var isReporting = false
    /// Whether that could not be told, and is to be told again to the next client.
    var isRefused = false
    /// The last event that has come, that was told, and that was acknowledged.
    var accepted = 0
    var reported = 0
    var acknowledged = 0
    var lastAcknowledgement: DispatchTime?

    /// Called when all has been sent.
    var conclusion: (@Sendable () -> Void)?
    /// Whether that does not wait for events that are left.
    var isDetaching = false
    var isStatusOut = false
    /// Whether all is told, and on the disk.
    var areAllDelivered = false

    /// - Parameters:
    ///   - identifier: as the program calls the session.
    ///   - settings: what it has configured.
    ///   - dependencies: where the sessions are.
    init(_ identifier: String, _ settings: SessionSettings, _ dependencies: BackgroundDependencies)
    {
        text = identifier
        self.dependencies = dependencies
        cursor = settings.background.seen
        watches = settings.background.watches
        blocker = watches ? nil : settings.storingBlocker
        wanted =
            watches
            ? nil
            : (try? BackgroundIdentifier(identifier)).map { BackgroundSettings($0, settings) }
    }

    /// The folder of parts for which programs have resume data.
    nonisolated var partsFolder: String? {
        dependencies.root().map { BackgroundFolder.partsPath(in: $0) }
    }

    /// Attaches the session, when it is made; its caller waits for that for as long as the
    /// dependencies say.
    nonisolated func begin(_ session: URLSession) {
        let attachWait = BlockingWait<Void>()
        post { attachment in
            attachment.session = session
            attachment.attachWait = attachWait
            attachment.connect()
        }
        attachWait.wait()
    }

    /// Attaches: the first time, or again since the transfer process has gone.
    ///
    /// - Parameter isAgain: whether this goes on with a search that has come to nothing yet.
    func connect(again isAgain: Bool = false) {
        guard phase == .away else { return endConnecting() }
        do throws(BackgroundError) {
            if client == nil { client = try makeClient() }
            guard let client else { return }
            (firstTasks, listed) = ([], [])
            let known = token.map { BackgroundCursor(token: $0, sequence: reported) }
            client.connect(known ?? cursor, again: isAgain) { [weak self] event in
                self?.assumeIsolated { $0.take(event) }
            }
        } catch {
            fail(error.urlError)
        }
    }

    private func makeClient() throws(BackgroundError) -> BackgroundClient {
        let identifier = try BackgroundIdentifier(text)
        if let blocker { throw blocker }
        guard let root = dependencies.root() else { throw .noFolder }
        return BackgroundClient(
            identifier,
            in: root,
            for: watches ? .watch : .attach,
            makes: !watches,
            timeout: dependencies.timeout,
            queue: queue
        ) { [dependencies, wanted] folder, lock throws(BackgroundError) in
            guard try Self.prepare(folder, wanted) else {
                // Of a crash before there was anything in it.
                folder.remove()
                throw Self.absence(identifier)
            }
            try dependencies.start(identifier, root, lock)
            return true
        }
    }

    /// Writes down what the program has configured; whether there is a session.
    ///
    /// A program that only watches has nothing to write down: the transfer process reads the journal,
    /// and says what is wrong with it.
    private static func prepare(
        _ folder: borrowing BackgroundFolder,
        _ wanted: BackgroundSettings?
    ) throws(BackgroundError) -> Bool {
        guard let wanted else { return FileStatus(folder.folder.place(Journal.name)) != nil }
        do throws(JournalError) {
            guard var journaled = try JournaledState.open(folder, settings: wanted, limit: 0) else {
                return false
            }
            _ = try journaled.begin(at: WallClock.now)
            let request = BackgroundRequest.settings(settings: wanted)
            _ = try journaled.take([.request(request, from: 0)], in: folder, at: WallClock.now)
            return true
        } catch {
            throw .journal(error)
        }
    }

    /// The error of a session that is not there.
    static func absence(_ identifier: BackgroundIdentifier) -> BackgroundError {
        .refused("there is no background session \(identifier.text.debugDescription)")
    }

    /// The search for the transfer process is over.
    func endConnecting() {
        client?.endWaiting()
        attachWait?.end(())
        attachWait = nil
    }

    /// Sends a request, where the session is attached.
    func send(_ request: BackgroundRequest) {
        guard phase == .attached else { return }
        // Batches are small; and all else has a bound of its own.
        try? client?.send(request)
    }

    /// Has no part in the session any more: what was told and is not acknowledged is, before that.
    nonisolated func close() {
        post { attachment in
            attachment.acknowledge()
            attachment.shut()
        }
    }

    /// Ends the connection, and with it all of this.
    func shut() {
        phase = .over
        client?.close()
        inbox = []
        drafts = [:]
        requests = BackgroundRequestQueue()
        signalIfStored()
        endConnecting()
    }

    /// Cannot go on.
    func fail(_ error: URLError) {
        guard phase != .over else { return }
        let attachWait = attachWait
        self.attachWait = nil
        shut()
        session?.fail(error)
        concludeIfDone()
        // The caller that makes the session finds out from its tasks.
        attachWait?.end(())
    }
}

/// Where a program's background sessions are, and how their transfer processes are started: for
/// tests to put something else in its place.
struct BackgroundDependencies: Sendable {
    /// Starts the transfer process of a session, which has the lock from then on.
    typealias Start =
        @Sendable (BackgroundIdentifier, _ root: String, consuming BackgroundLock)
        throws(BackgroundError) -> Void

    /// The folder of all sessions; `nil` where the environment names no place.
    var root: @Sendable () -> String? = { BackgroundFolder.root() }
    var start: Start = { identifier, root, lock throws(BackgroundError) in
        Children.detach(try TransferProcess.start(identifier, in: root, lock: lock))
    }
    /// How long a session waits to be attached, and at its end for its requests to be carried out.
    var timeout = Duration.seconds(10)
    /// How many connections may be lost in a row, with nothing in between of how transfers go.
    var lossLimit = 5
    /// How long it waits with a request that the disk had no room for, seconds.
    var retryInterval: Double = 1
}
