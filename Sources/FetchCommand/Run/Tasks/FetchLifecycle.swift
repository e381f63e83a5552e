import URLLoading

/// The life of one of the command's tasks: events go in, actions come out, and nothing else happens
/// here.
///
/// The runner performs an action and hands in what came of it, which gives the next action. The
/// delegate asks what becomes of a response and of its bytes, and is answered at once.
struct FetchLifecycle: Sendable {
    /// Where a task stands, with the states that may follow.
    enum State {
        /// Nothing has happened. → findingDigest
        case new
        /// What the body must come to is being found out. → looking, concluding, ended
        case findingDigest
        /// What there is of the file is being looked at. → comparingEnd, attempting, concluding, ended
        case looking
        /// The last bytes of a part are being compared with the server's. → taking, comparingWhole,
        /// attempting, pausing, concluding, ended
        case comparingEnd(UnprovenPart)
        /// The whole file is there, and its digest is being compared. → attempting, pausing,
        /// concluding, ended
        case comparingWhole(path: String)
        /// What was compared is being made the part of the file. → attempting, concluding, ended
        case taking
        /// The session's task runs. → attempting (a part follows), late, stopping, lookingAgain,
        /// pausing, concluding
        case attempting
        /// `--max-time` has run out, and the session's task was cancelled. → concluding, ended
        case late
        /// Something has interrupted the session's task, which was cancelled. → ended
        case stopping(Interruption)
        /// The server has no other file, and the one that is here is being compared with it.
        /// → looking, attempting, pausing, concluding, ended
        case lookingAgain
        /// The next attempt is waited for. → looking, attempting, concluding, ended
        case pausing(Pause)
        /// What remains is done before the task is over. → ended
        case concluding(TaskOutcome, kept: ResumeData?)
        /// All is over.
        case ended
    }

    /// What the runner does next.
    ///
    /// Each thing to do stands apart, since it is handed on several times: a copy is a reference.
    indirect enum Action {
        /// Find out what the body must come to. → ``foundDigest()``
        case findDigest
        /// Look at what there is of the file. → ``looked(_:)``
        case look
        /// Compare the last bytes of a part with the server's. → ``compared(_:_:now:)``
        case compareEnd(UnprovenPart)
        /// Compare the file with what it must come to. → ``comparedDigest(differs:now:)``
        case compareDigest(path: String, isKept: Bool)
        /// Compare the file's length, where its time alone is known, and then its digest.
        /// → ``lookedAgain(differs:now:)``
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
        /// Write and say what remains to be, and end.
        case conclude(TaskOutcome, kept: ResumeData?)
        /// Say why the task is left though it is not over, and end.
        case leave(TaskOutcome, kept: ResumeData?)
        /// End the process by a second signal.
        case die(Int32)
        /// Nothing more.
        case end(TaskOutcome)
    }

    /// How an attempt begins.
    struct Start {
        /// Whether it sends the request again with which the last one failed.
        var isRepeating = false
        /// The part of the file that it goes on with.
        var resumeData: ResumeData?
        /// What went out of the body that it goes on with.
        var delivered: DeliveredBody?
        /// Whether the file is asked for only if it is another.
        var isConditional: Bool
        /// Why it begins with the first byte though there is a part, in words.
        var startsOver: String?
    }

    /// What the first look at a file has found.
    enum Look {
        /// Nothing, or what is overwritten.
        case nothing
        case part(ResumeData)
        /// A part that is of no use, and why.
        case useless(String)
        /// Bytes of which nothing is known for certain.
        case unproven(UnprovenPart)
    }

    /// What there is to know of a session's task that has ended.
    struct Finished: Equatable {
        var method = "GET"
        var redirects = 0
    }

    /// What an attempt that has ended leaves for the next one.
    struct Pause {
        /// How long it is waited.
        var duration: Duration
        /// Why there is another attempt; nil: the next part is asked for, and nothing has failed.
        var retry: (outcome: TaskOutcome, wait: RetryWait, fromFirst: Bool)?
        /// What is left of a download.
        var kept: ResumeData?
        /// The session's task; nil where there was none.
        var finished: Finished?
        /// Whether the next attempt is of use only if nothing of the body went out for good.
        var mustForget = false
    }

    /// What the command line settles for all tasks of a run.
    struct Rules: Sendable {
        var responses = ResponsePlan()
        var maxTime: Duration?
        /// Whether what frames a body is a part of it.
        var isRaw = false
        /// Whether a report is printed after the body.
        var reports = false
        /// Whether the calls to the delegate are told.
        var isFollowed = false
        /// Whether a record of all tasks wants the end of those, too, that are interrupted.
        var wantsEveryEnd = false
    }

    let kind: TaskKind
    let rules: Rules
    let started: ContinuousClock.Instant
    /// Whether it waits for its turn to write.
    let hasTurn: Bool
    var state = State.new
    /// Bytes of the body that were handed on.
    var bytes: Int64 = 0
    var attempt = Attempt()
    var attempts: Attempts
    var naming: FileNaming
    var output = BodyOutput()
    /// What the body must come to.
    var expected: ExpectedDigest?
    /// Whether the file is fetched though the server says that it has no other.
    var fetchesAnyway = false
    /// Whether what was continued has been found wrong, and begun again.
    var hasStartedClean = false
    /// Whether the response came over a connection that takes several requests.
    var isMultiplexed = false
    /// The entity tag that the last response has given.
    var entityTag: String?
    /// The URL's origin over TLS, where its host has asked for that.
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

    /// When the task is late; the session itself ends its first attempt.
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

    /// What the body must come to is known, or nothing says so.
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
            // With -N the server first says whether it has another file than the one there is.
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

    /// A file that is there was compared with what it must come to; one that is kept never differs.
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

    /// A part was not what it was to be, and the file begins again: once is enough.
    mutating func startClean() {
        hasStartedClean = true
        // What has come of it counts for nothing.
        bytes = 0
    }

    /// An attempt begins at the URL of the command line.
    ///
    /// - Parameters:
    ///   - data: the part of the file that it goes on with.
    ///   - why: why it begins with the first byte though there is a part, in words.
    /// - Returns: what is to be done.
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

    /// The next attempt begins with nothing of what the last one came to.
    mutating func beginAgain() {
        attempts.count += 1
        attempt = Attempt()
    }
}
