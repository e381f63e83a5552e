import CCurl
import HTTPSemantics

/// One transfer on its loop: the handle, its request, and its state.
///
/// Only the thread of its loop uses it; libcurl's callbacks receive a pointer to it.
final class Transfer {
    let id: TransferID
    let request: TransferRequest
    let handler: any TransferHandler
    let slot: EasySlot
    /// The state that all transfers of its loop share.
    let shared: SharedState
    /// The origin that the gate counts its connections for.
    let origin: String
    /// Whether its connection may turn out to carry other requests at the same time.
    let mayMultiplex: Bool
    // The rarer lists of the request, which libcurl reads during the whole transfer.
    private let proxyHeaderLines: StringList
    private let resolve: StringList
    private let connectTo: StringList

    var admission = Admission()
    var clock: TransferClock
    var connection = ConnectionProgress()
    var tls = TLSProgress()
    var refusals: StreamRefusals
    var body = RequestBodyProgress()
    // Unchecked: no method of a reader can reach its transfer.
    @exclusivity(unchecked) var response: ResponseReader
    var pauses: TransferPauses = []
    var rates: TransferRates
    /// Its measurements, if the caller wants metrics; otherwise `nil`.
    let measurements: TransferMeasurements?

    /// Whether the iteration's list of touched transfers contains it.
    var isTouched = false
    /// The moment when its handler wants a call even without an event.
    var nextDeadline: MonotonicInstant?
    /// The reason why one of our callbacks ended it.
    var stopReason: TransferFailure?
    var hasEnded = false
    private(set) var isReleased = false

    init(
        _ request: TransferRequest,
        id: TransferID,
        slot: EasySlot,
        handler: any TransferHandler,
        shared: SharedState,
        now: MonotonicInstant
    ) throws(CurlCode) {
        self.id = id
        self.handler = handler
        self.slot = slot
        self.shared = shared
        origin = request.origin
        mayMultiplex = request.mayMultiplex
        let (idleTimeout, timeLimit) = (request.idleTimeout, request.timeLimit)
        clock = TransferClock(idleTimeout: idleTimeout, timeLimit: timeLimit, now: now)
        refusals = StreamRefusals(isTracking: request.notesRefusals && request.maySpeakHTTP2)
        response = ResponseReader(request, like: shared.lastFields)
        rates = TransferRates(request)
        measurements =
            request.collectsMetrics
            ? TransferMeasurements(recordsHeads: request.recordsHeads) : nil
        proxyHeaderLines = try StringList(request.proxyHeaderLines)
        resolve = try StringList(request.connection.resolve)
        connectTo = try StringList(request.connection.connectTo)
        tls.bundle = shared.bundles.bundle(for: request, now)
        try slot.apply(request, trusting: tls.bundle)
        if let head = proxyHeaderLines.head {
            try slot.handle.set(CURLOPT_PROXYHEADER, pointer: head)
        }
        if let head = resolve.head { try slot.handle.set(CURLOPT_RESOLVE, pointer: head) }
        if let head = connectTo.head { try slot.handle.set(CURLOPT_CONNECT_TO, pointer: head) }
        // Stored last: Swift would copy it for each of these calls.
        self.request = request
        try installCallbacks()
    }

    /// Pauses both directions and the clocks.
    func suspend(_ now: MonotonicInstant) {
        guard pauses.insert(.suspended).inserted else { return }
        clock.suspend(now)
        applyPauses()
    }

    func resume(_ now: MonotonicInstant) {
        guard pauses.remove(.suspended) != nil else { return }
        clock.resume(now)
        touch()
        applyPauses()
    }

    /// The failure of an expired transfer; otherwise sets the latest time for the next check.
    func expiry(_ now: MonotonicInstant, next: inout MonotonicInstant) -> TransferFailure? {
        // After the response has begun, the server must send, even if the request's body waits.
        let ours = response.knownStatus == nil ? pauses : pauses.subtracting(.sending)
        let isIdleStopped = !ours.isEmpty || !connection.hasBegun
        guard var failure = clock.expiry(now, isIdleStopped: isIdleStopped, next: &next) else {
            return nil
        }
        if case .idleTimeout = failure.reason { failure.hasNoPath = hasNoPath(.timedOut, 0) }
        return failure
    }

    /// Notes that the transfer has changed, for the end of the iteration.
    func touch() {
        guard !isTouched else { return }
        isTouched = true
        shared.touched.append(self)
    }

    /// Notes that the loop has removed the transfer from libcurl, and may add it again.
    func withdraw() {
        connection.withdraw()
        detachHandshake()
    }

    private func stop() {
        stopReason = TransferFailure(.stoppedByHandler, detail: "stopped by its handler")
    }
}

// The calls of a handler for its transfer.
extension Transfer: TransferControl {
    func resumeReceiving() {
        guard pauses.remove(.receiving) != nil else { return }
        touch()
        applyPauses()
    }

