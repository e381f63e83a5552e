import CCurl
import SystemPackage

/// What runs on a loop's thread: the handles, which never leave it, and what each iteration does.
struct LoopEngine: ~Copyable {
    /// How many buffers one iteration may move: a few milliseconds' worth, in which no command is heard.
    private static let longestRush = 32

    let loop: TransferLoop
    let multi: MultiHandle
    let clock = ContinuousClock()
    let shared = SharedState()
    let gate: ConnectionGate
    var transfers: [TransferID: Transfer] = [:]
    /// Handles that have served and may serve again (a new one costs a quarter more).
    private var idleSlots: [EasySlot] = []
    /// No idle time-out fires before this moment, since activity only postpones them, and no
    /// handler's deadline passes.
    var nextCheck: ContinuousClock.Instant?
    /// The origins at which a stream of several has ended in this iteration.
    var originsWithEndedStream: Set<String> = []
    private var isFinishing = false
    private var speaksUTF8 = false

    /// Makes the handle, on the thread that is to be the loop's.
    init(for loop: TransferLoop) throws(CurlCode) {
        guard CurlLibrary.isReady else { throw .failedInit }
        multi = try loop.parts.makeHandle(loop.limits)
        self.loop = loop
        gate = loop.gate
    }

    /// One iteration but for its end, the wait.
    ///
    /// - Returns: whether there is another; not once the loop is finished and its last transfer ended.
    mutating func iterate() -> Bool {
        for command in loop.takeCommands() { carryOut(command) }
        if isFinishing, transfers.isEmpty { return false }
        perform()
        takeEnded()
        let now = clock.now
        endIteration(now)
        expire(now)
        readOn()
        return true
    }

    /// Moves every transfer on as far as it goes without waiting.
    ///
    /// libcurl moves one buffer at a time. For a transfer that has the loop to itself it is asked
    /// again for as long as that comes to something, which costs it one poll(2) instead of three.
    /// With more transfers each of them would be polled for the sake of one.
    private func perform() {
        let mayRush = transfers.count == 1 && transfers.values.first?.rates.areLimited == false
        for _ in 0..<(mayRush ? Self.longestRush : 1) {
            let before = shared.moves
            multi.perform()
            guard shared.moves != before else { return }
        }
    }

    private mutating func carryOut(_ command: LoopCommand) {
        switch command {
        case .start(let id, let request, let makeHandler):
            start(id, request, makeHandler())
        case .wake(let id):
            guard let transfer = transfers[id] else { return }
            transfer.handler.didWake(transfer)
            // What it has taken now may want to be called later, though nothing more comes.
            if !transfer.hasEnded { reportIteration(transfer) }
            letGoIfReleased(transfer)
        case .suspend(let id):
            guard let transfer = transfers[id], !transfer.hasEnded else { return }
            suspend(transfer)
        case .resume(let id):
            guard let transfer = transfers[id], !transfer.hasEnded else { return }
            resume(transfer)
        case .cancel(let id):
            guard let transfer = transfers[id], !transfer.hasEnded else { return }
            end(transfer, TransferFailure(.cancelled, detail: "cancelled"))
        case .admit(let id):
            guard let transfer = transfers[id], !transfer.hasEnded else { return }
            admitted(transfer)
        case .setWeight(let id, let weight):
            guard let transfer = transfers[id], !transfer.hasEnded else { return }
            _ = try? transfer.slot.handle.set(CURLOPT_STREAM_WEIGHT, weight)
        case .finish:
            isFinishing = true
        }
    }
}

extension LoopEngine {
    private mutating func start(
        _ id: TransferID,
        _ request: TransferRequest,
        _ handler: any TransferHandler
    ) {
        if request.hasInternationalHost, !speaksUTF8 {
            LoopThread.speakUTF8()
            speaksUTF8 = true
        }
        do throws(CurlCode) {
            let slot = if let idle = idleSlots.popLast() { idle } else { try EasySlot() }
            let transfer = try Transfer(
                request,
                id: id,
                slot: slot,
                handler: handler,
                shared: shared,
                now: clock.now
            )
            if transfer.refusals.areWanted { traceGoaways() }
            transfers[id] = transfer
            nextCheck = nil
            admit(transfer)
        } catch {
            Self.refuse(handler, error)
        }
    }

    /// Tells a handler that its transfer cannot begin.
    static func refuse(_ handler: any TransferHandler, _ code: CurlCode) {
        handler.didComplete(
            TransferOutcome(
                failure: TransferFailure(.curl(code), detail: code.description),
                metrics: TransferMetrics(),
                mayHaveReachedServer: false
            ),
            Refused()
        )
    }

    /// The control of a transfer that could not begin: there is nothing to control.
    private final class Refused: TransferControl {
        func resumeReceiving() {}
        func release() {}
    }

    private mutating func takeEnded() {
        while let (owner, code) = multi.nextEnded() {
            let transfer = Unmanaged<Transfer>.fromOpaque(owner).takeUnretainedValue()
            end(transfer, transfer.failure(code))
        }
    }

    /// Takes a transfer out of libcurl and tells its handler.
    mutating func end(_ transfer: Transfer, _ failure: TransferFailure?) {
        let metrics = transfer.metrics
        if failure == nil {
            multi.remove(transfer.slot.handle)
        } else {
            multi.removeWithoutWaiting(transfer.slot.handle)
        }
        // A small response may begin and end in one iteration: what it has shown counts all the same.
        reportToGate(transfer)
        transfer.hasEnded = true
        stopTracing(for: transfer)
        transfer.leaveHandshake()
        if transfer.response.isMultiplexed { originsWithEndedStream.insert(transfer.origin) }
        leaveGate(transfer, hasFailed: failure != nil && failure?.reason != .cancelled)
        if failure == nil { transfer.handOnHead() }
        var outcome = TransferOutcome(
            failure: failure,
            metrics: metrics,
            mayHaveReachedServer: transfer.refusals.mayHaveReachedServer
        )
        outcome.serverStoppedBody = transfer.body.wasStopped
        outcome.trailers = transfer.response.trailers
        transfer.handler.didComplete(outcome, transfer)
        if failure == nil, metrics.networkProtocol != "h2", idleSlots.count < 16,
            transfer.slot.canBeRecycled, (try? transfer.slot.recycle()) != nil
        {
            // Not after HTTP/2: libcurl keeps the handle's buffers while its connection carries
            // other streams. Neither a reset nor a new buffer size is safe then: the next transfer
            // fails with "bad argument" or worse. A new handle costs a quarter more.
            idleSlots.append(transfer.slot)
        }
        letGoIfReleased(transfer)
    }

    private mutating func letGoIfReleased(_ transfer: Transfer) {
        if transfer.hasEnded, transfer.isReleased {
            transfers[transfer.id] = nil
        }
    }
}
