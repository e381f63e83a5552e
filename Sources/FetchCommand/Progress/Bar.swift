/// One task's bar over time: what it shows follows from how far the task was at which moment.
struct Bar {
    /// For the rate, which is to tell of a change soon.
    private static let rateConstant: Duration = .seconds(3)
    /// For the time that is left, which is to be steady.
    private static let paceConstant: Duration = .seconds(15)
    /// No byte for so long is a stall.
    private static let stallTime: Duration = .seconds(5)
    /// Before that the rate is too young to foretell anything from it.
    private static let youth: Duration = .seconds(1)

    let progress: TaskProgress
    /// When the task began; a bar shows up only for those that last.
    let started: ContinuousClock.Instant

    private(set) var state: BarState
    /// Whether its time to be seen has come.
    private(set) var isShown = false
    private var last: TaskProgress.Reading
    private var lastChange: ContinuousClock.Instant
    private var rate: RateMeter
    private var pace: RateMeter
    private var history: RateHistory
    private var remaining = RemainingTime()

    init(_ progress: TaskProgress, at now: ContinuousClock.Instant) {
        self.progress = progress
        started = now
        last = progress.reading
        state = BarState(name: last.name)
        lastChange = now
        rate = RateMeter(over: Self.rateConstant, from: last.base, at: now)
        pace = RateMeter(over: Self.paceConstant, from: last.base, at: now)
        history = RateHistory(from: last.base, at: now)
    }

    mutating func show() {
        guard !isShown else { return }
        isShown = true
        progress.noteShown()
    }

    /// Looks how far the task is now.
    mutating func update(at now: ContinuousClock.Instant) {
        let reading = progress.reading
        if reading.since != last.since { begin(reading) }
        if reading.count != last.count {
            lastChange = now
            state.steps += 1
        }
        last = reading
        state.name = reading.name
        state.count = reading.count
        history.note(reading.count, at: now)
        state.history = history.rates
        rate.note(reading.count, at: now)
        pace.note(reading.count, at: now)
        judge(reading, at: now)
    }

    /// Another phase, or another attempt: what is there already was not fetched by it.
    private mutating func begin(_ reading: TaskProgress.Reading) {
        rate = RateMeter(over: Self.rateConstant, from: reading.base, at: reading.since)
        pace = RateMeter(over: Self.paceConstant, from: reading.base, at: reading.since)
        history.jump(to: reading.base)
        remaining.forget()
        lastChange = reading.since
    }

    private mutating func judge(_ reading: TaskProgress.Reading, at now: ContinuousClock.Instant) {
        // A length that turns out too short was wrong.
        let total = reading.expected.flatMap { $0 >= reading.count && $0 > 0 ? $0 : nil }
        state.total = total
        state.share = total.map { Double(reading.count) / Double($0) }
        state.remaining = nil
        let silence = now - lastChange
        // What was sent is all there, and the response is not.
        let isSent = reading.phase == .sending && reading.count == total && silence >= Self.youth
        guard reading.phase != .offline else {
            state.pace = .offline
            return
        }
        guard reading.phase != .waiting, !isSent else {
            state.pace = .waiting
            return
        }
        guard silence < Self.stallTime || reading.count == total else {
            state.pace = .stalled
            remaining.forget()
            return
        }
        state.pace = .moving(rate.rate)
        guard let total, now - reading.since >= Self.youth else { return }
        state.remaining = remaining.update(
            left: total - reading.count,
            rate: pace.rate,
            at: now
        )
    }
}

/// What one bar shows.
struct BarState: Equatable {
    /// How it goes.
    enum Pace: Equatable {
        /// Nothing has begun.
        case waiting
        /// There is no network.
        case offline
        /// Nothing has come for a while.
        case stalled
        /// So many bytes per second; nil while that is not known.
        case moving(Double?)
    }

    /// Printable.
    var name: String
    /// What is done, 0 to 1; nil where the length is not known.
    var share: Double?
    var count: Int64 = 0
    /// The length, where it is known.
    var total: Int64?
    var pace = Pace.waiting
    /// Nil while there is no telling.
    var remaining: Duration?
    /// Bytes of the last seconds, the latest at the end.
    var history: [Double] = []
    /// How often something has come, for a gauge that has no end to fill towards.
    var steps = 0
}
