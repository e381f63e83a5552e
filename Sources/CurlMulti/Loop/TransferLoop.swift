import Synchronization
package import SystemPackage

/// Represents one thread that carries out transfers, and the mailbox for its commands.
///
/// The thread is the loop's own, or an owner's, which makes the iterations (``LoopIterations``). No
/// handle of libcurl's leaves it. Any thread may call any method. A method returns at once, and makes
/// no callback. The loop executes the commands for one transfer in the order of the calls.
package final class TransferLoop: Sendable {
    private struct Mailbox {
        var commands: [LoopCommand] = []
        /// An empty list with reserved capacity, for the next commands.
        var spare: [LoopCommand] = []
        var isRunning = false
        var isFinished = false
    }

    /// How a loop makes its thread and its handle; a test replaces one function to make it fail.
    struct Parts: Sendable {
        var startThread: @Sendable (@escaping @Sendable () -> Void) throws(Errno) -> Void =
            LoopThread.start
        var makeHandle: @Sendable (LoopLimits) throws(CurlCode) -> MultiHandle = MultiHandle.init
    }

    let limits: LoopLimits
    let parts: Parts
    private let mailbox = Mutex(Mailbox())
    // All loops share it, since a gate for several loops distinguishes their transfers by their IDs.
    private static let lastID = Atomic<UInt64>(0)
    let bell: LoopBell
    /// Whether an owner makes the iterations.
    package let isHosted: Bool
    package let gate: ConnectionGate

    /// Makes a loop; its own thread starts with its first transfer.
    ///
    /// - Parameters:
    ///   - limits: the limits for its connections.
    ///   - gate: counts the connections per host of several loops together; `nil`: of this loop alone.
    /// - Throws: `Errno` if the process has no descriptor left.
    package convenience init(
        limits: LoopLimits = LoopLimits(),
        gate: ConnectionGate? = nil
    ) throws(Errno) {
        self.init(limits: limits, gate: gate, try LoopBell())
    }

    /// Makes a loop for an owner that makes the iterations with ``LoopIterations``.
    ///
    /// - Parameters:
    ///   - limits: the limits for its connections.
    ///   - bell: ends the owner's sleep.
    package convenience init(limits: LoopLimits, hostedBy bell: LoopBell) {
        self.init(limits: limits, gate: nil, bell, isHosted: true)
    }

    init(
        limits: LoopLimits,
        gate: ConnectionGate?,
        _ bell: LoopBell,
        parts: Parts = Parts(),
        isHosted: Bool = false
    ) {
        self.limits = limits
        self.parts = parts
        self.gate = gate ?? ConnectionGate(limits: limits)
        self.bell = bell
        self.isHosted = isHosted
    }

    /// Makes an ID for a transfer that the caller is about to start.
    package func makeID() -> TransferID {
        TransferID(rawValue: Self.lastID.add(1, ordering: .relaxed).newValue)
    }

    /// Starts a transfer.
    ///
    /// - Parameters:
    ///   - id: from ``makeID()``, used once.
    ///   - request: the request to send.
    ///   - handler: makes the handler, on the loop's thread. The loop always calls it, and the
    ///     handler's `didComplete` too, even if the transfer cannot begin.
    /// - Throws: `Errno` if the loop has no thread yet, and the process may start no more. Then there
    ///   is no transfer, and the loop does not call `handler`.
    package func start(
        _ id: TransferID,
        _ request: consuming TransferRequest,
        handler: @escaping @Sendable () -> any TransferHandler
    ) throws(Errno) {
        try post(.start(id, request, handler: handler))
    }

    /// Makes the loop call the handler's `didWake`.
    package func wake(_ id: TransferID) { order(.wake(id)) }

    /// Suspends a transfer; its idle time-out does not run during the suspension.
    package func suspend(_ id: TransferID) { order(.suspend(id)) }

    package func resume(_ id: TransferID) { order(.resume(id)) }

    /// Ends a transfer with ``TransferFailure/Reason/cancelled``.
    package func cancel(_ id: TransferID) { order(.cancel(id)) }

    /// Adds to libcurl a transfer that has waited for a transfer of another loop.
    func admit(_ id: TransferID) { order(.admit(id)) }

    /// Changes a transfer's share of its HTTP/2 connection, 1 to 256.
    package func setWeight(_ id: TransferID, to weight: Int) {
        order(.setWeight(id, weight))
    }

    /// Ends the thread after its last transfer; the caller may start no transfer afterwards.
    package func finish() { order(.finish) }

    /// Posts a command about transfers, and ignores a failure: a loop without a thread has no transfers.
    private func order(_ command: LoopCommand) {
        try? post(command)
    }

    /// Posts a command, and starts the thread if there is none.
    ///
    /// It starts the thread under the lock. So another caller either posts its command to a running
    /// thread, or tries to start one itself.
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

    /// Whether the mailbox has commands; called on the loop's thread only.
    var hasCommands: Bool { mailbox.withLock { !$0.commands.isEmpty } }

    /// Whether a caller finished the loop before the first transfer.
    var isFinished: Bool { mailbox.withLock { $0.isFinished } }

    /// Removes all commands from the mailbox; called on the loop's thread only.
    func takeCommands() -> [LoopCommand] {
        mailbox.withLock { mailbox in
            guard !mailbox.commands.isEmpty else { return [] }
            let commands = mailbox.commands
            mailbox.commands = mailbox.spare
            mailbox.spare = []
            return commands
        }
    }

    /// Returns the list of executed commands to the mailbox, which fills it again; called on the loop's
    /// thread only.
    func recycleCommands(_ commands: consuming [LoopCommand]) {
        commands.removeAll(keepingCapacity: true)
        mailbox.withLock { [commands] in $0.spare = commands }
    }

    /// Empties the mailbox of a thread that cannot work and is about to end; called on the loop's
    /// thread only.
    ///
    /// - Returns: the commands; `nil` if there are none: then the next command starts a thread.
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

/// Limits the connections that a loop may hold.
package struct LoopLimits: Sendable, Hashable {
    /// The connections to one host; more transfers wait, or share a connection over HTTP/2.
    package var connectionsPerHost: Int
    /// Whether an HTTP/2 connection may carry more than one request at a time.
    package var multiplexes: Bool

    package init(connectionsPerHost: Int = 6, multiplexes: Bool = true) {
        self.connectionsPerHost = connectionsPerHost
        self.multiplexes = multiplexes
    }
}

/// A call of one of the loop's methods, for the loop's thread: it holds values, never handles.
enum LoopCommand: Sendable {
    indirect case start(TransferID, TransferRequest, handler: @Sendable () -> any TransferHandler)
    case wake(TransferID)
    case suspend(TransferID)
    case resume(TransferID)
    case cancel(TransferID)
    case admit(TransferID)
    case setWeight(TransferID, Int)
    case finish
}

/// Identifies one transfer; no loop uses an ID twice.
package struct TransferID: Hashable, Sendable {
    let rawValue: UInt64
}
