import URLLoading

/// The life cycle of one of the command's tasks: events go in, actions come out.
///
/// The runner performs an action and reports its result, which gives the next action. The delegate
/// asks what to do with a response and with its bytes, and gets a decision at once.
struct FetchLifecycle: Sendable {
    /// A task's states, each with the states that may follow.
    enum State {
        /// The initial state. → findingDigest
        case new
        /// The expected digest is being found. → looking, concluding, ended
        case findingDigest
        /// The existing file is being examined. → comparingEnd, attempting, concluding, ended
        case looking
        /// The last bytes of a part are being compared with the server's. → taking, comparingWhole,
        /// attempting, pausing, concluding, ended
        case comparingEnd(UnprovenPart)
        /// The file is complete, and its digest is being compared. → attempting, pausing,
        /// concluding, ended
        case comparingWhole(path: String)
        /// The compared bytes are being made the part of the file. → attempting, concluding, ended
        case taking
        /// The session's task runs. → attempting (a part follows), late, stopping, lookingAgain,
        /// pausing, concluding
        case attempting
        /// `--max-time` has run out, and the session's task was cancelled. → concluding, ended
        case late
        /// Something has interrupted the session's task, which was cancelled. → ended
        case stopping(Interruption)
        /// The server's file has not changed, and the existing one is being checked. → looking,
        /// attempting, pausing, concluding, ended
        case lookingAgain
        /// The task waits for the next attempt. → looking, attempting, concluding, ended
        case pausing(Pause)
        /// The last reports are being written. → ended
        case concluding(TaskOutcome, kept: ResumeData?)
        /// All is over.
        case ended
    }

    /// The runner's next action.
    ///
    /// Indirect, because it is copied several times: a copy is a reference.
    indirect enum Action {
        /// Find the expected digest. → ``foundDigest()``
        case findDigest
        /// Examine the existing file. → ``looked(_:)``
        case look
        /// Compare the last bytes of a part with the server's. → ``compared(_:_:now:)``
        case compareEnd(UnprovenPart)
        /// Compare the file with the expected digest. → ``comparedDigest(differs:now:)``
        case compareDigest(path: String, isKept: Bool)
        /// Compare the file's length, if only its time is known, and then its digest. →
        /// ``lookedAgain(differs:now:)``
        case lookAgain
        /// Make the compared bytes the part of the file. → ``start(_:startsOver:)``
        case take(UnprovenPart, PartComparison.Evidence)
        /// Begin an attempt, and wait for its end. → ``woke(_:kept:_:_:now:)``
        case start(Start)
        /// Cancel the session's task, and wait so long for its end; nil: do not wait.
        /// → ``woke(_:kept:_:_:now:)``
        case stop(within: Duration?)
        /// Wait until the next attempt may begin. → ``paused()``, ``cannotGoOn(now:)``
        case pause(Pause)
        /// Wait for the task's turn to write. → ``turnCame(now:)``
        case awaitTurn
        /// Write the last reports, and end.
        case conclude(TaskOutcome, kept: ResumeData?)
        /// Report why the task is abandoned, and end.
        case leave(TaskOutcome, kept: ResumeData?)
        /// End the process by a second signal.
        case die(Int32)
        /// Nothing more.
        case end(TaskOutcome)
    }

    /// How an attempt begins.
    struct Start {
        /// Whether it sends the failed request again.
        var isRepeating = false
        /// The part of the file that it continues.
        var resumeData: ResumeData?
        /// The delivered bytes of the body that it continues.
        var delivered: DeliveredBody?
        /// Whether the request is conditional on a changed file.
        var isConditional: Bool
        /// Why it starts over though there is a part, in words.
        var startsOver: String?
    }

    /// The result of examining the existing file.
    enum Look {
        /// Nothing, or a file that is overwritten.
        case nothing
        case part(ResumeData)
        /// A part that cannot be used, and why.
        case useless(String)
        /// Bytes without valid resume data.
        case unproven(UnprovenPart)
    }

    /// The result of a session's task.
    struct Finished: Equatable {
        var method = "GET"
        var redirects = 0
    }

    /// The state between two attempts.
    struct Pause {
        /// The length of the wait.
        var duration: Duration
        /// Why there is another attempt; nil: the next part is requested, and nothing has failed.
        var retry: (outcome: TaskOutcome, wait: RetryWait, fromFirst: Bool)?
        /// The part of a download.
        var kept: ResumeData?
        /// The session's task; nil where there was none.
        var finished: Finished?
        /// Whether the next attempt is possible only if no bytes were delivered.
        var mustForget = false
    }

