import CurlMulti
import Synchronization
import SystemPackage

/// The transport of a real session: a loop of libcurl's, created with the first hop, and further loops
/// where the configuration asks for several threads.
final class CurlTransport: Transport {
    private let settings: SessionSettings
    /// The thread that runs the first loop; `nil`: a thread of its own.
    private let host: SessionHost?
    private let temporaryFolder: String
    /// What all requests have in common, with the rate limits of all hops together.
    private let template: TransferRequest
    /// The same for requests that use TLS, made with the first of them.
    private let secureTemplate = Mutex<TransferRequest?>(nil)
    private let loop = Mutex<TransferLoop?>(nil)
    /// The loops of lanes 1 and above; all lanes share one count of connections.
    private let others = Mutex<[Int: TransferLoop]>([:])
    /// For Negotiate: while libcurl waits for a ticket, its loop is blocked.
    private let negotiatingLoop = Mutex<TransferLoop?>(nil)
    /// Makes header lines; locked during a start, so that the loop in use is not finished meanwhile.
    private let starting = Mutex(HeaderLineMaker())

    init(_ settings: SessionSettings, _ host: SessionHost? = nil) {
        self.settings = settings
        self.host = host
        temporaryFolder = settings.temporaryFolder
        let rate = settings.transport.maximumBytesPerSecond
        var template = TransferRequest(settings, nil)
        template.receivePacer = SharedPacer(bytesPerSecond: rate)
        template.sendPacer = SharedPacer(bytesPerSecond: rate)
        self.template = template
    }

    func start(
        _ request: HopRequest,
        id: HopID,
        client: any HopClient
    ) throws(URLError) -> any RunningHop {
        try starting.withLock { header throws(URLError) in
            try begin(request, id, client, &header)
        }
    }

    private func begin(
        _ request: HopRequest,
        _ id: HopID,
        _ client: any HopClient,
        _ header: inout HeaderLineMaker
    ) throws(URLError) -> any RunningHop {
        let loop =
            request.negotiates ? try open(negotiatingLoop) : try open(lane: request.lane)
        let transfer = loop.makeID()
        let hop = CurlHop(
            loop,
            transfer,
            temporaryFolder: temporaryFolder,
            lane: loop.isHosted ? host?.lane : nil
        )
        do {
            let usesTLS = request.request.isSecure || request.proxy?.scheme == .https
            let lines = header.lines(of: request.request, mayExpect: request.mayExpectContinue)
            try loop.start(
                transfer,
                TransferRequest(
                    request,
                    usesTLS ? madeSecureTemplate() : template,
                    lines,
                    tunnels: settings.transport.tunnelsThroughProxy
                )
            ) { HopHandler(id, request, client: client, control: hop) }
        } catch {
            throw URLError(.resourceUnavailable, detail: "no thread for transfers: \(error)")
        }
        return hop
    }

    func finish() {
        loop.withLock { $0?.finish() }
        others.withLock { for loop in $0.values { loop.finish() } }
        negotiatingLoop.withLock { $0?.finish() }
    }

    func renewConnections() {
        starting.withLock { _ in
            // Each loop ends, with its connections, after its last transfer.
            finish()
            loop.withLock { $0 = nil }
            others.withLock { $0 = [:] }
            negotiatingLoop.withLock { $0 = nil }
        }
    }

    private func madeSecureTemplate() -> TransferRequest {
        secureTemplate.withLock { secure in
            if let secure { return secure }
            var made = template
            made.tls = TLSOptions(settings, TrustStore(settings.transport.trust))
            secure = made
            return made
        }
    }

    private func open(lane: Int) throws(URLError) -> TransferLoop {
        let first = try open(loop, hostedBy: host)
        guard lane > 0 else { return first }
        return try others.withLock { others throws(URLError) in
            if let loop = others[lane] { return loop }
            let opened = try makeLoop(sharing: first.gate)
            others[lane] = opened
            return opened
        }
    }

    private func open(
        _ loop: borrowing Mutex<TransferLoop?>,
        hostedBy host: SessionHost? = nil
    ) throws(URLError) -> TransferLoop {
        try loop.withLock { loop throws(URLError) in
            if let loop { return loop }
            let opened = try makeLoop(hostedBy: host)
            loop = opened
            return opened
        }
    }

    private func makeLoop(
        sharing gate: ConnectionGate? = nil,
        hostedBy host: SessionHost? = nil
    ) throws(URLError) -> TransferLoop {
        let limits = LoopLimits(
            connectionsPerHost: settings.maximumConnectionsPerHost,
            multiplexes: settings.multiplexes
        )
        if let loop = host?.makeLoop(limits) { return loop }
        do {
            return try TransferLoop(limits: limits, gate: gate)
        } catch {
            throw URLError(.resourceUnavailable, detail: "no descriptor left: \(error)")
        }
    }
}

/// A hop on a loop; shared by its handler on the loop's thread and its task on any thread.
final class CurlHop: RunningHop {
    let response: ResponseControl
    let trustGate = TrustGate()
    private let loop: TransferLoop
    private let transfer: TransferID

    init(
        _ loop: TransferLoop,
        _ transfer: TransferID,
        temporaryFolder: String,
        lane: DelegateLane? = nil
    ) {
        self.loop = loop
        self.transfer = transfer
        response = ResponseControl(temporaryFolder: temporaryFolder, lane: lane)
    }

    var responseControl: ResponseControl? { response }

    func decide(_ disposition: BodyDisposition) {
        if response.gate.set(disposition) { loop.wake(transfer) }
    }

    func decide(_ disposition: TrustDecision, about trust: ServerTrust) {
        trustGate.set(disposition, about: trust)
        loop.wake(transfer)
    }

    func consumed(_ bytes: Int) {
        if response.window.consume(bytes) { loop.wake(transfer) }
    }

    func suspend() {
        loop.suspend(transfer)
    }

    func resume() {
        loop.resume(transfer)
    }

    func cancel() {
        response.isCancelled.store(true, ordering: .releasing)
        loop.cancel(transfer)
        // Only a wake reaches a cancelled transfer that has already ended.
        loop.wake(transfer)
    }

    /// Requests a call of the handler after other hops have run.
    func wake() {
        loop.wake(transfer)
    }

    func setPriority(_ priority: Float) {
        loop.setWeight(transfer, to: Self.streamWeight(priority))
    }

    /// Converts a task's priority, 0 to 1, to an HTTP/2 weight, 1 to 256
    /// ([RFC 7540 §5.3.2](https://www.rfc-editor.org/rfc/rfc7540#section-5.3.2)).
    static func streamWeight(_ priority: Float) -> Int {
        1 + Int((priority * 255).rounded())
    }
}
