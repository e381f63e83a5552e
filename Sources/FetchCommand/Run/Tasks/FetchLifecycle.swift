import URLLoading

/// The life cycle of one of the command's tasks: events in, actions out.
///
/// The runner performs an action and reports its result, which leads to the next action. The
/// delegate queries the life cycle about a response and its bytes, and gets a decision at once.
struct FetchLifecycle: Sendable {
    /// A task's states, each with its legal successors; those with large values are indirect.
    enum State {
        /// The initial state. → findingDigest
        case new
        /// The expected digest is being found. → examining, concluding, ended
        case findingDigest
        /// The existing file is being examined. → comparingEnd, attempting, concluding, ended
        case examining
        /// The last bytes of a part are being compared with the server's. → taking, comparingWhole,
        /// attempting, pausing, concluding, ended
        indirect case comparingEnd(UnprovenPart)
        /// The file is complete, and its digest is being compared. → attempting, pausing,
        /// concluding, ended
        case comparingWhole(path: String)
        /// The compared bytes become the file's part. → attempting, concluding, ended
        case taking
        /// The session's task runs. → attempting (a part follows), late, stopping, examiningAgain,
        /// pausing, concluding
        case attempting
        /// `--max-time` has run out, and the session's task was cancelled. → concluding, ended
        case late
        /// An interruption cancelled the session's task. → ended
        case stopping(Interruption)
        /// The server's file has not changed, and the existing one is being checked. → examining,
        /// attempting, pausing, concluding, ended
        case examiningAgain
        /// The task waits for the next attempt. → examining, attempting, concluding, ended
        indirect case pausing(Pause)
        /// The last reports are being written. → ended
        indirect case concluding(TaskOutcome, kept: ResumeData?)
        case ended
    }

    /// The runner's next action; indirect, because it is copied several times.
    indirect enum Action {
        /// Find the expected digest. → ``examine()``
        case findDigest
        /// Examine the existing file. → ``examined(_:)``
        case examine
        /// Compare the last bytes of a part with the server's. → ``compared(_:_:now:)``
        case compareEnd(UnprovenPart)
        /// Compare the file with the expected digest. → ``comparedDigest(differs:)``
        case compareDigest(path: String, isKept: Bool)
        /// Compare the file's length, if only its time is known, and then its digest. →
        /// ``examinedAgain(differs:)``
        case examineAgain
        /// Make the compared bytes the file's part. → ``start(isRepeating:_:startsOver:)``
        case take(UnprovenPart, PartComparison.Evidence)
        /// Begin an attempt, and wait for its end. → ``waitEnded(_:kept:_:_:now:)``
        case start(Start)
        /// Cancel the session's task, and wait at most this time for its completion; `nil`: do not
        /// wait. → ``waitEnded(_:kept:_:_:now:)``
        case stop(within: Duration?)
        /// Wait until the next attempt may begin. → ``paused()``, ``cannotContinue()``
        case pause(Pause)
        /// Wait for the task's turn to write. → ``turnBegan(now:)``
        case awaitTurn
        /// Write the last reports, and end.
        case conclude(TaskOutcome, kept: ResumeData?)
        /// Report why the task is abandoned, and end.
        case abandon(TaskOutcome, kept: ResumeData?)
        /// End the process by a second signal.
        case die(Int32)
        /// Return the outcome; there are no further actions.
        case end(TaskOutcome)
    }

    struct Start {
        /// Whether the failed request is sent again.
        var isRepeating = false
        var resumeData: ResumeData?
        var delivered: DeliveredBody?
        /// Whether the request is conditional on a changed file.
        var isConditional: Bool
        /// Why an existing part is not continued, as text.
        var startsOver: String?
    }

    struct Finished: Equatable {
        var method = "GET"
        var redirects = 0
    }

    struct Pause {
        var duration: Duration
        /// Why there is another attempt; `nil`: nothing failed, and the next part is requested.
        var retry: (outcome: TaskOutcome, wait: RetryWait, fromFirst: Bool)?
        var kept: ResumeData?
        /// The completed session task; `nil`: none was created.
        var finished: Finished?
        /// Whether the next attempt requires that no bytes were delivered.
        var mustDiscard = false
    }

    /// The rules of the command line for all tasks of a run.
    struct Rules: Sendable {
        var responses = ResponsePlan()
        var maxTime: Duration?
        var isRaw = false
        /// Whether a report is printed after the body.
        var reports = false
        /// Whether the delegate's calls are reported.
        var isFollowed = false
        /// Whether the HAR file needs the end of interrupted tasks too.
        var wantsEveryEnd = false
    }

