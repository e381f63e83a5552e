import FoundationEssentials
import Synchronization
import URLLoading

/// One task while it runs: what was planned, and what has come of it.
final class TaskRun: Sendable {
    /// What changes; the delegate queue writes it, the main thread reads it at the end.
    struct State {
        /// Where the body goes that has no file of its own.
        var output = OutputDescriptor.standardOutput
        /// The status of the final answer.
        var status: Int?
        /// Whether the answer came over a connection that takes several requests.
        var isMultiplexed = false
        /// What ended the task from our side; the first counts.
        var failure: Failure?
        /// The bytes of the body that were handed on.
        var bytes: Int64 = 0
        /// The file that was made.
        var savedPath: String?
        /// The file that the destination's name came to.
        var chosenPath: String?
        /// The name that is kept for the file until it is chosen.
        var reservedPath: String?
        /// The name that no other task of the run may have meanwhile, whatever the answer is.
        var heldName: String?
        /// The file that the body shall become.
        var file: FileDestination?
        /// The download that the task has become.
        var download: URLSessionDownloadTask?
        /// Where the body goes, which is an error's.
        var errorBody: Destination?
        /// Counted from 1, with those that have only asked for the next part.
        var tries = 1
        /// How many have done just that.
        var nextParts = 0
        /// How many of these in a row have brought hardly anything.
        var crumbs = 0
        /// What was tried, and may still be.
        var retries: Tries
        /// What was decided about the try that has failed.
        var decision: RetryDecision?
        /// Whether the try begins at a URL that a redirect had led an earlier one to.
        var beginsLater = false
        /// Whether a try has begun at the first URL again, since such a URL has run out.
        var hasBegunAtFirst = false
        /// The files that the request's body is made of, once they were sent.
        var sentFiles: SentFiles?
        /// Whether the output was opened that is neither standard output nor a file.
        var isOutputOpen = false
        /// What went out of the body that cannot be taken back.
        var delivered: DeliveredBody?
        /// Bytes of what comes that went out already.
        var skip: Int64 = 0
        /// Of an answer that goes on with what went out: how much that was, and of how much.
        var continued: (from: Int64, whole: Int64)?
        /// What is said once it is certain that it has happened.
        var pendingNote: String?
        /// Whether the try goes on where another one ended.
        var isContinuing = false
        /// Whether the file is fetched though the server says that it has no other.
        var fetchesAnyway = false
        /// What was tried to say who one is.
        var authentication = AuthenticationAttempts()
        /// The URL's origin over TLS, where its host has asked for that.
        var secureHome: Origin?
        /// Whether the answer offers to take a bearer token.
        var offersBearer = false
        /// What the body must come to.
        var expected: ExpectedDigest?
        /// What makes the digest of a body that has no file.
        var proof: BodyProof?
        /// Whether what was continued has been found wrong, and begun again.
        var hasStartedClean = false
        /// What the last try has cost.
        var metrics: URLSessionTaskMetrics?
        /// The error that the last try has ended with, until somebody takes it.
        var end: URLError?
        /// The heads of the redirects so far, where heads are wanted on the output.
        var redirectHeads = ""
        /// What is shown of an error's body that the command line does not ask for.
        var excerpt: ErrorExcerpt?
        /// The length of a body whose output is opened when its turn comes.
        var awaited: Int64?
        /// The entity tag that the last answer has given.
        var entityTag: String?
    }

    /// What ends a task from our side.
    enum Failure {
        /// A file, or standard output, that cannot be written.
        case file(URLError)
        /// An answer that is none to what was asked.
        case answer(URLError)
        /// The reader of standard output has gone.
        case outputClosed
        /// Something the command line forbids, in words.
        case policy(String)
        /// A file has the name already, and stays.
        case kept(path: String, KeptFile)
    }

    /// What a pipe holds unless told otherwise, bytes (pipe(7)): more does not help less than this.
    private static let ordinaryPipe: Int64 = 64 << 10

    let plan: TaskPlan
    let started = ContinuousClock.now
    let progress = TaskProgress()
    /// What is rung when a try is over.
    let waiter = Waiter()
    /// Whether it is one of several.
    let isAmongMany: Bool
    /// Its turn to write, where others write there, too.
    let turn: OutputTurn?
    /// Its body, where that is written only once it is whole and right.
    let held: HeldBody?
    let state: Mutex<State>

    /// - Parameters:
    ///   - plan: what is to be done.
    ///   - retries: what is tried again.
    ///   - isAmongMany: whether it is one of several.
    ///   - holds: whether its body is kept back until it is whole and right.
    init(
        _ plan: TaskPlan,
        _ retries: RetryPolicy = RetryPolicy(),
        isAmongMany: Bool = false,
        holds: Bool = false
    ) {
        self.plan = plan
        self.isAmongMany = isAmongMany
        turn = isAmongMany && plan.kind.file == nil ? OutputTurn() : nil
        held = holds && plan.kind.mayBeHeld ? HeldBody() : nil
        state = Mutex(State(file: plan.kind.file, retries: Tries(retries)))
    }

