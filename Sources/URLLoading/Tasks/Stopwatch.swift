/// How long something has run, without the times it was paused.
struct Stopwatch {
    private var before = Duration.zero
    private var since: MonotonicInstant?

    var elapsed: Duration {
        before + (since.map { MonotonicInstant.now - $0 } ?? .zero)
    }

    mutating func start() {
        if since == nil { since = .now }
    }

    mutating func stop() {
        before = elapsed
        since = nil
    }
}
