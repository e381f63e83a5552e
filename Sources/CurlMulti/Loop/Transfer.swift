import CCurl

/// One transfer on its loop: the handle, the lists that libcurl reads from, and where it stands.
///
/// It is reached only from the thread of its loop; libcurl's callbacks get a pointer to it.
final class Transfer {
    let id: TransferID
    let handler: any TransferHandler
    let slot: EasySlot
    /// Where a transfer is.
    enum Place {
        /// Suspended before its request, or ended.
        case outside
        /// In the gate's queue.
        case waiting
        /// In libcurl.
        case running
    }

    let idleTimeout: Duration?
    /// Scheme, host and port.
    let origin: String
    /// Whether HTTP/2 may be spoken there.
    let mayMultiplex: Bool
    let trafficClass: UInt8
    /// The URL's host, without brackets.
    let host: String
    /// Whether the server is spoken to with TLS.
    let isSecure: Bool
    private let method: String
    /// Whether an address to which there is no way is passed over.
    let needsPath: Bool
    /// Whether it is to come from a certain interface or address.
    let isBound: Bool
    /// Where libcurl has tried to connect to.
    var attempts = ConnectAttempts()
    let verifiesServer: Bool
    let asksAboutServer: Bool
    let reportsWantedCertificate: Bool
    /// The server's handshake, while the connection is being made.
    var handshake: Handshake?
    /// The connection that the request was sent over, where it has TLS.
    var connection: Handshake?
    /// What the server has shown of itself.
    var trust: PeerTrust?
    /// Whether the answer's body ends where the connection does.
    private(set) var endsWithConnection = false
    var place = Place.outside
    /// How often it is going to hear of a place that it has given back.
    var staleAdmissions = 0
    /// What the time limit leaves, while the clock runs: until when.
    private(set) var deadline: ContinuousClock.Instant?
    /// What the time limit leaves, while the transfer is suspended.
    private var timeLeft: Duration?
    private let headerLines: StringList
    private let proxyHeaderLines: StringList
    private let resolve: StringList
    private let connectTo: StringList

    var pauses: Pauses = []
    /// The descriptor that ends `Pauses.sending`.
    private(set) var awaited: CInt?
    /// Whether the request's first byte may have left; before, libcurl knows no pause.
    private(set) var hasSentRequest = false
    /// Whether something of the answer came since a refused body was last given up.
    private var hasAnswerMoved = false
    /// Whether the answer came over HTTP/2.
    private(set) var isMultiplexed = false
    /// The status of the final answer, once its head has come.
    private var status: Int?
    /// Whether libcurl has begun with it, or it still waits for a connection to come free.
    var hasBegun = false
    /// Whether the server may have acted on the request.
    var mayHaveReachedServer = false
    /// Whether the server has refused the request's stream, and the next has not left yet.
    var isStreamRefused = false
    /// The number of its stream, where that is traced.
    var stream: UInt32?
    /// The connection that the request is sent over, where that may carry others.
    var connectionName: ConnectionName?
    /// Whether libcurl has made a connection for the request that is about to be sent.
    var hasConnected = false
    /// Whether what servers say of streams is traced: for itself, or for others on its connection.
    let tracesGoaways: Bool
    /// The bytes of the request's body that have left.
    private(set) var sent: Int64 = 0
    let turn: Turn
    /// Whether it stands among the turn's touched ones.
    var isTouched = false
    /// When its handler wants a turn, though nothing happens.
    var nextTurn: ContinuousClock.Instant?
    /// When something last happened.
    var lastActivity: ContinuousClock.Instant
    var hasEnded = false
    var isReleased = false
    /// The reason that a callback of ours had for ending it.
    var stopReason: TransferFailure?
    private var parser = ResponseHeadParser()
    /// Whether the request has a body, be it empty.
    private let hasBody: Bool
    /// Whether libcurl has asked for something of it since it began with the request.
    private var hasSupplied = false
    /// Whether libcurl shakes hands with the server or the proxy before the answer comes.
    private let shakesHands: Bool
    /// A refusal, as long as it may be a part of that.
    private var heldHead: ResponseHead?
    /// Whether the body waits for the server to want it.
    private let mayExpectContinue: Bool
    /// What a proxy has answered to CONNECT.
    var connectAnswer = ConnectAnswer()
    /// Whether the connection is being made, so that a head is a proxy's answer to CONNECT.
    private var isConnecting = true
    /// Whether libcurl answers a proxy's challenge, so that a refusal may not be the last word.
    let answersProxy: Bool
    /// What is noted of it for those who want to know what it cost; `nil` where nobody does.
    let measurements: TransferMeasurements?
    /// Whether the request may not be repeated unless the server has refused it.
    let notesRefusals: Bool
    /// Whether the handler hears what libcurl tells.
    let tracesTransfer: Bool
    private let readsCookies: Bool
    /// What the answer has set so far, refusals within a handshake included.
    var cookies: [String] = []
    /// Whether it is for the answer under way to set any.
    var maySetCookies = false
    let receivePacer: SharedPacer?
    private(set) var sendPacer: Pacer?

