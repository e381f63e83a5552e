import Dispatch
import FoundationEssentials

/// The client of a program's background session. It reconnects when a transfer process ends.
///
/// Requests are sent in order. A request without a reply is sent again to the next transfer process. Events
/// are passed to the ``URLSession`` one at a time, and acknowledged.
actor BackgroundAttachment: QueueActor {
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

    /// The session's identifier, as given by the program.
    let text: String
    /// The program's configuration in its stored form; `nil` if the program only watches.
    let wanted: BackgroundSettings?
    let dependencies: BackgroundDependencies
    /// The last event that an earlier run of the program received.
    let cursor: BackgroundCursor?
    /// Whether the program only watches, and makes no tasks.
    let watches: Bool
    /// The error if the configuration cannot be stored for a transfer process.
    private let blocker: BackgroundError?
    weak var session: URLSession?

    var phase = Phase.away
    var client: BackgroundClient?
    /// Ends when the session is attached, or cannot be attached.
    private var attachWait: BlockingWait<Void>?
    /// The session's status at the first attachment, and whether the session had no tasks.
    var status: (BackgroundStatus, isEmpty: Bool)?
    /// The session's token; `nil` before the first attachment.
    var token: String?
    /// The connections lost in a row, without an event or progress in between.
    var losses = 0
    var attachedSince = MonotonicInstant.now

    var requests = BackgroundRequestQueue()
    var isFlushing = false
    var hasPausedRequests = false
    /// Waits that end when all requests are on the disk.
    var storageWaits: [BlockingWait<Void>] = []
    /// The highest number of a task that this program has or had.
    var lastKnown = 0
    /// The open challenges of each task: one that a credential releases may be challenged again.
    var asking: [Int: Set<ChallengeRecord>] = [:]
    /// Tasks that have not ended, and for which the delegate was notified of a wait for a network.
    var reportedWaiting: Set<Int> = []

    /// Received events that are not reported to the delegate yet.
    var inbox: ArraySlice<BackgroundDelivery> = []
    var isReporting = false
    /// Whether the delegate has refused the current event, which the next client gets again.
    var isRefused = false
    /// The last event received, the last one reported to the delegate, and the last one acknowledged.
    var accepted = 0
    var reported = 0
    var acknowledged = 0
    var lastAcknowledgement: DispatchTime?

    /// Called when the attachment has ended.
    var conclusion: (@Sendable () -> Void)?
    /// Whether the end does not wait for the remaining events.
    var isDetaching = false
    var isStatusOut = false

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

    nonisolated var partsFolder: String? {
        dependencies.root().map { BackgroundFolder.partsPath(in: $0) }
    }

    /// Attaches a new session, and blocks until it is attached or has failed; `dependencies.timeout` bounds
    /// the search.
    nonisolated func begin(_ session: URLSession) {
        let attachWait = BlockingWait<Void>()
        post { attachment in
            attachment.session = session
            attachment.attachWait = attachWait
            attachment.connect()
        }
        attachWait.wait()
    }

    /// Attaches to the transfer process.
    func connect() {
        guard phase == .away else { return endConnecting() }
        do throws(BackgroundError) {
            if client == nil { client = try makeClient() }
            guard let client else { return }
            let known = token.map { BackgroundCursor(token: $0, sequence: reported) }
            client.connect(known ?? cursor) { [weak self] event in
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
                // A crash has left this folder empty.
                folder.remove()
                throw Self.absence(identifier)
            }
            try dependencies.start(identifier, root, lock)
            return true
        }
    }

    /// Writes the program's configuration to the journal; returns whether the session exists.
    ///
    /// A watching program writes nothing: the transfer process reads the journal, and reports its errors.
    private static func prepare(
        _ folder: borrowing BackgroundFolder,
        _ wanted: BackgroundSettings?
    ) throws(BackgroundError) -> Bool {
        guard let wanted else { return FileStatus(folder.folder.place(Journal.name)) != nil }
        guard var journaled = try JournaledState.open(folder, settings: wanted, limit: 0) else {
            return false
        }
        _ = try journaled.begin(in: folder, at: WallClock.now)
        let request = BackgroundRequest.settings(settings: wanted)
        _ = try journaled.take([.request(request, from: 0)], in: folder, at: WallClock.now)
        return true
    }

    static func absence(_ identifier: BackgroundIdentifier) -> BackgroundError {
        .refused("there is no background session \(identifier.text.debugDescription)")
    }

    /// Ends the search for the transfer process, and releases the caller that waits for it.
    func endConnecting() {
        attachWait?.end(())
        attachWait = nil
    }

    func send(_ request: BackgroundRequest) {
        guard phase == .attached else { return }
        // No request here is too long for a frame: each has a bound of its own.
        try? client?.send(request)
    }

    nonisolated func close() {
        post { attachment in
            attachment.acknowledge()
            attachment.endAttachment()
        }
    }

    func endAttachment() {
        phase = .over
        client?.close()
        inbox = []
        requests = BackgroundRequestQueue()
        signalIfStored()
        endConnecting()
    }

    func fail(_ error: URLError) {
        guard phase != .over else { return }
        phase = .over
        // Before the end of the wait: the caller that makes the session learns of the error from its tasks.
        session?.fail(error)
        endAttachment()
        concludeIfDone()
    }
}

/// The folder of a program's background sessions, and the start of their transfer processes; tests replace
/// both.
struct BackgroundDependencies: Sendable {
    /// Starts the transfer process of a session, and hands the lock over to it.
    typealias Start =
        @Sendable (BackgroundIdentifier, _ root: String, consuming BackgroundLock)
        throws(BackgroundError) -> Void

    /// The folder of all sessions; `nil` if the environment names none.
    var root: @Sendable () -> String? = { BackgroundFolder.root() }
    var start: Start = { identifier, root, lock throws(BackgroundError) in
        Children.detach(try TransferProcess.start(identifier, in: root, lock: lock))
    }
    /// The longest wait for the attachment and, at the session's end, for its requests.
    var timeout = Duration.seconds(10)
    /// The losses in a row, without an event or progress in between, that end the session.
    var lossLimit = 5
    /// The pause before a request is sent again after the disk was full, seconds.
    var retryInterval: Double = 1
}
