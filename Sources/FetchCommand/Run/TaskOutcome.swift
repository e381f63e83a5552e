import URLLoading

/// How a task ended, as the command sees it.
enum TaskOutcome {
    /// All is well.
    case success
    /// What the caller has is what the server has.
    case notModified
    /// A client-side error, or one of the file's.
    case error(URLError)
    /// `--max-time` ran out.
    case timeLimit(Duration)
    /// The server answered with an error status.
    case status(Int)
    /// Something the command line forbids.
    case policy(String)
    /// A file has the name already, and stays.
    case kept(path: String, KeptFile)
    /// What the body has to come to cannot be found out, in words, and so nothing was fetched.
    case unproven(String, ExitStatus)
    /// The reader of standard output has gone: no more to say, and nobody to say it to.
    case outputClosed

    /// Weighs what we did against what the session reports: what we stopped ourselves comes back as
    /// `cancelled`, so our own reason goes first.
    ///
    /// An error status stays what it is, whatever becomes of its body.
    init(_ run: TaskRun.State, error: URLError?, maxTime: Duration?, elapsed: Duration) {
        switch (run.failure, error, run.status) {
        case (.outputClosed, _, _): self = .outputClosed
        case (_, _, let status?) where status >= 400: self = .status(status)
        case (.file(let error), _, _), (.answer(let error), _, _): self = .error(error)
        case (.policy(let words), _, _): self = .policy(words)
        case (.kept(let path, let kept), _, _): self = .kept(path: path, kept)
        case (nil, let error?, _) where error.code == .timedOut:
            if let maxTime, elapsed >= maxTime {
                self = .timeLimit(maxTime)
            } else {
                self = .error(error)
            }
        case (nil, let error?, 304?) where error.code == .cancelled: self = .notModified
        // Nothing was to be had, and no file was made of it.
        case (nil, let error?, 204?) where error.code == .cancelled: self = .success
        case (nil, let error?, _): self = .error(error)
        case (nil, nil, _): self = .success
        }
    }

    var exitStatus: ExitStatus {
        switch self {
        case .success, .notModified, .kept: .success
        case .error(let error): ExitStatus(error.code)
        case .timeLimit: .timeLimit
        // What is wanted is a credential, and there was none to try, or the last was refused.
        case .status(401), .status(407): .authentication
        case .status: .serverError
        case .policy: .localPolicy
        case .unproven(_, let status): status
        case .outputClosed: .failure
        }
    }
}