    func release() {
        isReleased = true
    }
}

/// The progress of a request's body, and the descriptor that the rest waits for.
struct RequestBodyProgress {
    /// Whether libcurl has asked for bytes of the body since it began with the request.
    var hasSupplied = false
    /// The descriptor that ends `TransferPauses.sending`.
    var awaited: CInt?
    /// The bytes that libcurl has sent.
    var sent: Int64 = 0
    /// Whether bytes or the end of the body have left since ``Transfer/readBesideBody()`` last read.
    var hasMoved = false
    /// Whether the server stopped the body after a complete response.
    ///
    /// See ``TransferOutcome/serverStoppedBody``.
    var wasStopped = false
}

// The request's body.
extension Transfer {
    func supplyBody(_ space: UnsafeMutableRawBufferPointer) -> BodySupply {
        touch()
        body.hasSupplied = true
        refusals.noteSupplied()
        var space = space
        if let allowed = rates.sending?.allowance(.now) {
            guard allowed > 0 else {
                pauseForRate(.pacedSending)
                return .pause
            }
            space = UnsafeMutableRawBufferPointer(rebasing: space.prefix(Int(clamping: allowed)))
        }
        let supply = handler.supplyBody(space)
        switch supply {
        case .bytes(let count): rates.sending?.note(count)
        case .end: body.hasMoved = true
        case .pause: break
        case .waitForReadable(let descriptor):
            pauses.insert(.sending)
            body.awaited = descriptor
            if !shared.awaiting.contains(where: { $0 === self }) { shared.awaiting.append(self) }
        case .stop: stop()
        }
        return supply
    }

    /// Resumes the body after the descriptor that it waited for is ready.
    func resumeSending() {
        body.awaited = nil
        pauses.remove(.sending)
        touch()
        applyPauses()
    }

    /// Ends the wait for a body that the server has refused to read: otherwise libcurl would wait too.
    func dropRefusedBody() {
        guard pauses.contains(.sending), response.takeRefusalOfBody() else { return }
        resumeSending()
    }

    /// Starts the body again, after a dead connection or a refused stream.
    func rewindBody(to offset: Int64) -> Bool {
        refusals.update(from: shared.goaways)
        return handler.rewindBody(to: offset, wasRefused: refusals.isRefused)
    }

    func noteSent(_ bytes: Int64) {
        guard bytes != body.sent else { return }
        body.sent = bytes
        body.hasMoved = true
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
        readToEndOfStream(line)
        let slot = slot
        switch response.take(line, takeCookies: { slot.handle.takeCookies() }) {
        case .more: break
        case .interim(let head): handler.didReceive(interim: head)
        case .head(let head):
            shared.lastFields = head.fields
            // Unless the head may be part of an authentication handshake, only a body or the end can follow.
            if !response.mayBeHandshakeStep(hasSupplied: body.hasSupplied) { deliverHead() }
            // libcurl answers every new challenge, and sends the body each time.
            guard response.refusals <= ResponseReader.maximumRefusals else {
                let party = head.status == 407 ? "proxy" : "server"
                let words = "the \(party) refused the credential \(response.refusals) times"
                stopReason = TransferFailure(.handshakeRefused, detail: words)
                return false
            }
            if request.mayExpectContinue, head.status == 417 {
                // libcurl would send the request again, without the bytes of the body that it has
                // already read.
                stop()
                return false
            }
        case .malformed:
            let words =
                "the response's header is not HTTP, contradicts itself, or is larger than 256 KiB or 1000 lines"
            stopReason = TransferFailure(.malformedHead, detail: words)
            return false
        }
        return true
    }

    /// Makes libcurl read a stream to its end while it sends the request's body.
    ///
    /// Otherwise libcurl stops reading after as many bytes as the Content-Length says. It would then miss
    /// that the server accepts more of the body, or refuses the rest, and would spin until a time-out.
    private func readToEndOfStream(_ line: UnsafeRawBufferPointer) {
        guard request.body != .none, request.method != "HEAD", line.begins(with: "http/2 2") else {
            return
        }
        _ = try? slot.handle.set(CURLOPT_IGNORE_CONTENT_LENGTH, true)
    }

    /// Passes the buffered head to the handler: it was not part of an authentication handshake.
    func deliverHead() {
        guard response.hasDeferredHead, var head = response.takeHead() else { return }
        if let measurements { head.raw = measurements.takeHeads() }
        handler.didReceive(head, sent: body.sent)
    }

    func takeBody(_ bytes: UnsafeRawBufferPointer) -> ReceiveVerdict {
        touch()
        deliverHead()
        response.noteBody()
        // libcurl forgets a pause when it sends a request again on another connection.
        guard !pauses.contains(.suspended) else { return .pause }
        if rates.receiving?.allowance(.now) == 0 {
            pauseForRate(.pacedReceiving)
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
