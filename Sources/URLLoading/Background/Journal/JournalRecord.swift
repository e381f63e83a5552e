/// A change of a background session that must not be forgotten, as it stands in the journal.
///
/// The names of cases and members are the format: one that is changed, or removed, is another
/// version of it (``JournalFormat``).
enum JournalRecord: Codable, Hashable, Sendable {
    /// The session was made, or made anew with other settings.
    case session(settings: BackgroundSettings)
    /// A task was made, held.
    case made(task: BackgroundTaskRecord)
    /// A task is to be carried out.
    case resumed(task: Int)
    /// A task is held until it is resumed.
    case suspended(task: Int)
    /// A task has failed, and is tried again.
    case waiting(task: Int, retry: BackgroundRetry)
    /// A task cannot go on without a credential.
    case parked(task: Int, challenge: ChallengeRecord)
    /// What a task has received is being moved to where it belongs; this comes first.
    case placing(task: Int, placement: BackgroundPlacement)
    /// Something that the program is told, once.
    case event(sequence: Int, event: BackgroundEvent)
    /// The events up to this one were, or are about to be, sent to somebody.
    case offered(sequence: Int)
    /// The events up to this one may have been told to somebody who has ended without saying so.
    case doubted(sequence: Int)
    /// The file that an event tells of was taken away: it has been told.
    case taken(sequence: Int)
    /// The events up to this one have been told.
    case acknowledged(sequence: Int)
    /// All tasks are held together, or no longer.
    case paused(isPaused: Bool)
    /// The command of the session is to be run; `nil`: it is no longer.
    case commandDue(reason: BackgroundCommandReason?)
    /// The command is about to be run.
    case commandBegan(run: Int, reason: BackgroundCommandReason)
    /// The command has ended, with what waitpid(2) says; `nil`: nobody knows with what.
    case commandEnded(run: Int, status: Int32?)
    /// What counts of a history that was left out.
    case figures(figures: BackgroundFigures)
}
