import Dispatch
import Glibc

/// A program's end of a background session: connects it with whoever carries its tasks out, for as long
/// as it is wanted, through the end of one transfer process and the beginning of the next.
///
/// What is asked of it is said in order, and again to the next process where it was not answered; what
/// it is told it hands to its ``URLSession`` one after another, and acknowledges.
actor BackgroundAttachment: QueueActor {
    /// Where the connection stands.
    enum Phase {
        /// There is none. → handshaking, over
        case away
        /// The other side has not said who it is. → waiting, away, over
        case handshaking
        /// It has not said that this program is let in. → attached, away, over
        case waiting
        /// → away, over
        case attached
        /// Nothing will be said or heard any more.
        case over
    }

    nonisolated let queue = SerialQueue("BackgroundAttachment")
    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    /// As the program calls the session.
    let text: String
    /// What the program has configured, as it is written down.
    let wanted: BackgroundSettings?
    let dependencies: BackgroundDependencies
    /// Whom it is for; gone when the program has let go of it.
    weak var session: URLSession?

    var phase = Phase.away
    var connection: BackgroundConnection?
    /// The way in that is being tried.
    var connecting: Connecting?
    /// What came of the session's tasks before the rest.
    var firstTasks: [BackgroundStatus.Task] = []
    /// Which session it is; `nil` before it was first let in.
    var token: String?
    /// The connections that were lost in a row, with no word in between of how transfers go.
    var losses = 0
    var attachedSince = ContinuousClock.now

    var orders = BackgroundOrders()
    /// The tasks that only this program knows of.
    var drafts: [Int: URLSessionTask] = [:]
    /// Whether orders are said at the end of this turn of the queue.
    var isFlushing = false
    /// Whether the disk had no room for an order.
    var isHolding = false
    /// Ended when all orders are on the disk.
    var settlements: [BlockingWait<Void>] = []
    /// The tasks that this program has, or has had.
    var known: Set<Int> = []
    /// What the delegate is being asked, of each task: a task that was released by another's answer may
    /// meet another server before its own has come.
    var asking: [Int: Set<ChallengeRecord>] = [:]
    /// Those that wait for a network, as the delegate has been told.
    var waitingTold: Set<Int> = []

    /// The events that have come and were not told.
    var inbox: [BackgroundDelivery] = []
    /// Whether the delegate is being told one.
    var isTelling = false
    /// Whether that could not be told, and is to be told again to whoever attaches next.
    var isRefused = false
    /// The last event that has come, that was told, and that was acknowledged.
    var accepted = 0
    var told = 0
    var acknowledged = 0
    var lastAcknowledgement: DispatchTime?

    /// Called when all has been said.
    var conclusion: (@Sendable () -> Void)?
    /// Whether that does not wait for what there is to be told.
    var isDetaching = false
    var isStatusOut = false
    /// Whether all is told, and on the disk.
    var isAllTold = false

    /// - Parameters:
    ///   - identifier: as the program calls the session.
    ///   - settings: what it has configured.
    ///   - dependencies: where the sessions are.
    init(_ identifier: String, _ settings: SessionSettings, _ dependencies: BackgroundDependencies)
    {
        text = identifier
        self.dependencies = dependencies
        mark = settings.background.seen
        watches = settings.background.watches
        obstacle = watches ? nil : settings.storingObstacle
        wanted =
            watches
            ? nil
            : (try? BackgroundIdentifier(identifier)).map { BackgroundSettings($0, settings) }
    }

    /// What the program knows to have been told in an earlier run.
    let mark: BackgroundCursor?
    /// Whether it only looks on.
    let watches: Bool
    /// Why a transfer process cannot do what the program has configured.
    let obstacle: BackgroundError?

    /// The folder of parts for which programs have resume data.
    nonisolated var partsFolder: String? {
        dependencies.root().map { BackgroundFolder.partsPath(in: $0) }
    }

    /// Says something, where there is anybody to hear it.
    func send(_ request: BackgroundRequest) {
        guard phase == .attached else { return }
        // Batches are small; and whatever else there is has a bound of its own.
        try? connection?.send(request)
    }

    /// Has no part in the session any more: what it was told and has not said yet goes out first.
    nonisolated func close() {
        post { attachment in
            attachment.acknowledge()
            attachment.shut()
        }
    }

    /// Ends the connection, and with it all of this.
    func shut() {
        phase = .over
        connection?.close()
        connection = nil
        inbox = []
        drafts = [:]
        orders = BackgroundOrders()
        signalIfSettled()
        endConnecting()
    }

    /// Cannot go on.
    func fail(_ error: URLError) {
        guard phase != .over else { return }
        let connecting = connecting
        self.connecting = nil
        shut()
        session?.fail(error)
        concludeIfDone()
        // Whoever has just made the session finds out from its tasks.
        connecting?.completion?()
    }
}

/// Where a program's background sessions are, and how their transfer processes are started: for tests
/// to put something else in its place.
struct BackgroundDependencies: Sendable {
    /// What starts the transfer process of a session, which has the lock from then on.
    typealias Start =
        @Sendable (BackgroundIdentifier, _ root: String, consuming BackgroundLock)
        throws(BackgroundError) -> Void

    /// The folder of all sessions; `nil` where the environment names no place.
    var root: @Sendable () -> String? = { BackgroundFolder.root() }
    var start: Start = { identifier, root, lock throws(BackgroundError) in
        Children.leave(try TransferProcess.start(identifier, in: root, lock: lock))
    }
    /// How long a session waits to be attached, and at its end for what it has said to be heard.
    var timeout = Duration.seconds(10)
    /// How many connections may be lost in a row, without a word in between of how transfers go.
    var lossLimit = 5
    /// How long it waits with an order that the disk had no room for, seconds.
    var retryInterval: Double = 1
}

/// How far a program has been told of a background session's events: what it keeps, to be told of none
/// twice.
package struct BackgroundCursor: Sendable, Hashable {
    /// This session's, and no later one's of the same name.
    package var token: String
    /// The last event.
    package var sequence: Int

    /// A mark as it was kept.
    package init(token: String, sequence: Int) {
        self.token = token
        self.sequence = sequence
    }
}
