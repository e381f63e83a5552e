/// The times of progress reports to the client, and of writes of resume data.
struct DownloadProgress {
    /// The shortest time between two progress reports.
    private static let reportInterval: Duration = .milliseconds(100)
    /// The time before the first save of resume data, and between two saves.
    private static let saveInterval: Duration = .seconds(1)

    private var reported: Int64
    private var lastReport: MonotonicInstant?
    private var saved: Int64
    private var lastSave = MonotonicInstant.now

    /// - Parameter count: the bytes that the file already has.
    init(from count: Int64) {
        reported = count
        saved = count
    }

    /// Whether a progress report is due for this number of bytes.
    mutating func isDue(_ taken: Int64, at now: MonotonicInstant) -> Bool {
        if let lastReport, now - lastReport < Self.reportInterval { return false }
        lastReport = now
        return noteIfNew(taken)
    }

    /// Whether this number exceeds the last reported one; the number then counts as reported.
    mutating func noteIfNew(_ taken: Int64) -> Bool {
        guard taken > reported else { return false }
        reported = taken
        return true
    }

    /// Whether a save of resume data is due, for this number of bytes in the file.
    mutating func isSaveDue(_ written: Int64, at now: MonotonicInstant) -> Bool {
        guard now - lastSave >= Self.saveInterval, written > saved else { return false }
        lastSave = now
        return true
    }

    /// Notes that a save which counts this number of bytes has begun.
    mutating func noteSaved(_ written: Int64) {
        saved = written
    }

    /// When the next report or save is due if no further byte arrives; `nil`: neither is due.
    func next(taken: Int64, written: Int64, isKeptOnDisk: Bool) -> MonotonicInstant? {
        if taken > reported, let lastReport { return lastReport + Self.reportInterval }
        return isKeptOnDisk && written > saved ? lastSave + Self.saveInterval : nil
    }
}