    let kind: TaskKind
    let rules: Rules
    let started: MonotonicInstant
    /// Whether the task waits for its turn to write.
    let hasTurn: Bool
    var state = State.new
    /// Bytes of the body that were written, in all attempts.
    var bytes: Int64 = 0
    /// The bytes that the file has; `nil`: none was begun.
    var fileSize: Int64?
    var attempt = Attempt()
    var attempts: Attempts
    var naming: FileNaming
    var output = BodyOutput()
    var expected: ExpectedDigest?
    /// Whether the file is fetched although the server's file is unchanged.
    var fetchesAnyway = false
    /// Whether the file was fetched from its start because a continued part was wrong.
    var hasStartedClean = false
    /// Whether the connection supports concurrent requests.
    var isMultiplexed = false
    var entityTag: String?
    /// The URL's origin over TLS, if its host requires TLS.
    var secureOrigin: Origin?

    init(
        _ kind: TaskKind,
        _ rules: Rules,
        retries: RetryPolicy,
        hasTurn: Bool,
        now: MonotonicInstant
    ) {
        self.kind = kind
        self.rules = rules
        self.hasTurn = hasTurn
        started = now
        naming = FileNaming(file: kind.file)
        attempts = Attempts(AttemptCounter(retries, beginning: now))
    }

    /// The task's deadline; in the first attempt, the session's own time limit applies first.
    var deadline: MonotonicInstant? {
        rules.maxTime.map { started + $0 + (attempts.count == 1 ? Self.grace : .zero) }
    }
}

// Before the first attempt.
extension FetchLifecycle {
    mutating func begin() -> Action {
        state = .findingDigest
        return .findDigest
    }

    /// Handles the end of the search for the expected digest.
    mutating func examine() -> Action {
        state = .examining
        return .examine
    }

    mutating func examined(_ existing: ExistingPart) -> Action {
        switch existing {
        case .nothing: return start(nil)
        case .part(let data):
            naming.continues()
            return start(data)
        case .unusable(let why): return start(nil, startsOver: why)
        case .unproven(let part):
            // With -N, the server is first asked whether its file has changed.
            if let file = naming.file, file.isTimestamped, part.path == file.path, !fetchesAnyway {
                return start(nil)
            }
            state = .comparingEnd(part)
            return .compareEnd(part)
        }
    }

    /// Handles the result of the comparison of a part's last bytes.
    mutating func compared(
        _ part: UnprovenPart,
        _ finding: PartComparison.Finding,
        now: MonotonicInstant
    ) -> Action {
        switch finding {
        case .isComplete where part.path == naming.file?.path:
            naming.continues()
            guard expected != nil else { return conclude(.alreadyComplete(path: part.path), nil) }
            state = .comparingWhole(path: part.path)
            return .compareDigest(path: part.path, isKept: false)
        case .same(let evidence), .isComplete(let evidence):
            naming.continues()
            state = .taking
            return .take(part, evidence)
        case .differs(let why): return start(nil, startsOver: "\(part.path): \(why)")
        case .status(let status):
            attempt.status = status
            return follow(.status(status), nil, nil, BufferState(), now)
        }
    }

    /// Handles the comparison with the expected digest; a kept file is never reported to differ.
    mutating func comparedDigest(differs: Bool) -> Action {
        switch state {
        case .comparingWhole(let path):
            guard differs else { return conclude(.alreadyComplete(path: path), nil) }
            startClean()
            return start(nil)
        case .concluding(let outcome, let kept): return awaitTurn(outcome, kept)
        default: return illegal()
        }
    }

    /// Discards a wrong part, so that the file is fetched from its start; at most once.
    mutating func startClean() {
        hasStartedClean = true
        // The bytes of the wrong part do not count.
        bytes = 0
    }

    /// Begins an attempt, at the first URL unless it repeats the failed request.
    ///
    /// `why` an existing part is not continued, as text.
    mutating func start(
        isRepeating: Bool = false,
        _ data: ResumeData?,
        startsOver why: String? = nil
    ) -> Action {
        attempts.begins(isRepeating: isRepeating, at: data?.receivedBytes ?? 0)
        attempt.isContinuing = data != nil
        if !isRepeating { output.redirectHeads = "" }
        state = .attempting
        return .start(
            Start(
                isRepeating: isRepeating,
                resumeData: data,
                delivered: delivered,
                isConditional: !fetchesAnyway,
                startsOver: why
            )
        )
    }

    mutating func beginAgain() {
        attempts.count += 1
        attempt = Attempt()
    }
}
