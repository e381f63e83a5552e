import CurlMulti
import Synchronization
import SystemPackage

/// The transport of a real session: a loop of libcurl's, created with the first hop, and further loops
/// where the configuration asks for several threads.
final class CurlTransport: Transport {
    /// What the hops share; locked during a start, so that the loop in use is not finished meanwhile.
    private struct State {
        var header = HeaderLineMaker()
        /// By lane; all lanes but ``negotiatingLane`` share one count of connections.
        var loops: [Int: TransferLoop] = [:]
        /// The part of requests that use TLS, made with the first of them.
        var secureTemplate: TransferRequest?
    }

    /// The lane for Negotiate: while libcurl waits for a ticket, its loop is blocked.
    private static let negotiatingLane = -1

    private let settings: SessionSettings
    /// The thread that runs the first loop; `nil`: a thread of its own.
    private let host: SessionHost?
    private let temporaryFolder: String
    /// What all requests have in common, with the rate limits of all hops together.
    private let template: TransferRequest
    private let state = Mutex(State())

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
        try state.withLock { state throws(URLError) in
            let lane = request.negotiates ? Self.negotiatingLane : request.lane
            let loop = try loop(of: lane, &state)
            let transfer = loop.makeID()
            let hop = CurlHop(
                loop,
                transfer,
                temporaryFolder: temporaryFolder,
                lane: loop.isHosted ? host?.lane : nil
            )
            let usesTLS = request.request.isSecure || request.proxy?.scheme == .https
            let lines = state.header.lines(
                of: request.request,
                mayExpect: request.mayExpectContinue
            )
            do {
                try loop.start(
                    transfer,
                    TransferRequest(
                        request,
                        usesTLS ? secureTemplate(&state) : template,
                        lines,
                        tunnels: settings.transport.tunnelsThroughProxy
                    )
                ) { HopHandler(id, request, client: client, control: hop) }
            } catch {
                throw URLError(.resourceUnavailable, detail: "no thread for transfers: \(error)")
            }
            return hop
        }
    }

    func finish() {
        state.withLock { for loop in $0.loops.values { loop.finish() } }
    }

    func renewConnections() {
        // Each loop ends, with its connections, after its last transfer.
        state.withLock { state in
            for loop in state.loops.values { loop.finish() }
            state.loops = [:]
        }
    }

    private func secureTemplate(_ state: inout State) -> TransferRequest {
        if let made = state.secureTemplate { return made }
        var made = template
        made.tls = TLSOptions(settings, TrustStore(settings.transport.trust))
        state.secureTemplate = made
        return made
    }

    private func loop(of lane: Int, _ state: inout State) throws(URLError) -> TransferLoop {
        if let loop = state.loops[lane] { return loop }
        let gate = lane > 0 ? try loop(of: 0, &state).gate : nil
        let limits = LoopLimits(
            connectionsPerHost: settings.maximumConnectionsPerHost,
            multiplexes: settings.multiplexes
        )
        let made: TransferLoop
        if lane == 0, let loop = host?.makeLoop(limits) {
            made = loop
        } else {
            do {
                made = try TransferLoop(limits: limits, gate: gate)
            } catch {
                throw URLError(.resourceUnavailable, detail: "no descriptor left: \(error)")
            }
        }
        state.loops[lane] = made
        return made
    }
}

/// A hop on a loop; shared by its handler on the loop's thread and its task on any thread.
final class CurlHop: RunningHop {
    let response: ResponseControl
    private let decision = Mutex<(trust: ServerTrust, disposition: TrustDecision)?>(nil)
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
        note(disposition, about: trust)
        loop.wake(transfer)
    }

    func note(_ disposition: TrustDecision, about trust: ServerTrust) {
        decision.withLock { $0 = (trust, disposition) }
    }

    /// The decision about exactly this trust.
    func disposition(about trust: ServerTrust) -> TrustDecision? {
        decision.withLock { $0?.trust == trust ? $0?.disposition : nil }
    }

    func consumed(_ bytes: Int) {
        if response.window.consume(bytes) { loop.wake(transfer) }
    }

    func suspend() { loop.suspend(transfer) }

    func resume() { loop.resume(transfer) }

    func cancel() {
        response.isCancelled.store(true, ordering: .releasing)
        loop.cancel(transfer)
        // Only a wake reaches a cancelled transfer that has already ended.
        loop.wake(transfer)
    }

    /// Requests a call of the handler after other hops have run.
    func wake() { loop.wake(transfer) }

    func setPriority(_ priority: Float) {
        loop.setWeight(transfer, to: Self.streamWeight(priority))
    }

    /// Converts a task's priority, 0 to 1, to an HTTP/2 weight, 1 to 256
    /// ([RFC 7540 §5.3.2](https://www.rfc-editor.org/rfc/rfc7540#section-5.3.2)).
    static func streamWeight(_ priority: Float) -> Int {
        1 + Int((priority * 255).rounded())
    }
}
