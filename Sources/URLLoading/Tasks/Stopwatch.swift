/// Measures the running time of something, without its pauses.
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
