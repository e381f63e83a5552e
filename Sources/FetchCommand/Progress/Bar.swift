import URLLoading

/// The bar of one task, computed from the task's progress at each tick.
struct Bar {
    /// For the displayed rate, which should react quickly.
    private static let rateConstant: Duration = .seconds(3)
    /// For the remaining time, which should be steady.
    private static let paceConstant: Duration = .seconds(15)
    /// A task without a received byte for this time is stalled.
    private static let stallTime: Duration = .seconds(5)
    /// In the first second of a phase, the rate is too uncertain for an estimate.
    private static let settlingTime: Duration = .seconds(1)

    let progress: TaskProgress
    /// The start of the task; only a task that lasts gets a bar.
    let started: MonotonicInstant

    private(set) var state: BarState
    private(set) var isShown = false
    private var last: TaskProgress.Reading
    private var lastChange: MonotonicInstant
    private var rate: RateMeter
    private var pace: RateMeter
    private var history: RateHistory
    private var remaining = RemainingTime()

    init(_ progress: TaskProgress, at now: MonotonicInstant) {
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

    mutating func update(at now: MonotonicInstant) {
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
        updateState(reading, at: now)
    }

    /// Starts new meters for another phase or attempt, which do not count existing bytes.
    private mutating func begin(_ reading: TaskProgress.Reading) {
        rate = RateMeter(over: Self.rateConstant, from: reading.base, at: reading.since)
        pace = RateMeter(over: Self.paceConstant, from: reading.base, at: reading.since)
        history.jump(to: reading.base)
        remaining.forget()
        lastChange = reading.since
    }

    private mutating func updateState(_ reading: TaskProgress.Reading, at now: MonotonicInstant) {
        // A length below the received bytes was wrong.
        let total = reading.expected.flatMap { $0 >= reading.count && $0 > 0 ? $0 : nil }
        state.total = total
        state.share = total.map { Double(reading.count) / Double($0) }
        state.remaining = nil
        let silence = now - lastChange
        // The request was sent completely, and the response has not begun.
        let isSent =
            reading.phase == .sending && reading.count == total && silence >= Self.settlingTime
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
        guard let total, now - reading.since >= Self.settlingTime else { return }
        state.remaining = remaining.update(left: total - reading.count, rate: pace.rate, at: now)
    }
}

struct BarState: Equatable {
    enum Pace: Equatable {
        /// The task has not begun.
        case waiting
        /// The client has no network.
        case offline
        /// No byte has arrived for a while.
        case stalled
        /// Bytes per second; `nil` while unknown.
        case moving(Double?)
    }

    /// Without control characters.
    var name: String
    /// The completed share, 0 to 1; `nil` if the length is unknown.
    var share: Double?
    var count: Int64 = 0
    /// The length in bytes; `nil` if unknown.
    var total: Int64?
    var pace = Pace.waiting
    /// `nil` while unknown.
    var remaining: Duration?
    /// Bytes of each recent second, the latest last.
    var history: [Double] = []
    /// How often bytes have arrived; moves the gauge of a body of unknown length.
    var steps = 0
}