    /// The rules of the command line for all tasks of a run.
    struct Rules: Sendable {
        var responses = ResponsePlan()
        var maxTime: Duration?
        /// Whether a body's framing is a part of it.
        var isRaw = false
        /// Whether a report is printed after the body.
        var reports = false
        /// Whether the calls to the delegate are reported.
        var isFollowed = false
        /// Whether a record needs the end of interrupted tasks too.
        var wantsEveryEnd = false
    }

    let kind: TaskKind
    let rules: Rules
    let started: ContinuousClock.Instant
    /// Whether it waits for its turn to write.
    let hasTurn: Bool
    var state = State.new
    /// Bytes of the body that were written.
    var bytes: Int64 = 0
    var attempt = Attempt()
    var attempts: Attempts
    var naming: FileNaming
    var output = BodyOutput()
    var expected: ExpectedDigest?
    /// Whether the file is fetched though it has not changed on the server.
    var fetchesAnyway = false
    /// Whether a continued file was wrong, and has started over.
    var hasStartedClean = false
    /// Whether the connection takes several requests at once.
    var isMultiplexed = false
    /// The entity tag of the last response.
    var entityTag: String?
    /// The URL's origin over TLS, if its host requires that.
    var secureHome: Origin?

    init(
        _ kind: TaskKind,
        _ rules: Rules,
        retries: RetryPolicy,
        hasTurn: Bool,
        now: ContinuousClock.Instant
    ) {
        self.kind = kind
        self.rules = rules
        self.hasTurn = hasTurn
        started = now
        naming = FileNaming(file: kind.file)
        attempts = Attempts(tries: Tries(retries, now: now))
    }

    /// The task's deadline; the session itself ends the first attempt.
    var deadline: ContinuousClock.Instant? {
        rules.maxTime.map { started + $0 + (attempts.count == 1 ? Self.grace : .zero) }
    }
}

// Before the first attempt.
extension FetchLifecycle {
    mutating func begin() -> Action {
        state = .findingDigest
        return .findDigest
    }

    /// The expected digest is known, or there is none.
    mutating func foundDigest() -> Action { look() }

    mutating func look() -> Action {
        state = .looking
        return .look
    }

    mutating func looked(_ look: Look) -> Action {
        switch look {
        case .nothing: return start(nil)
        case .part(let data):
            naming.continues()
            return start(data)
        case .useless(let why): return start(nil, startsOver: why)
        case .unproven(let part):
            // With -N, the server is first asked whether its file has changed.
            if let file = naming.file, file.isTimestamped, part.path == file.path, !fetchesAnyway {
                return start(nil)
            }
            state = .comparingEnd(part)
            return .compareEnd(part)
        }
    }

    /// The last bytes of a part were compared with the server's.
    mutating func compared(
        _ part: UnprovenPart,
        _ finding: PartComparison.Finding,
        now: ContinuousClock.Instant
    ) -> Action {
        switch finding {
        case .same(let evidence):
            naming.continues()
            state = .taking
            return .take(part, evidence)
        case .isComplete where part.path == naming.file?.path:
            naming.continues()
            guard expected != nil else {
                return conclude(.alreadyComplete(path: part.path), nil, now)
            }
            state = .comparingWhole(path: part.path)
            return .compareDigest(path: part.path, isKept: false)
        case .isComplete(let evidence):
            naming.continues()
            state = .taking
            return .take(part, evidence)
        case .differs(let why): return start(nil, startsOver: "\(part.path): \(why)")
        case .status(let status):
            attempt.status = status
            return follow(.status(status), nil, nil, Hold(), now)
        }
    }

    /// An existing file was compared with the expected digest; one that is kept never differs.
    mutating func comparedDigest(differs: Bool, now: ContinuousClock.Instant) -> Action {
        switch state {
        case .comparingWhole(let path):
            guard differs else { return conclude(.alreadyComplete(path: path), nil, now) }
            startClean()
            return start(nil)
        case .concluding(let outcome, let kept): return awaitTurn(outcome, kept)
        default: return illegal()
        }
    }

    /// A part was wrong, and the file starts over, once.
    mutating func startClean() {
        hasStartedClean = true
        // Its bytes do not count.
        bytes = 0
    }

    /// An attempt begins at the URL of the command line.
    ///
    /// - Parameters:
    ///   - data: the part of the file that it continues.
    ///   - why: why it starts over though there is a part, in words.
    /// - Returns: the next action.
    mutating func start(_ data: ResumeData?, startsOver why: String? = nil) -> Action {
        start(isRepeating: false, data, startsOver: why)
    }

    mutating func start(
        isRepeating: Bool,
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

    /// The next attempt begins with a new state.
    mutating func beginAgain() {
        attempts.count += 1
        attempt = Attempt()
    }
}
