import CCurl
import SystemPackage

/// What runs on a loop's thread: the handles, as locals of that thread, and the turns they take.
struct LoopEngine: ~Copyable {
    /// The longest sleep; nothing needs it, it only keeps the number in libcurl's range.
    private static let longestWait: Duration = .seconds(1_000)

    /// Between two looks at the sockets beside a connection that waits for a decision.
    private static let shortWait: Duration = .milliseconds(5)

    /// How many buffers one turn may move: a few milliseconds' worth, in which nobody is heard.
    private static let longestRush = 32

    let loop: TransferLoop
    let multi: MultiHandle
    let clock = ContinuousClock()
    let turn = Turn()
    let gate: ConnectionGate
    var transfers: [TransferID: Transfer] = [:]
    /// Handles that have served and may serve again (a new one costs a quarter more).
    private var idleSlots: [EasySlot] = []
    /// No idle time-out can fire before this moment, since activity only ever puts them off, and no
    /// handler wants a turn.
    var nextCheck: ContinuousClock.Instant?
    /// The origins at which a stream of several has ended in this turn.
    var bereaved: Set<String> = []
    private var isFinishing = false
    private var speaksUTF8 = false

    /// The body of the loop's thread.
    static func run(for loop: TransferLoop, _ limits: LoopLimits) {
        let multi: MultiHandle
        do throws(CurlCode) {
            guard CurlLibrary.isReady else { throw .failedInit }
            multi = try loop.parts.makeHandle(limits)
        } catch {
            return refuseAll(of: loop, error)
        }
        var engine = LoopEngine(
            loop: loop,
            multi: multi,
            gate: loop.gate
        )
        engine.run()
    }

    /// Fails all transfers of a loop, which has no handle for them, and lets its thread end: the next
    /// transfer tries again with another.
    private static func refuseAll(of loop: TransferLoop, _ code: CurlCode) {
        while let commands = loop.takeLastCommands() {
            for case .start(_, _, let makeHandler) in commands { refuse(makeHandler(), code) }
        }
    }

    private init(loop: TransferLoop, multi: consuming MultiHandle, gate: ConnectionGate) {
        self.loop = loop
        self.multi = multi
        self.gate = gate
    }

    private mutating func run() {
        while true {
            for command in loop.takeCommands() { carryOut(command) }
            if isFinishing, transfers.isEmpty { return }
            perform()
            takeEnded()
            let now = clock.now
            endTurn(now)
            expire(now)
            readOn()
            wait(from: now)
        }
    }

    /// Moves every transfer on as far as it goes without waiting.
    ///
    /// libcurl moves one buffer at a time. For a transfer that has the loop to itself it is asked
    /// again for as long as that comes to something, which costs it one poll(2) instead of three;
    /// with more transfers each of them would be polled for the sake of one.
    private func perform() {
        let mayRush = transfers.count == 1 && transfers.values.first?.isPaced == false
        for _ in 0..<(mayRush ? Self.longestRush : 1) {
            let before = turn.moves
            multi.perform()
            guard turn.moves != before else { return }
        }
    }