    /// Opens what the body goes to where that is neither a file to be nor standard output.
    ///
    /// May wait: a FIFO has to have a reader first.
    ///
    /// - Parameter length: the body's, bytes; below 0 where it is not known.
    /// - Throws: `cannotOpenFile`.
    func openOutput(expecting length: Int64) throws(URLError) {
        if let turn, !turn.hasCome { return state.withLock { $0.awaited = length } }
        // Its reader must not see it end between two tries.
        if case .device(let path) = plan.kind.destination, !get(\.isOutputOpen) {
            let opened = try OutputDescriptor(opening: path)
            state.withLock { state in
                state.output = opened
                state.isOutputOpen = true
            }
        }
        if length < 0 || length > Self.ordinaryPipe { get(\.output).enlargePipe() }
    }

    /// Opens what could not be opened before its turn had come.
    ///
    /// - Throws: `cannotOpenFile`.
    func openAwaitedOutput() throws(URLError) {
        guard let length = state.withLock({ $0.awaited.take() }) else { return }
        try openOutput(expecting: length)
    }

    var current: State { state.withLock { $0 } }

    /// One thing of what is known, without a copy of all of it.
    func get<Value>(_ part: (borrowing State) -> Value) -> Value {
        state.withLock { part($0) }
    }

    /// Changes what is known.
    func change(_ change: (inout State) -> Void) {
        state.withLock { change(&$0) }
    }

    /// Forgets what the last try came to, but for what it has done.
    func beginAgain(fetchesAnyway: Bool = false) {
        state.withLock { state in
            state.fetchesAnyway = fetchesAnyway || state.fetchesAnyway
            state.tries += 1
            state.status = nil
            state.failure = nil
            state.download = nil
            state.errorBody = nil
            state.excerpt = nil
            state.authentication = AuthenticationAttempts()
            state.metrics = nil
            state.end = nil
            state.offersBearer = false
            state.decision = nil
            state.skip = 0
            state.continued = nil
        }
    }

    /// Says that the name is that of the file which is continued, and so no other's.
    func continueUnderName() {
        state.withLock { if $0.file?.ifExists != .keep { $0.file?.ifExists = .replace } }
    }

    func note(pending note: String) {
        state.withLock { $0.pendingNote = note }
    }

    /// What is to be said now, once.
    func takePendingNote() -> String? {
        state.withLock { state in
            defer { state.pendingNote = nil }
            return state.pendingNote
        }
    }

    func note(download: URLSessionDownloadTask) {
        state.withLock { $0.download = download }
    }

    func note(errorBody: Destination?) {
        state.withLock { $0.errorBody = errorBody }
    }

    /// Decides for `--auto`; once it is a file, it stays one.
    func becomesFile(_ response: URLResponse) -> Bool {
        guard case .automatic(let file) = plan.kind.destination else { return false }
        return state.withLock { state in
            guard
                state.file != nil
                    || AutomaticChoice.isFile(response, isTerminal: state.output.isTerminal)
            else { return false }
            state.file = state.file ?? file
            return true
        }
    }

    func note(isContinuing: Bool) {
        state.withLock { $0.isContinuing = isContinuing }
    }

    /// Takes the URL's own host for the same over TLS.
    func note(upgradedTo url: URL) {
        guard let secure = Origin(url), let home = plan.address.origin, home.scheme == "http",
            secure.host == home.host, secure.port == (home.port == 80 ? 443 : home.port)
        else { return }
        state.withLock { $0.secureHome = secure }
    }

    /// The session's task is over.
    func end(_ error: URLError?) {
        state.withLock { $0.end = error }
        waiter.ring()
    }

    /// What the session's task has ended with, once.
    func takeEnd() -> URLError? { state.withLock { $0.end.take() } }

    func note(status: Int) {
        state.withLock { $0.status = status }
    }

    func note(isMultiplexed: Bool) {
        state.withLock { $0.isMultiplexed = isMultiplexed }
    }

    func note(_ failure: Failure) {
        state.withLock { $0.failure = $0.failure ?? failure }
    }

    func note(bytes: Int64) {
        state.withLock { $0.bytes += bytes }
    }

    /// Takes the server's name for the file.
    func note(fileName: String) {
        state.withLock { $0.file?.name = fileName }
    }

    func note(chosenPath: String) {
        state.withLock { $0.chosenPath = chosenPath }
    }

    func note(reservedPath: String) {
        state.withLock { $0.reservedPath = reservedPath }
    }

    func note(savedPath: String) {
        state.withLock { $0.savedPath = savedPath }
    }

    func note(offersBearer: Bool) {
        state.withLock { $0.offersBearer = offersBearer }
    }

    func note(_ metrics: URLSessionTaskMetrics) {
        state.withLock { $0.metrics = metrics }
    }

    func note(_ change: (inout AuthenticationAttempts) -> Void) {
        state.withLock { change(&$0.authentication) }
    }
}
