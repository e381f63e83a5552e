/// What carries tasks out for a ``BackgroundHost``: all is called, and reported, on the host's queue.
///
/// It reports by ``BackgroundHost/report(_:)`` what comes of a task that was started, once:
/// `received`, `sent`, `failed`, `retry` or `challenged`. What it reports of one that was stopped or
/// cancelled meanwhile counts for nothing.
protocol BackgroundTransfers: AnyObject {
    /// Carries a task out, from what it has received already.
    func start(_ task: BackgroundTaskRecord)
    /// Ends a transfer, and keeps what has come; it may be started again before that is done.
    func stop(_ task: Int)
    /// Hands over what has come of a task that is not carried out any more, when it is at rest: reports
    /// `salvaged`.
    func salvage(_ task: Int)
    /// Ends a transfer, and keeps nothing.
    func cancel(_ task: Int)
    /// Takes what a task that needs a credential is to do, for when it is started next.
    ///
    /// - Parameters:
    ///   - task: the task, which is parked.
    ///   - challenge: what it is parked for, which is what the program was asked about.
    ///   - disposition: what the delegate has said, as Foundation numbers it.
    ///   - user: with `useCredential`.
    ///   - password: with `useCredential`.
    ///   - identity: with `useCredential`, the files of a client certificate.
    func answer(
        _ task: Int,
        to challenge: ChallengeRecord,
        disposition: Int,
        user: String?,
        password: String?,
        identity: URLSessionConfiguration.ClientCertificate?
    )
    /// Takes how tasks are to be carried out that are started from now on.
    func configure(_ settings: BackgroundSettings)
}
