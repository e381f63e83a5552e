import Synchronization
public import SystemPackage

/// One thread that carries out transfers, and the mailbox for its commands.
///
/// The thread is the loop's own, or an owner's, which makes the iterations (``LoopIterations``). No handle of
/// libcurl's leaves it. Every method may be called from any thread, returns
/// at once, and makes no callback; what is asked for one transfer is done in the order of asking.
public final class TransferLoop: Sendable {
    private struct Mailbox {
        var commands: [LoopCommand] = []
        /// An empty list with room, which the next commands are put into.
        var spare: [LoopCommand] = []
        var isRunning = false
        var isFinished = false
    }

    /// What a loop is made of; a test has one of them fail.
    struct Parts: Sendable {
        var startThread: @Sendable (@escaping @Sendable () -> Void) throws(Errno) -> Void =
            LoopThread.start
        var makeHandle: @Sendable (LoopLimits) throws(CurlCode) -> MultiHandle =
            MultiHandle.init
    }

    let limits: LoopLimits
    let parts: Parts
    private let mailbox = Mutex(Mailbox())
    // Of all loops: a gate of several loops distinguishes their transfers.
    private static let lastID = Atomic<UInt64>(0)
    let bell: LoopBell
    /// Whether an owner makes the iterations.
    package let isHosted: Bool
    /// What counts its connections.
    public let gate: ConnectionGate

    /// Makes a loop; a thread of its own starts with its first transfer.
    ///
    /// - Parameters:
    ///   - limits: how many connections it may hold.
    ///   - gate: counts those per host together with other loops; `nil`: its own alone.
    /// - Throws: `Errno` when the process has no descriptor left.
    public convenience init(
        limits: LoopLimits = LoopLimits(),
        gate: ConnectionGate? = nil
    ) throws(Errno) {
        try self.init(limits: limits, gate: gate, parts: Parts())
    }

    /// Makes a loop whose owner makes the iterations, with ``LoopIterations``.
    ///
    /// - Parameters:
    ///   - limits: how many connections it may hold.
    ///   - bell: what ends the owner's sleep.
    public convenience init(limits: LoopLimits, hostedBy bell: LoopBell) {
        self.init(limits: limits, gate: nil, parts: Parts(), bell, isHosted: true)
    }

    convenience init(limits: LoopLimits, gate: ConnectionGate?, parts: Parts) throws(Errno) {
        self.init(limits: limits, gate: gate, parts: parts, try LoopBell(), isHosted: false)
    }

    init(
        limits: LoopLimits,
        gate: ConnectionGate?,
        parts: Parts,
        _ bell: LoopBell,
        isHosted: Bool
    ) {
        self.limits = limits
        self.parts = parts
        self.gate = gate ?? ConnectionGate(limits: limits)
        self.bell = bell
        self.isHosted = isHosted
    }

    /// A name for a transfer that is about to be started.
    public func makeID() -> TransferID {
        TransferID(rawValue: Self.lastID.add(1, ordering: .relaxed).newValue)
    }

    /// Starts a transfer.
    ///
    /// - Parameters:
    ///   - id: from ``makeID()``, used once.
    ///   - request: what to send.
    ///   - handler: makes the handler, on the loop's thread. It is always called, and the handler's
    ///     `didComplete` too, also where the transfer cannot even begin.
    /// - Throws: `Errno` where the loop has no thread yet, and the process may have no more; then
    ///   there is no transfer, and the handler is not made.
    package func start(
        _ id: TransferID,
        _ request: TransferRequest,
        handler: @escaping @Sendable () -> any TransferHandler
    ) throws(Errno) {
        try post(.start(id, request, handler: handler))
    }

    /// Has the handler's `didWake` called.
    public func wake(_ id: TransferID) {
        order(.wake(id))
    }

    /// Suspends a transfer; the idle time-out does not run meanwhile.
    public func suspend(_ id: TransferID) {
        order(.suspend(id))
    }

    /// Continues a suspended transfer.
    public func resume(_ id: TransferID) {
        order(.resume(id))
    }

    /// Ends a transfer with ``TransferFailure/Reason/cancelled``.
    public func cancel(_ id: TransferID) {
        order(.cancel(id))
    }

