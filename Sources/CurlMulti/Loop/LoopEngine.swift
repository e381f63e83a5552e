import CCurl
import Glibc
import HTTPSemantics
import SystemPackage

/// Owns the handles of a loop, which never leave its thread, and makes the steps of an iteration.
struct LoopEngine: ~Copyable {
    /// How many buffers one iteration may move: for those few milliseconds, the loop takes no command.
    private static let maximumPerformCalls = 32

    let loop: TransferLoop
    let multi: MultiHandle
    let shared = SharedState()
    let gate: ConnectionGate
    var transfers: [TransferID: Transfer] = [:]
    /// The moment before which no idle time-out expires and no handler's deadline passes.
    ///
    /// Activity only postpones idle time-outs.
    var nextCheck: MonotonicInstant?
    /// The origins where one of several streams has ended in this iteration.
    var originsWithEndedStream: Set<String> = []
    private var isFinishing = false

    deinit {
        // The transfers keep the shared state, which must not keep them.
        (shared.touched, shared.awaiting, shared.paced) = ([], [], [])
    }

    /// Makes the multi handle; called on the thread that runs the loop.
    init(for loop: TransferLoop) throws(CurlCode) {
        guard CurlLibrary.isReady else { throw .failedInit }
        multi = try loop.parts.makeHandle(loop.limits)
        self.loop = loop
        gate = loop.gate
    }

    /// Makes one iteration, except for the wait at its end.
    ///
    /// - Returns: `false` after the loop's `finish`, once the last transfer has ended.
    mutating func iterate() -> Bool {
        let commands = loop.takeCommands()
        for command in commands { carryOut(command) }
        if !commands.isEmpty { loop.recycleCommands(commands) }
        if isFinishing, transfers.isEmpty { return false }
        perform()
        takeEnded()
        let now = MonotonicInstant.now
        endIteration(now)
        expire(now)
        resumeReading()
        return true
    }

    /// Lets every transfer continue as far as possible without waiting.
    ///
    /// libcurl moves one buffer per call. For a single transfer we call it as long as bytes move, which
    /// costs one poll(2) instead of three. With more transfers, each call would poll all of them to
    /// advance one.
    private func perform() {
        let mayRepeat = transfers.count == 1 && transfers.values.first?.rates.areLimited == false
        for _ in 0..<(mayRepeat ? Self.maximumPerformCalls : 1) {
            let before = shared.moves
            guard multi.perform(), shared.moves != before else { return }
        }
    }

    private mutating func carryOut(_ command: LoopCommand) {
        switch command {
        case .start(let id, let request, let makeHandler): start(id, request, makeHandler())
        case .wake(let id):
            guard let transfer = transfers[id] else { return }
            transfer.handler.didWake(transfer)
            // The handler may want a later call for the present bytes, though no more arrive.
            if !transfer.hasEnded { reportIteration(transfer) }
            removeIfReleased(transfer)
        case .suspend(let id):
            if let transfer = running(id) { suspend(transfer) }
        case .resume(let id):
            if let transfer = running(id) { resume(transfer) }
        case .cancel(let id):
            guard let transfer = running(id) else { return }
            end(transfer, TransferFailure(.cancelled, detail: "cancelled"))
        case .admit(let id):
            if let transfer = running(id) { admitted(transfer) }
        case .setWeight(let id, let weight):
            guard let transfer = running(id) else { return }
            _ = try? transfer.slot.handle.set(CURLOPT_STREAM_WEIGHT, weight)
        case .finish: isFinishing = true
        }
    }

    private func running(_ id: TransferID) -> Transfer? {
        transfers[id].flatMap { $0.hasEnded ? nil : $0 }
    }

    private mutating func start(
        _ id: TransferID,
        _ request: consuming TransferRequest,
        _ handler: any TransferHandler
    ) {
        // libcurl reads this thread's encoding before it converts a host's name to IDNA (RFC 5891).
        if request.hasInternationalHost, let utf8 = CurlLibrary.utf8Locale { uselocale(utf8) }
        do throws(CurlCode) {
            let transfer = try Transfer(
                request,
                id: id,
                slot: try EasySlot(),
                handler: handler,
                shared: shared,
                now: MonotonicInstant.now
            )
            if transfer.refusals.isTracking { traceGoaways() }
            transfers[id] = transfer
            nextCheck = nil
            admit(transfer)
        } catch {
            Self.refuse(handler, error)
        }
    }

    /// Reports to a handler that its transfer cannot begin.
    static func refuse(_ handler: any TransferHandler, _ code: CurlCode) {
        handler.didComplete(
            TransferOutcome(
                failure: TransferFailure(.curl(code), detail: code.description),
                mayHaveReachedServer: false
            ),
            Refused()
        )
    }

    /// The control of a transfer that could not begin; it does nothing.
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

    /// Removes a transfer from libcurl, and reports its end to its handler.
    mutating func end(_ transfer: Transfer, _ failure: TransferFailure?) {
        let metrics = transfer.measurements?.complete(transfer.slot.handle)
        let requestBodyBytes = transfer.slot.handle.offset(CURLINFO_SIZE_UPLOAD_T)
        if failure == nil {
            multi.remove(transfer.slot.handle)
        } else {
            multi.removeWithoutWaiting(transfer.slot.handle)
        }
        // A small response may begin and end in one iteration, and still reveals the origin's kind.
        reportToGate(transfer)
        transfer.hasEnded = true
        stopTracing(for: transfer)
        transfer.detachHandshake()
        if transfer.response.isMultiplexed { originsWithEndedStream.insert(transfer.origin) }
        releasePlace(transfer, hasFailed: failure != nil && failure?.reason != .cancelled)
        if failure == nil { transfer.deliverHead() }
        var outcome = TransferOutcome(
            failure: failure,
            mayHaveReachedServer: transfer.refusals.mayHaveReachedServer
        )
        outcome.metrics = metrics
        outcome.requestBodyBytes = requestBodyBytes
        outcome.restOfHeads = transfer.measurements?.takeHeads() ?? []
        outcome.serverStoppedBody = transfer.body.wasStopped
        outcome.trailers = transfer.response.trailers
        transfer.handler.didComplete(outcome, transfer)
        removeIfReleased(transfer)
    }

    private mutating func removeIfReleased(_ transfer: Transfer) {
        if transfer.hasEnded, transfer.isReleased {
            transfers[transfer.id] = nil
        }
    }
}
