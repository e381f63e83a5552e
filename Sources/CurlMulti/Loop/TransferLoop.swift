import Synchronization
public import SystemPackage

/// One thread that carries out transfers, and the mailbox through which it is told what to do.
///
/// No handle of libcurl's leaves that thread. Every method may be called from any thread, returns
/// at once, and calls nobody back; what is asked for one transfer is done in the order of asking.
public final class TransferLoop: Sendable {
    private struct Mailbox {
        var commands: [LoopCommand] = []
        var isRunning = false
        var isFinished = false
    }

    private let limits: LoopLimits
    private let mailbox = Mutex(Mailbox())
    // Of all loops: a gate of several tells their transfers apart.
    private static let lastID = Atomic<UInt64>(0)
    let bell: EventDescriptor
    /// What counts its connections.
    public let gate: ConnectionGate

    /// Makes a loop; its thread starts with its first transfer.
    ///
    /// - Parameters:
    ///   - limits: how many connections it may hold.
    ///   - gate: counts those per host together with other loops; `nil`: its own alone.
    /// - Throws: `Errno` when the process has no descriptor left.
    public init(limits: LoopLimits = LoopLimits(), gate: ConnectionGate? = nil) throws(Errno) {
        self.limits = limits
        self.gate = gate ?? ConnectionGate(limits: limits)
        bell = try EventDescriptor()
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
    public func start(
        _ id: TransferID,
        _ request: TransferRequest,
        handler: @escaping @Sendable () -> any TransferHandler
    ) {
        post(.start(id, request, handler: handler))
    }

    /// Has the handler's `didWake` called.
    public func wake(_ id: TransferID) {
        post(.wake(id))
    }

    /// Holds a transfer where it stands; it is not subject to the idle time-out meanwhile.
    public func suspend(_ id: TransferID) {
        post(.suspend(id))
    }

    /// Lets a suspended transfer go on.
    public func resume(_ id: TransferID) {
        post(.resume(id))
    }

    /// Ends a transfer with ``TransferFailure/Reason/cancelled``.
    public func cancel(_ id: TransferID) {
        post(.cancel(id))
    }

    /// Gives libcurl a transfer that has waited for another loop's.
    func admit(_ id: TransferID) {
        post(.admit(id))
    }

    /// Changes a transfer's share of its HTTP/2 connection, 1 to 256.
    public func setWeight(_ id: TransferID, to weight: Int) {
        post(.setWeight(id, weight))
    }

    /// Lets the thread end when its last transfer has; nothing may be started afterwards.
    public func finish() {
        post(.finish)
    }

    private func post(_ command: LoopCommand) {
        let mustStart = mailbox.withLock { mailbox in
            mailbox.commands.append(command)
            guard !mailbox.isRunning, !mailbox.isFinished else { return false }
            if case .finish = command {
                mailbox.isFinished = true
                mailbox.commands = []
                return false
            }
            mailbox.isRunning = true
            return true
        }
        if mustStart {
            LoopThread.start { [limits] in LoopEngine.run(for: self, limits) }
        } else {
            bell.raise()
        }
    }

    /// Empties the mailbox; the loop's thread only.
    func takeCommands() -> [LoopCommand] {
        mailbox.withLock { mailbox in
            guard !mailbox.commands.isEmpty else { return [] }
            defer { mailbox.commands = [] }
            return mailbox.commands
        }
    }
}
