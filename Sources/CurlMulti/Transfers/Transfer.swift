import CCurl
import HTTPSemantics

/// One transfer on its loop: the handle, its request, and its state.
///
/// It is reached only from the thread of its loop; libcurl's callbacks get a pointer to it.
final class Transfer {
    let id: TransferID
    let request: TransferRequest
    let handler: any TransferHandler
    let slot: EasySlot
    /// What the transfers of its loop have in common.
    let shared: SharedState
    /// The origin for which its connections are counted.
    let origin: String
    /// Whether its connection may turn out to take other requests at the same time.
    let mayMultiplex: Bool
    private let lists: RequestLists

    var admission = Admission()
    var clock: TransferClock
    var connection = ConnectionProgress()
    var tls = TLSProgress()
    var refusals: StreamRefusals
    var body = RequestBodyProgress()
    var response: ResponseReader
    var pauses: TransferPauses = []
    var rates: TransferRates
    /// Its measurements, if the caller wants metrics; else `nil`.
    let measurements: TransferMeasurements?

    /// Whether it is among the iteration's touched ones.
    var isTouched = false
    /// When its handler wants to be called, though nothing happens.
    var nextDeadline: MonotonicInstant?
    /// Why a callback of ours ended it.
    var stopReason: TransferFailure?
    var hasEnded = false
    private(set) var isReleased = false

    init(
        _ request: consuming TransferRequest,
        id: TransferID,
        slot: EasySlot,
        handler: any TransferHandler,
        shared: SharedState,
        now: MonotonicInstant
    ) throws(CurlCode) {
        self.id = id
        self.request = request
        self.handler = handler
        self.slot = slot
        self.shared = shared
        origin = request.origin
        mayMultiplex = request.mayMultiplex
        clock = TransferClock(
            idleTimeout: request.idleTimeout,
            timeLimit: request.timeLimit,
            now: now
        )
        refusals = StreamRefusals(areWanted: request.notesRefusals && request.maySpeakHTTP2)
        response = ResponseReader(request)
        rates = TransferRates(request, now: now)
        measurements =
            request.collectsMetrics
            ? TransferMeasurements(recordsHeads: request.recordsHeads) : nil
        lists = try RequestLists(request)
        tls.bundle = shared.bundles.bundle(for: request, now)
        try slot.apply(request, trusting: tls.bundle)
        try slot.handle.apply(lists)
        try installCallbacks()
    }

    /// Pauses both directions, and the clocks.
    func suspend(_ now: MonotonicInstant) {
        guard pauses.insert(.suspended).inserted else { return }
        clock.suspend(now)
        applyPauses()
    }

    /// Ends `suspend`.
    func resume(_ now: MonotonicInstant) {
        guard pauses.remove(.suspended) != nil else { return }
        clock.resume(now)
        touch()
        applyPauses()
    }

    /// Why its time is over, if it is; otherwise the latest time for the next check.
    func expiry(
        _ now: MonotonicInstant,
        next: inout MonotonicInstant
    ) -> TransferFailure? {
        // Once the response has begun the server has to send, whatever the request's body waits
        // for.
        let ours = response.knownStatus == nil ? pauses : pauses.subtracting(.sending)
        let isIdleStopped = !ours.isEmpty || !connection.hasBegun
        guard var failure = clock.expiry(now, isIdleStopped: isIdleStopped, next: &next) else {
            return nil
        }
        if case .idleTimeout = failure.reason {
            failure.lacksNetwork = lacksNetwork(.timedOut, 0)
        }
        return failure
    }

    /// Records that something happened, for the iteration's end.
    func touch() {
        guard !isTouched else { return }
        isTouched = true
        shared.touched.append(self)
    }

    /// libcurl no longer has it, and may get it again.
    func withdraw() {
        connection.withdraw()
        leaveHandshake()
    }

    /// The metrics so far, as far as the caller wants them.
    var metrics: TransferMetrics {
        var metrics = TransferMetrics(slot.handle)
        if let measurements {
            metrics.complete(slot.handle)
            measurements.complete(&metrics)
        }
        return metrics
    }

    private func stop() {
        stopReason = TransferFailure(.stoppedByHandler, detail: "stopped by its handler")
    }
}

// What a handler asks of its transfer.
extension Transfer: TransferControl {
    func resumeReceiving() {
        guard pauses.contains(.receiving) else { return }
        pauses.remove(.receiving)
        touch()
        applyPauses()
    }

    func release() {
        isReleased = true
    }
}

