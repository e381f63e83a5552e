/// The counts of a session, and what else is one value for all of it.
struct BackgroundFigures: Codable, Hashable, Sendable {
    /// The highest number that a task has had.
    var lastTask = 0
    /// That of the last event.
    var lastEvent = 0
    /// The last event that was, or may have been, sent to somebody.
    var offered = 0
    /// The last event that may have been told to somebody who has ended without saying so.
    var doubted = 0
    /// The last event that was told for certain.
    var acknowledged = 0
    /// What has ended since all was done the last time.
    var tally = BackgroundTally()
    var isPaused = false
    /// Why the command is to be run.
    var commandDue: BackgroundCommandReason?
    var command: BackgroundCommandRun?
}

extension BackgroundFigures {
    /// The same, where somebody has put numbers into the journal that cannot be counted on from.
    var bounded: BackgroundFigures {
        var figures = self
        figures.lastTask = min(max(0, lastTask), BackgroundTaskRecord.lastNumber)
        figures.lastEvent = min(max(0, lastEvent), BackgroundState.lastSequence)
        for count in [\BackgroundFigures.offered, \.doubted, \.acknowledged] {
            figures[keyPath: count] = min(max(0, self[keyPath: count]), figures.lastEvent)
        }
        figures.tally.succeeded = min(max(0, tally.succeeded), figures.lastEvent)
        figures.tally.failed = min(max(0, tally.failed), figures.lastEvent)
        figures.command = command?.bounded
        return figures
    }
}
