import Dispatch

/// Passes the response of one local hop from its source to its body router, on the hop's queue.
final class LocalRun {
    /// Bytes to request from a source at once.
    private static let pieceSize = 64 << 10

    private let source: any ResponseSource
    private let id: HopID
    private let client: any HopClient
    private let queue: DispatchQueue
    private let bodyRouter: BodyRouter
    private let stopping: Stopping
    private let piece = UnsafeMutableRawBufferPointer.allocate(
        byteCount: LocalRun.pieceSize,
        alignment: 64
    )
    /// The number of bytes in `piece` that the body router has not taken.
    private var pending = 0
    private var hasResponded = false
    private var hasRead = false
    private var isSuspended = false
    private var hasEnded = false
    private var stopwatch = Stopwatch()
    private let timeLimit: Duration?
    private var timer: (any DispatchSourceTimer)?

    /// Whether the body router or the task has stopped the hop.
    private final class Stopping {
        var error: URLError?
        var isWanted = false
        var wake: (@Sendable () -> Void)?
    }

    init(
        _ source: any ResponseSource,
        _ responseContext: ResponseContext,
        id: HopID,
        client: any HopClient,
        control: ResponseControl,
        queue: DispatchQueue,
        timeLimit: Duration?
    ) {
        self.source = source
        self.id = id
        self.client = client
        self.queue = queue
        self.timeLimit = timeLimit
        let stopping = Stopping()
        self.stopping = stopping
        bodyRouter = BodyRouter(
            id,
            responseContext,
            client: client,
            control: control,
            wakeSoon: { stopping.wake?() },
            stop: { stopping.isWanted = true }
        )
        stopwatch.start()
    }

    deinit {
        piece.deallocate()
    }

    /// - Parameter wake: requests a call of ``advance()``, from any thread.
    func start(wake: @escaping @Sendable () -> Void) {
        stopping.wake = wake
        source.start(wake: wake)
        advance()
    }

    func suspend() {
        isSuspended = true
        stopwatch.stop()
    }

    func resume() {
        isSuspended = false
        stopwatch.start()
        advance()
    }

    func cancel() {
        stop(URLError(.cancelled))
        advance()
    }

    /// Continues until the source has no bytes, or the receiver has no room.
    func advance() {
        guard !hasEnded else { return }
        bodyRouter.wake()
        if !stopping.isWanted, !isSuspended { pump() }
        _ = bodyRouter.iterationEnded()
        if stopping.isWanted {
            finish()
        } else if hasRead, pending == 0, bodyRouter.isSettled, !isSuspended {
            finish()
        }
    }

    private func stop(_ error: URLError) {
        stopping.isWanted = true
        stopping.error = stopping.error ?? error
    }

    private func pump() {
        do throws(URLError) {
            if !hasResponded {
                guard try takeHead() else { return }
            }
            while !stopping.isWanted {
                guard try deliver() else { return }
            }
        } catch {
            // We first pass on the bytes that arrived before the error.
            stopping.error = stopping.error ?? error
            hasRead = true
        }
    }

    /// Reads the head, and passes it on.
    ///
    /// - Returns: whether the head is available.
    private func takeHead() throws(URLError) -> Bool {
        switch try source.response() {
        case .http(let head): bodyRouter.receive(head)
        case .other(let response): bodyRouter.receive(response)
        case .redirect(let response, let request):
            bodyRouter.receive(response, redirectingTo: request)
        case .later:
            keepTime()
            return false
        }
        hasResponded = true
        return true
    }

    /// Reads a piece of the body, and passes it on.
    ///
    /// - Returns: whether another piece may follow now.
    private func deliver() throws(URLError) -> Bool {
        if pending == 0, !hasRead {
            switch try source.read(into: piece) {
            case .bytes(let count): pending = count
            case .end: hasRead = true
            case .later:
                keepTime()
                return false
            }
        }
        guard pending > 0 else { return false }
        switch bodyRouter.take(UnsafeRawBufferPointer(rebasing: piece[..<pending])) {
        case .taken:
            pending = 0
            return true
        case .full: return false
        case .enough:
            stopping.isWanted = true
            return false
        }
    }

    /// Starts the timer of the time limit when the run must wait for the source for the first time.
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
        advance()
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
        var end = HopEnd()
        end.error = bodyRouter.hadEnough ? nil : stopping.error
        var metrics = HopMetrics()
        metrics.fetchType = source.fetchType
        end.metrics = metrics
        bodyRouter.finish(&end)
        client.hop(id, didEnd: end)
    }
}
