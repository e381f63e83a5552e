import Dispatch

// Unchecked: its variables, the source and the body router are used on `queue` alone.
/// A hop that does not use the network: it passes a source's response to the body router, on its own queue.
final class LocalHop: RunningHop, @unchecked Sendable {
    /// Bytes to request from a source at once.
    private static let pieceSize = 64 << 10

    private let source: any ResponseSource
    private let responseContext: ResponseContext
    private let id: HopID
    private let client: any HopClient
    private let control: ResponseControl
    private let timeLimit: Duration?
    private let queue = DispatchQueue(label: "URLSession.LocalHop")
    private let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceSize, alignment: 64)
    private lazy var bodyRouter = BodyRouter(
        id,
        responseContext,
        client: client,
        control: control,
        wakeSoon: { [weak self] in self?.wake() },
        stop: { [weak self] in self?.isStopped = true }
    )
    /// The number of bytes in `piece` that the body router has not taken.
    private var pending = 0
    private var hasResponded = false
    private var hasRead = false
    private var isSuspended = false
    /// Whether the body router or the task has stopped the hop.
    private var isStopped = false
    private var error: URLError?
    private var hasEnded = false
    /// The moment of the last iteration that was planned without an event.
    private var nextAdvance: MonotonicInstant?
    private var stopwatch = Stopwatch()
    private var timer: (any DispatchSourceTimer)?

    /// Starts the hop, which calls its client as a ``Transport`` does.
    ///
    /// The time while the hop is suspended does not count for the time limit.
    init(
        _ source: any ResponseSource,
        _ responseContext: ResponseContext,
        id: HopID,
        client: any HopClient,
        temporaryFolder: String,
        timeLimit: Duration?
    ) {
        self.source = source
        self.responseContext = responseContext
        self.id = id
        self.client = client
        self.timeLimit = timeLimit
        control = ResponseControl(temporaryFolder: temporaryFolder)
        stopwatch.start()
        queue.async { [self] in
            self.source.start { [weak self] in self?.wake() }
            advance()
        }
    }

    deinit {
        piece.deallocate()
    }

    func decide(_ disposition: BodyDisposition) {
        control.gate.set(disposition)
        wake()
    }

    func consumed(_ bytes: Int) {
        if control.window.consume(bytes) { wake() }
    }

    func suspend() {
        queue.async { [self] in
            isSuspended = true
            stopwatch.stop()
        }
    }

    func resume() {
        queue.async { [self] in
            isSuspended = false
            stopwatch.start()
            advance()
        }
    }

    func cancel() {
        queue.async { [self] in stop(URLError(.cancelled)) }
    }

    func decide(_ disposition: TrustDecision, about trust: ServerTrust) {}

    func setPriority(_ priority: Float) {}

    private func wake() {
        queue.async { [self] in advance() }
    }
}

// The steps, on the queue.
extension LocalHop {
    /// Continues until the source has no bytes, or the receiver has no room.
    private func advance() {
        guard !hasEnded else { return }
        bodyRouter.wake()
        if !isStopped, !isSuspended { pump() }
        let deadline = bodyRouter.iterationEnded()
        let isOver = hasRead && pending == 0 && bodyRouter.isSettled && !isSuspended
        if isStopped || isOver { return finish() }
        // Received bytes are reported by then, though the source has no more.
        guard let deadline, deadline != nextAdvance else { return }
        nextAdvance = deadline
        let seconds = max(.zero, deadline - .now) / .seconds(1)
        queue.asyncAfter(deadline: .now() + seconds) { [weak self] in
            self?.nextAdvance = nil
            self?.advance()
        }
    }

    private func stop(_ error: URLError) {
        isStopped = true
        self.error = self.error ?? error
        advance()
    }

    private func pump() {
        do throws(URLError) {
            if !hasResponded { try takeHead() }
            while hasResponded, !isStopped {
                guard try deliver() else { return }
            }
        } catch {
            // We first pass on the bytes that arrived before the error.
            self.error = self.error ?? error
            hasRead = true
        }
    }

    /// Reads the head, and passes it on, if it is available.
    private func takeHead() throws(URLError) {
        switch try source.response() {
        case .http(let head): bodyRouter.receive(head)
        case .other(let response): bodyRouter.receive(response)
        case .redirect(let response, let request):
            bodyRouter.receive(response, redirectingTo: request)
        case .later: return keepTime()
        }
        hasResponded = true
    }

    /// Reads a piece of the body, and passes it on; returns whether another piece may follow now.
    private func deliver() throws(URLError) -> Bool {
        if pending == 0, !hasRead {
            switch try source.read(into: piece) {
            case .bytes(let count): pending = count
            case .end: hasRead = true
            case .later: keepTime()
            }
        }
        guard pending > 0 else { return false }
        switch bodyRouter.take(UnsafeRawBufferPointer(rebasing: piece[..<pending])) {
        case .taken:
            pending = 0
            return true
        case .full: break
        case .enough: isStopped = true
        }
        return false
    }

    /// Starts the timer of the time limit when the hop must wait for the source for the first time.
    private func keepTime() {
        guard timer == nil, let timeLimit else { return }
        let timer = DispatchSource.makeTimerSource(queue: queue)
        self.timer = timer
        timer.setEventHandler { [weak self] in self?.checkTime(against: timeLimit) }
        schedule(after: timeLimit - stopwatch.elapsed)
        timer.activate()
    }

    private func checkTime(against timeLimit: Duration) {
        let left = timeLimit - stopwatch.elapsed
        guard left <= .zero else { return schedule(after: left) }
        stop(.wholeTimeout)
    }

    /// Sets the timer, at least 0.1 s ahead, because the task may have paused the clock.
    private func schedule(after left: Duration) {
        let seconds = min(max(left / .seconds(1), 0.1), 1e6)
        timer?.schedule(deadline: .now() + seconds)
    }

    private func finish() {
        hasEnded = true
        timer?.cancel()
        timer = nil
        source.stop()
        let end = HopEnd()
        end.error = bodyRouter.hadEnough ? nil : error
        var metrics = HopMetrics()
        metrics.resourceFetchType = source.fetchType
        end.metrics = metrics
        bodyRouter.finish(end)
        client.hop(id, didEnd: end)
    }
}