    /// Gives libcurl a transfer that has waited for a transfer of another loop.
    func admit(_ id: TransferID) {
        order(.admit(id))
    }

    /// Changes a transfer's share of its HTTP/2 connection, 1 to 256.
    public func setWeight(_ id: TransferID, to weight: Int) {
        order(.setWeight(id, weight))
    }

    /// Ends the thread after its last transfer; nothing may be started afterwards.
    public func finish() {
        order(.finish)
    }

    /// Posts a command about transfers; without a thread there are none.
    private func order(_ command: LoopCommand) {
        try? post(command)
    }

    /// Posts a command, and starts the thread where there is none.
    ///
    /// The thread is made under the lock: another caller's command is either posted to a thread that
    /// is there, or tries to make one itself.
    private func post(_ command: LoopCommand) throws(Errno) {
        try mailbox.withLock { mailbox throws(Errno) in
            if !mailbox.isRunning, !mailbox.isFinished {
                if case .finish = command {
                    mailbox.isFinished = true
                    mailbox.commands = []
                    return
                }
                if !isHosted {
                    try parts.startThread { [self] in
                        let iterations = LoopIterations(self)
                        while iterations.iterate() { iterations.wait() }
                    }
                }
                mailbox.isRunning = true
            }
            mailbox.commands.append(command)
        }
        bell.ring()
    }

    /// Whether something was posted that was not taken; the loop's thread only.
    var hasCommands: Bool { mailbox.withLock { !$0.commands.isEmpty } }

    /// Whether it was finished before anything had begun.
    var isFinished: Bool { mailbox.withLock { $0.isFinished } }

    /// Empties the mailbox; the loop's thread only.
    func takeCommands() -> [LoopCommand] {
        mailbox.withLock { mailbox in
            guard !mailbox.commands.isEmpty else { return [] }
            let commands = mailbox.commands
            mailbox.commands = mailbox.spare
            mailbox.spare = []
            return commands
        }
    }

    /// Takes the list of commands that were carried out, to be filled again; the loop's thread only.
    func giveBack(_ commands: consuming [LoopCommand]) {
        commands.removeAll(keepingCapacity: true)
        mailbox.withLock { [commands] in $0.spare = commands }
    }

    /// Empties the mailbox of a thread that can do nothing and is about to end; the loop's thread
    /// only.
    ///
    /// - Returns: the commands; `nil` where there are none: then the next one starts a thread.
    func takeLastCommands() -> [LoopCommand]? {
        mailbox.withLock { mailbox in
            guard !mailbox.commands.isEmpty else {
                mailbox.isRunning = false
                return nil
            }
            defer { mailbox.commands = [] }
            return mailbox.commands
        }
    }
}

/// How many connections a loop may hold.
public struct LoopLimits: Sendable, Hashable {
    /// The connections to one host; further transfers wait, or share one over HTTP/2.
    public var connectionsPerHost: Int
    /// The connections kept open after their transfers have ended.
    public var idleConnections: Int
    /// Whether an HTTP/2 connection takes more than one request at once.
    public var multiplexes: Bool

    /// Sets them all.
    public init(
        connectionsPerHost: Int = 6,
        idleConnections: Int = 32,
        multiplexes: Bool = true
    ) {
        self.connectionsPerHost = connectionsPerHost
        self.idleConnections = idleConnections
        self.multiplexes = multiplexes
    }
}

/// What other threads may ask of a loop: values, never handles.
enum LoopCommand: Sendable {
    /// Starts a transfer; its handler is made on the loop's thread.
    indirect case start(TransferID, TransferRequest, handler: @Sendable () -> any TransferHandler)
    /// Calls the handler's `didWake`.
    case wake(TransferID)
    /// Pauses both directions, and the idle clock.
    case suspend(TransferID)
    /// Ends `suspend`.
    case resume(TransferID)
    /// Ends the transfer with `cancelled`.
    case cancel(TransferID)
    /// Gives libcurl a transfer for which another loop's has made room.
    case admit(TransferID)
    /// Changes the share of an HTTP/2 connection.
    case setWeight(TransferID, Int)
    /// Ends the thread once no transfer is left.
    case finish
}

/// Names one transfer of one loop; never used twice, in no loop.
public struct TransferID: Hashable, Sendable {
    let rawValue: UInt64
}
