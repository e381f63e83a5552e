/// What has come of one try of a task.
enum TryOutcome: Sendable {
    /// A body, whole and on the disk.
    case whole(BackgroundFile, StoredResponse?)
    /// An answer without a body.
    case empty(StoredResponse?)
    /// An error status, where only a success is wanted; its body was left.
    case status(HTTPURLResponse)
    case failure(URLError, StoredResponse?)
    /// Somebody wants a credential that nobody here has.
    case challenged(ChallengeRecord)
}
