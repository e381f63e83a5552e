import FoundationEssentials
import Synchronization
import URLLoading

/// One task while it runs: what was planned, and its life behind a lock.
///
/// The delegate queue and the main thread change that: lock, change, unlock, act.
final class TaskRun: Sendable {
    /// What a pipe holds unless told otherwise, bytes (pipe(7)): more does not help less than this.
    private static let ordinaryPipe: Int64 = 64 << 10

    let plan: TaskPlan
    let progress = TaskProgress()
    /// What is rung when an attempt is over.
    let waiter = Waiter()
    /// Whether it is one of several.
    let isAmongMany: Bool
    /// Whether a transfer process carries it out.
    let isInBackground: Bool
    /// Its turn to write, where others write there, too.
    let turn: OutputTurn?
    /// Its body, where that is written only once it is whole and right.
    let bufferedBody: BufferedBody?
    /// The files that the request's body is made of, once they were sent.
    let sentFiles = Mutex<SentFiles?>(nil)
    /// Its place among the jobs.
    let slot = Mutex<JobSlot?>(nil)
    private let life: Mutex<FetchLifecycle>

    /// - Parameters:
    ///   - plan: what is to be done.
    ///   - rules: what holds for all tasks of the run.
    ///   - retries: what is tried again.
    ///   - isAmongMany: whether it is one of several.
    ///   - isInBackground: whether a transfer process carries it out.
    init(
        _ plan: TaskPlan,
        _ rules: FetchLifecycle.Rules = FetchLifecycle.Rules(),
        retries: RetryPolicy = RetryPolicy(),
        isAmongMany: Bool = false,
        isInBackground: Bool = false
    ) {
        self.plan = plan
        self.isAmongMany = isAmongMany
        self.isInBackground = isInBackground
        turn = isAmongMany && plan.kind.file == nil ? OutputTurn() : nil
        bufferedBody =
            rules.responses.buffersBodies && plan.kind.canBeBuffered ? BufferedBody() : nil
        life = Mutex(
            FetchLifecycle(plan.kind, rules, retries: retries, hasTurn: turn != nil, now: .now)
        )
    }

    /// One thing of what is known, without a copy of all of it.
    func get<Value>(_ part: (borrowing FetchLifecycle) -> Value) -> Value {
        life.withLock { part($0) }
    }

    /// Hands an event to the life, or changes what is known.
    @discardableResult
    func change<Value>(_ change: (inout FetchLifecycle) -> Value) -> Value {
        life.withLock { change(&$0) }
    }

    func note(_ change: (inout AuthenticationAttempts) -> Void) {
        life.withLock { change(&$0.attempt.authentication) }
    }

    /// Something of our own side ends the attempt; the first counts.
    func note(_ outcome: TaskOutcome) {
        life.withLock { $0.attempt.stop(outcome) }
    }

    /// Something that cannot be opened or written ends the attempt.
    func note(_ error: any Error) {
        if error is OutputClosed { return note(.outputClosed) }
        note(.error(error as? URLError ?? URLError(.cannotWriteToFile)))
    }

    /// The session's task is over.
    func end(_ error: URLError?) {
        life.withLock { $0.attempt.error = error }
        waiter.ring()
    }

    var started: ContinuousClock.Instant { self.get(\.started) }
}

// Responses.
extension TaskRun {
    /// Says what becomes of a response's body.
    func received(_ response: URLResponse, _ task: URLSessionTask) -> BodyAction {
        let (action, forgets) = life.withLock { life in
            let output = life.output.descriptor
            return life.received(
                response,
                to: task.currentRequest?.httpMethod ?? "GET",
                isDownload: task is URLSessionDownloadTask,
                isTerminal: output.isTerminal,
                hold,
                FetchLifecycle.Moment()
            )
        }
        if forgets { dropBuffered() }
        return action
    }

    /// Says what becomes of bytes of a body.
    func received(_ data: Data) -> FetchLifecycle.DataAction {
        life.withLock { life in
            let output = life.output.descriptor
            return life.received(data, isTerminal: output.isTerminal)
        }
    }

    /// Decides about an error status, which a request besides that for the body has got.
    func decideRetry(after response: HTTPURLResponse, _ task: URLSessionTask) {
        let method = task.currentRequest?.httpMethod ?? "GET"
        life.withLock { _ = $0.isRetried(response, method, hold, FetchLifecycle.Moment()) }
    }

    /// Whether what came of the body can still be forgotten.
    var hold: Hold {
        let waits = turn?.hasCome == false
        return Hold(
            isBuffered: bufferedBody != nil || waits,
            canForget: bufferedBody.map { !$0.isWhole } ?? waits
        )
    }

    /// Drops what would go out but has not yet, where others write first or the body is kept back.
    ///
    /// - Returns: whether nothing has gone out.
    func discardBuffered() -> Bool {
        guard dropBuffered() else { return false }
        life.withLock { $0.forget() }
        return true
    }

    @discardableResult
    private func dropBuffered() -> Bool {
        guard bufferedBody.map({ $0.forget() }) ?? turn?.forget() ?? false else { return false }
        get(\.output.proof)?.reset()
        return true
    }
}

// Where a body goes that has no file.
extension TaskRun {
    /// Opens what the body goes to where that is neither a file to be nor standard output.
    ///
    /// May wait: a FIFO has to have a reader first.
    ///
    /// - Parameter length: the body's, bytes; below 0 where it is not known.
    /// - Throws: `cannotOpenFile`.
    func openOutput(expecting length: Int64) throws(URLError) {
        if let turn, !turn.hasCome { return change { $0.output.awaited = length } }
        try openNow(expecting: length)
    }

    private func openNow(expecting length: Int64) throws(URLError) {
        // Its reader must not see it end between two attempts.
        if case .device(let path) = plan.kind.destination, !get(\.output.isOpen) {
            let opened = try OutputDescriptor(opening: path)
            change { life in
                life.output.descriptor = opened
                life.output.isOpen = true
            }
        }
        if length < 0 || length > Self.ordinaryPipe { get(\.output.descriptor).enlargePipe() }
    }

    /// Opens what could not be opened before its turn came, which it does now.
    ///
    /// - Throws: `cannotOpenFile`.
    func openAwaitedOutput() throws(URLError) {
        guard let length = change({ $0.output.awaited.take() }) else { return }
        try openNow(expecting: length)
    }

    /// Says what the body must come to.
    ///
    /// What goes to no file of its own is looked at as it is written.
    func note(expected: ExpectedDigest) throws(URLError) {
        let proof = plan.kind.file == nil ? try BodyProof(expected) : nil
        change { life in
            life.expected = expected
            life.output.proof = proof
        }
    }
}

// The server that a credential is for.
extension TaskRun {
    /// Takes the URL's own host for the same over TLS.
    func note(upgradedTo url: URL) {
        guard let secure = Origin(url), let home = plan.address.origin, home.scheme == "http",
            secure.host == home.host, secure.port == (home.port == 80 ? 443 : home.port)
        else { return }
        change { $0.secureHome = secure }
    }

    /// Whether a server is the one that the URL names, and not one that a redirect leads to.
    func isHome(_ space: URLProtectionSpace) -> Bool {
        guard !space.isProxy(), let home = get(\.secureHome) ?? plan.address.origin else {
            return false
        }
        return space.host.hasBytes(of: home.host.unbracketed) && space.port == home.port
            && space.protocol == home.scheme
    }

    /// The credentials for there: a credential belongs to the origin that it was given for.
    func identity(at space: URLProtectionSpace) -> Identity {
        isHome(space) ? plan.identity : .none
    }
}