/// How much of a request's body was sent, and what the rest waits for.
struct RequestBodyProgress {
    /// Whether libcurl has asked for bytes of it since it began with the request.
    var hasSupplied = false
    /// The descriptor that ends `TransferPauses.sending`.
    var awaited: CInt?
    /// The bytes that were sent.
    var sent: Int64 = 0
    /// Whether the server, with its response whole, wanted no more of it: see
    /// ``TransferOutcome/serverStoppedBody``.
    var wasStopped = false
}

// The request's body.
extension Transfer {
    func supplyBody(_ space: UnsafeMutableRawBufferPointer) -> BodySupply {
        touch()
        body.hasSupplied = true
        refusals.noteSupplied()
        var space = space
        if let allowed = rates.sendingAllowance(.now) {
            guard allowed > 0 else {
                hold(.pacedSending)
                return .pause
            }
            space = UnsafeMutableRawBufferPointer(
                rebasing: space.prefix(Int(clamping: allowed))
            )
        }
        let supply = handler.supplyBody(space)
        switch supply {
        case .bytes(let count): rates.noteSent(count)
        case .end, .pause: break
        case .waitForReadable(let descriptor):
            pauses.insert(.sending)
            body.awaited = descriptor
            if !shared.awaiting.contains(where: { $0 === self }) { shared.awaiting.append(self) }
        case .stop: stop()
        }
        return supply
    }

    /// Continues after the descriptor that the body waited for is ready.
    func resumeSending() {
        body.awaited = nil
        pauses.remove(.sending)
        touch()
        applyPauses()
    }

    /// Stops waiting for a body that the server has refused to read: otherwise libcurl would wait too.
    func dropRefusedBody() {
        guard pauses.contains(.sending), response.takeRefusalOfBody() else { return }
        resumeSending()
    }

    /// Starts the body again, after a dead connection or a refused stream.
    func rewindBody(to offset: Int64) -> Bool {
        refusals.look(at: shared.goaways)
        return handler.rewindBody(to: offset, wasRefused: refusals.isRefused)
    }

    func noteSent(_ bytes: Int64) {
        guard bytes != body.sent else { return }
        body.sent = bytes
        measurements?.noteSent()
        shared.moves &+= 1
        touch()
    }
}

// The response.
extension Transfer {
    /// Takes one line of a head; `false` ends the transfer.
    func takeHeadLine(_ line: UnsafeRawBufferPointer) -> Bool {
        touch()
        measurements?.note(headLine: line, isConnecting: connection.isConnecting)
        guard !connection.isConnecting else { return takeConnectLine(line) }
        if request.readsCookies { response.cookies.take(line, from: slot.handle) }
        readToEndOfStream(line)
        switch response.take(line) {
        case .more: break
        case .interim(let head): handler.didReceive(interim: head)
        case .head(let head):
            // If it is no part of an authentication handshake, a body or the end follows.
            if !response.mayBeOfHandshake(hasSupplied: body.hasSupplied) { handOnHead() }
            if request.mayExpectContinue, head.status == 417 {
                // libcurl would send the request again, without the bytes that it has read of the body.
                stop()
                return false
            }
        case .malformed:
            stopReason = TransferFailure(
                .malformedHead,
                detail: "the response's header is not HTTP, contradicts itself, or is larger"
                    + " than 256 KiB or 1000 lines"
            )
            return false
        }
        return true
    }

    /// Has libcurl read a stream to its end while the request's body is sent.
    ///
    /// Where the Content-Length has come it would read no more. It would then hear neither that the
    /// server takes more of the body, nor that it wants none, and would spin until a timeout.
    private func readToEndOfStream(_ line: UnsafeRawBufferPointer) {
        guard request.body != .none, request.method != "HEAD", line.begins(with: "http/2 2") else {
            return
        }
        _ = try? slot.handle.set(CURLOPT_IGNORE_CONTENT_LENGTH, true)
    }

    /// Forwards a head that might have been part of an authentication handshake, and was not.
    func handOnHead() {
        guard response.isHolding, var head = response.takeHead() else { return }
        if let measurements { head.raw = measurements.takeHeads() }
        handler.didReceive(head)
    }

    func takeBody(_ bytes: UnsafeRawBufferPointer) -> ReceiveVerdict {
        touch()
        handOnHead()
        response.noteBody()
        // libcurl forgets a pause when it sends a request again on another connection.
        guard !pauses.contains(.suspended) else { return .pause }
        if rates.receiving?.allowance(.now) == 0 {
            hold(.pacedReceiving)
            return .pause
        }
        let verdict = handler.didReceive(bytes)
        switch verdict {
        case .taken:
            shared.moves &+= 1
            rates.receiving?.note(bytes.count)
        case .pause: pauses.insert(.receiving)
        case .stop: stop()
        }
        return verdict
    }
}
