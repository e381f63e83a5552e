/// One task's bar over time, computed from the task's progress at each moment.
struct Bar {
    /// For the rate, which should react quickly.
    private static let rateConstant: Duration = .seconds(3)
    /// For the remaining time, which should be steady.
    private static let paceConstant: Duration = .seconds(15)
    /// After this time without a byte, the task is stalled.
    private static let stallTime: Duration = .seconds(5)
    /// Before that, the rate is too young for a prediction.
    private static let youth: Duration = .seconds(1)

    let progress: TaskProgress
    /// When the task began; a bar shows up only for those that last.
    let started: ContinuousClock.Instant

    private(set) var state: BarState
    /// Whether the bar is shown yet.
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

    /// Updates the bar from the task's progress.
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

    /// Begins another phase or attempt, which has not fetched the existing bytes.
    private mutating func begin(_ reading: TaskProgress.Reading) {
        rate = RateMeter(over: Self.rateConstant, from: reading.base, at: reading.since)
        pace = RateMeter(over: Self.paceConstant, from: reading.base, at: reading.since)
        history.jump(to: reading.base)
        remaining.forget()
        lastChange = reading.since
    }

    private mutating func judge(_ reading: TaskProgress.Reading, at now: ContinuousClock.Instant) {
        // A length that is exceeded was wrong.
        let total = reading.expected.flatMap { $0 >= reading.count && $0 > 0 ? $0 : nil }
        state.total = total
        state.share = total.map { Double(reading.count) / Double($0) }
        state.remaining = nil
        let silence = now - lastChange
        // Everything was sent, and there is no response yet.
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
    enum Pace: Equatable {
        /// Nothing has begun.
        case waiting
        /// There is no network.
        case offline
        /// Nothing has come for a while.
        case stalled
        /// Bytes per second; nil while unknown.
        case moving(Double?)
    }

    /// Printable.
    var name: String
    /// The completed share, 0 to 1; nil if the length is unknown.
    var share: Double?
    var count: Int64 = 0
    /// The length, where it is known.
    var total: Int64?
    var pace = Pace.waiting
    /// Nil while unknown.
    var remaining: Duration?
    /// Bytes of the last seconds, the latest at the end.
    var history: [Double] = []
    /// How often bytes have arrived, for a gauge without an end.
    var steps = 0
}