    private mutating func carryOut(_ command: LoopCommand) {
        switch command {
        case .start(let id, let request, let makeHandler):
            start(id, request, makeHandler())
        case .wake(let id):
            guard let transfer = transfers[id] else { return }
            transfer.handler.didWake(transfer)
            // What it has taken now may want a turn later, though nothing more comes.
            if !transfer.hasEnded { tellTurn(transfer) }
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
                turn: turn,
                now: clock.now
            )
            if transfer.notesRefusals { traceGoaways() }
            transfers[id] = transfer
            nextCheck = nil
            admit(transfer)
        } catch {
            Self.refuse(handler, error)
        }
    }

    /// Tells a handler that its transfer cannot begin.
    private static func refuse(_ handler: any TransferHandler, _ code: CurlCode) {
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
        // A small answer may begin and end in one turn: what it has shown counts all the same.
        reportToGate(transfer)
        transfer.hasEnded = true
        stopTracing(for: transfer)
        transfer.leaveHandshake()
        if transfer.isMultiplexed { bereaved.insert(transfer.origin) }
        leaveGate(transfer, hasFailed: failure != nil && failure?.reason != .cancelled)
        if failure == nil { transfer.handOnHead() }
        var outcome = TransferOutcome(
            failure: failure,
            metrics: metrics,
            mayHaveReachedServer: transfer.mayHaveReachedServer
        )
        outcome.trailers = transfer.trailers
        transfer.handler.didComplete(outcome, transfer)
        if failure == nil, metrics.networkProtocol != "h2", idleSlots.count < 16,
            transfer.slot.canBeRecycled, (try? transfer.slot.recycle()) != nil
        {
            // Not after HTTP/2: where its connection still carries other streams, libcurl keeps
            // the handle's buffers, and neither a reset nor a new size for them is safe.
            idleSlots.append(transfer.slot)
        }
        letGoIfReleased(transfer)
    }

    private mutating func letGoIfReleased(_ transfer: Transfer) {
        if transfer.hasEnded, transfer.isReleased {
            transfers[transfer.id] = nil
        }
    }

    private mutating func endTurn(_ now: ContinuousClock.Instant) {
        let touched = turn.touched
        turn.touched.removeAll(keepingCapacity: true)
        for transfer in touched {
            transfer.isTouched = false
            guard !transfer.hasEnded else { continue }
            reportToGate(transfer)
            transfer.lastActivity = now
            transfer.dropRefusedBody()
            tellTurn(transfer)
        }
    }

    /// Tells a handler that a turn is over, and comes back when it wants that.
    private mutating func tellTurn(_ transfer: Transfer) {
        transfer.nextTurn = transfer.handler.didTurn(sent: transfer.sent)
        guard let next = transfer.nextTurn, let check = nextCheck else { return }
        nextCheck = min(check, next)
    }

    /// Ends the transfers whose time is over.
    private mutating func expire(_ now: ContinuousClock.Instant) {
        if let nextCheck, now < nextCheck { return }
        var next = now + Self.longestWait
        var expired: [(Transfer, TransferFailure)] = []
        for transfer in transfers.values where !transfer.hasEnded {
            if let failure = transfer.expiry(now, next: &next) {
                expired.append((transfer, failure))
            }
        }
        nextCheck = next
        for transfer in transfers.values where !transfer.hasEnded {
            guard let wanted = transfer.nextTurn else { continue }
            if wanted <= now {
                tellTurn(transfer)
            } else {
                nextCheck = min(nextCheck ?? next, wanted)
            }
        }
        for (transfer, failure) in expired where !transfer.hasEnded { end(transfer, failure) }
    }

    /// Waits for whatever comes first.
    ///
    /// libcurl believes that a connection whose server is being decided about has something to send,
    /// and its own wait would end at once, again and again. While there is one, the bell is waited
    /// for, and the sockets of others, if there are any, are looked at every few milliseconds.
    private func sleep(_ time: Duration, readable: [CInt]) -> (hasRung: Bool, ready: [CInt]) {
        let bell = loop.bell.descriptor
        guard turn.deciding > 0 else {
            let limit = CInt(clamping: time.milliseconds)
            return multi.poll(bell: bell, readable: readable, milliseconds: limit)
        }
        let isAlone = transfers.values.allSatisfy {
            $0.hasEnded || $0.place != .running || $0.pauses.contains(.deciding)
        }
        let limit = isAlone ? time : min(time, Self.shortWait)
        let ready = MultiHandle.wait(
            among: [bell] + readable,
            milliseconds: CInt(clamping: limit.milliseconds)
        )
        return (ready.contains(bell), ready.filter { $0 != bell })
    }

    /// Sleeps until there is something to do, and ends the waits of bodies that have come.
    private mutating func wait(from now: ContinuousClock.Instant) {
        turn.awaiting.removeAll { $0.hasEnded || $0.awaited == nil }
        let awaiting = turn.awaiting
        let paced = turn.paced.filter { !$0.hasEnded }
        turn.paced = []
        let next = paced.compactMap(\.pacedUntil).reduce(
            min(nextCheck ?? now + Self.longestWait, now + Self.longestWait),
            min
        )
        let (hasRung, ready) = sleep(
            max(.zero, next - now),
            readable: awaiting.compactMap(\.awaited)
        )
        if hasRung { loop.bell.lower() }
        let woken = clock.now
        for transfer in paced {
            guard let until = transfer.pacedUntil else { continue }
            if until <= woken { transfer.resumePaced(woken) } else { turn.paced.append(transfer) }
        }
        for transfer in awaiting {
            guard let descriptor = transfer.awaited, ready.contains(descriptor) else { continue }
            transfer.resumeSending()
        }
    }
}