    init(
        _ request: TransferRequest,
        id: TransferID,
        slot: EasySlot,
        handler: any TransferHandler,
        turn: Turn,
        now: ContinuousClock.Instant
    ) throws(CurlCode) {
        self.id = id
        self.slot = slot
        self.handler = handler
        self.turn = turn
        idleTimeout = request.idleTimeout
        origin = request.origin
        mayMultiplex = request.mayMultiplex
        trafficClass = request.connection.trafficClass
        shakesHands = request.authentication != nil || request.proxyAuthentication != nil
        hasBody = request.body != .none
        mayExpectContinue = request.mayExpectContinue
        readsCookies = request.readsCookies
        tracesTransfer = request.tracesTransfer
        notesRefusals = request.notesRefusals && request.maySpeakHTTP2
        tracesGoaways = notesRefusals || (turn.noting > 0 && mayMultiplex)
        parser.mayBeFollowed = shakesHands
        answersProxy = request.proxyAuthentication != nil
        host = request.host
        isSecure = request.isSecure
        method = request.method
        needsPath = request.connection.needsPath
        isBound = request.connection.interface != nil
        verifiesServer = request.tls.verifiesServer
        asksAboutServer = request.tls.verifiesServer && request.tls.asksAboutServer
        reportsWantedCertificate =
            request.tls.reportsWantedCertificate && request.tls.clientCertificate == nil
        lastActivity = now
        measurements =
            request.collectsMetrics
            ? TransferMeasurements(recordsHeads: request.recordsHeads) : nil
        receivePacer =
            request.receivePacer
            ?? SharedPacer(bytesPerSecond: request.connection.maximumReceiveRate, now: now)
        sendPacer = Pacer(bytesPerSecond: request.connection.maximumSendRate, now: now)
        deadline = request.timeLimit.map { now + $0 }
        headerLines = try StringList(request.headerLines)
        proxyHeaderLines = try StringList(request.proxyHeaderLines)
        resolve = try StringList(request.connection.resolve)
        connectTo = try StringList(request.connection.connectTo)
        try slot.handle.apply(request)
        slot.note(request)
        try slot.handle.set(CURLOPT_HTTPHEADER, pointer: headerLines.head)
        try slot.handle.set(CURLOPT_PROXYHEADER, pointer: proxyHeaderLines.head)
        try slot.handle.set(CURLOPT_RESOLVE, pointer: resolve.head)
        try slot.handle.set(CURLOPT_CONNECT_TO, pointer: connectTo.head)
        try installCallbacks(reportsProgress: request.body != .none)
    }

    /// Holds both directions, and the clocks.
    func suspend(_ now: ContinuousClock.Instant) {
        guard pauses.insert(.suspended).inserted else { return }
        timeLeft = deadline.map { $0 - now }
        deadline = nil
        applyPauses()
    }

    /// Ends `suspend`.
    func resume(_ now: ContinuousClock.Instant) {
        guard pauses.remove(.suspended) != nil else { return }
        deadline = timeLeft.map { now + $0 }
        touch()
        applyPauses()
    }

    /// Why its time is over, if it is; otherwise when to look again at the latest.
    func expiry(
        _ now: ContinuousClock.Instant,
        next: inout ContinuousClock.Instant
    ) -> TransferFailure? {
        if let deadline {
            if deadline <= now {
                return TransferFailure(.timeLimit, detail: "the whole took too long")
            }
            next = min(next, deadline)
        }
        guard let idleTimeout else { return nil }
        // Once the answer has begun it is the server's turn, whatever the body waits for.
        let ours = (status ?? heldHead?.status) == nil ? pauses : pauses.subtracting(.sending)
        if !ours.isEmpty || !hasBegun { lastActivity = now }
        guard lastActivity + idleTimeout <= now else {
            next = min(next, lastActivity + idleTimeout)
            return nil
        }
        let seconds = Double(idleTimeout.milliseconds) / 1_000
        var failure = TransferFailure(
            .idleTimeout,
            detail: "no byte moved for \(seconds) seconds"
        )
        failure.lacksNetwork = lacksNetwork(.timedOut, 0)
        return failure
    }

    /// Says that something happened, so that the turn's end looks here.
    func touch() {
        guard !isTouched else { return }
        isTouched = true
        turn.touched.append(self)
    }

