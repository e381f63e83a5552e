/// What a visitor says to the transfer process, after its hello.
enum BackgroundRequest: Codable, Hashable, Sendable {
    /// Tasks are made, held; answered by ``BackgroundReply/made(tasks:)`` or
    /// ``BackgroundReply/refused(tasks:code:detail:)``.
    case make(tasks: [BackgroundTaskRecord])
    /// The same, and what holds for the session holds before any of them begins; how they are carried
    /// out, for these alone.
    case submit(tasks: [BackgroundTaskRecord], settings: BackgroundSettings)
    case resume(tasks: [Int])
    case suspend(tasks: [Int])
    /// Tasks end; with `keepsParts` each is told with resume data, where there is any.
    case cancel(tasks: [Int], keepsParts: Bool? = nil)
    /// All tasks are held together, or no longer.
    case pause(isPaused: Bool)
    /// All tasks go on, those too that were held, and so does the session.
    case resumeAll
    /// All tasks end, and nothing is told of it but to who is attached.
    case discard
    case settings(settings: BackgroundSettings)
    /// The events up to this one have been told.
    case acknowledge(sequence: Int)
    /// What a task that needs a credential is to do. The credential is kept in memory alone.
    /// `identity` are the files of a client certificate, and `password` its key's then. `place` is what
    /// the delegate was asked about: the transfer process ignores an answer to anything but what the task
    /// waits for now, and one of an earlier version, which does not say.
    case answer(
        task: Int,
        disposition: Int,
        user: String?,
        password: String?,
        identity: URLSessionConfiguration.ClientCertificate? = nil,
        place: ChallengeRecord? = nil
    )
    /// How all is; answered by ``BackgroundReply/status(status:)``.
    case status
}