    /// libcurl is about to look up a name, connect, or send the request.
    func begin() {
        hasBegun = true
        touch()
    }

    /// libcurl makes a connection: the first, or another one for one that died.
    func beginConnecting() {
        isConnecting = true
        hasConnected = true
        connectAnswer = ConnectAnswer()
        begin()
    }

    /// libcurl is about to send the request.
    func beginRequest() {
        isConnecting = false
        (stream, connectionName) = (nil, nil)
        hasSentRequest = true
        hasSupplied = false
        mayHaveReachedServer = true
        begin()
    }

    /// It is out of libcurl, and may be given to it again.
    func withdraw() {
        hasBegun = false
        leaveHandshake()
    }

    /// Stops to wait for a body that the server has refused to read: libcurl would wait with us.
    func dropRefusedBody() {
        guard let status = status ?? heldHead?.status, status >= 300, pauses.contains(.sending),
            hasAnswerMoved
        else { return }
        // Only when the answer has moved: where libcurl wants the body all the same, it asks, waits
        // again, and would have us ask for ever.
        hasAnswerMoved = false
        resumeSending()
    }

    func noteSent(_ bytes: Int64) {
        guard bytes != sent else { return }
        sent = bytes
        measurements?.noteSent()
        turn.moves &+= 1
        touch()
    }

    /// Goes on once the descriptor that the body waited for has something.
    func resumeSending() {
        awaited = nil
        pauses.remove(.sending)
        touch()
        applyPauses()
    }

    /// Takes one line of a head; `false` ends the transfer.
    func takeHeadLine(_ line: UnsafeRawBufferPointer) -> Bool {
        touch()
        measurements?.note(headLine: line, isConnecting: isConnecting)
        guard !isConnecting else { return takeConnectLine(line) }
        hasAnswerMoved = true
        if readsCookies { takeCookies(line) }
        switch parser.take(line) {
        case .more: break
        case .interim(let head): handler.didReceive(interim: head)
        case .head(let head):
            heldHead = head
            // Where it is no part of a handshake, a body follows, or the end.
            if !shakesHands || !mayBeOfHandshake(head) { handOnHead() }
            if mayExpectContinue, head.status == 417 {
                // libcurl would send again, and without what it has read of the body.
                stop()
                return false
            }
        case .malformed:
            stopReason = TransferFailure(
                .malformedHead,
                detail: "the head of the answer is not HTTP, contradicts itself, or is larger"
                    + " than 256 KiB"
            )
            return false
        }
        return true
    }

    /// Whether libcurl may send the request again after an answer: a refusal, or what a server that
    /// asks for nothing answers to the first message, which goes without the body.
    private func mayBeOfHandshake(_ head: ResponseHead) -> Bool {
        [401, 407].contains(head.status) || (hasBody && !hasSupplied && head.status < 300)
    }

    /// What has come behind the body, and was announced.
    var trailers: [ResponseHead.Field] { parser.trailers }

    /// Hands on a head that might have been part of a handshake, and was not.
    func handOnHead() {
        guard var head = heldHead else { return }
        heldHead = nil
        if let measurements { head.raw = measurements.takeHeads() }
        head.cookies = cookies
        status = head.status
        isMultiplexed = head.version == "2"
        endsWithConnection = head.endsWithConnection(method)
        handler.didReceive(head)
    }

    func takeBody(_ bytes: UnsafeRawBufferPointer) -> ReceiveVerdict {
        touch()
        handOnHead()
        hasAnswerMoved = true
        // libcurl forgets a pause when it sends a request again on another connection.
        guard !pauses.contains(.suspended) else { return .pause }
        if receivePacer?.allowance(.now) == 0 {
            hold(.pacedReceiving)
            return .pause
        }
        let verdict = handler.didReceive(bytes)
        switch verdict {
        case .taken:
            turn.moves &+= 1
            receivePacer?.note(bytes.count)
        case .pause: pauses.insert(.receiving)
        case .stop: stop()
        }
        return verdict
    }

    func supplyBody(_ space: UnsafeMutableRawBufferPointer) -> BodySupply {
        touch()
        hasSupplied = true
        isStreamRefused = false
        var space = space
        if let allowed = sendPacer?.allowance(.now) {
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
        case .bytes(let count): sendPacer?.note(count)
        case .end, .pause: break
        case .waitForReadable(let descriptor):
            pauses.insert(.sending)
            awaited = descriptor
            if !turn.awaiting.contains(where: { $0 === self }) { turn.awaiting.append(self) }
        case .stop: stop()
        }
        return supply
    }

    private func stop() {
        stopReason = TransferFailure(.stoppedByHandler, detail: "stopped by its handler")
    }
}
