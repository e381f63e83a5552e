import FoundationEssentials
import Synchronization
import SystemPackage
import URLLoading

/// One running task of the command: its plan, and its life cycle behind a lock.
///
/// The delegate and the main thread change it: lock, change, unlock, act.
final class TaskRun: Sendable {
    /// The default size of a pipe, in bytes (pipe(7)); a larger one does not help smaller bodies.
    private static let ordinaryPipe: Int64 = 64 << 10

    let plan: TaskPlan
    let progress = TaskProgress()
    /// Signalled when an attempt ends.
    let waiter: Waiter
    let isAmongMany: Bool
    /// Whether a transfer process performs the task.
    let isInBackground: Bool
    let turn: OutputTurn?
    /// The buffer of a body that is written only when complete and verified.
    let bufferedBody: BufferedBody?
    /// The states of the request body's files when they were first sent.
    let sentFiles = Mutex<SentFiles?>(nil)
    /// The complete body of an error, and the path of the device to which it is written.
    let errorBody = Mutex<(file: FileDescriptor, path: String)?>(nil)
    let slot: JobSlot?
    private let life: Mutex<FetchLifecycle>

    init(
        _ plan: TaskPlan,
        _ rules: FetchLifecycle.Rules = FetchLifecycle.Rules(),
        retries: RetryPolicy = RetryPolicy(),
        isAmongMany: Bool = false,
        isInBackground: Bool = false,
        slot: JobSlot? = nil,
        waiter: Waiter = Waiter()
    ) {
        self.waiter = waiter
        self.isAmongMany = isAmongMany
        self.isInBackground = isInBackground
        self.slot = slot
        turn = isAmongMany && !plan.kind.isFile ? OutputTurn() : nil
        bufferedBody =
            rules.responses.buffersBodies && plan.kind.canBeBuffered ? BufferedBody() : nil
        life = Mutex(
            FetchLifecycle(plan.kind, rules, retries: retries, hasTurn: turn != nil, now: .now)
        )
        self.plan = plan
    }

    /// Reads a value of the life cycle without copying the whole struct.
    func get<Value>(_ part: (borrowing FetchLifecycle) -> Value) -> Value {
        life.withLock { part($0) }
    }

    /// Sends an event to the life cycle, or changes its state.
    @discardableResult
    func change<Value>(_ change: (inout FetchLifecycle) -> Value) -> Value {
        life.withLock { change(&$0) }
    }

    func note(_ change: (inout AuthenticationAttempts) -> Void) {
        life.withLock { change(&$0.attempt.authentication) }
    }

    /// Records a local cause that ends the attempt; the first cause applies.
    func note(_ outcome: TaskOutcome) { life.withLock { $0.attempt.stop(outcome) } }

    /// Records that an output cannot be opened or written.
    func note(_ error: any Error) {
        if error is OutputClosed { return note(.outputClosed) }
        note(.error(error as? URLError ?? URLError(.cannotWriteToFile)))
    }

    func end(_ error: URLError?) {
        life.withLock { $0.attempt.error = error }
        waiter.ring()
    }

    var started: MonotonicInstant { self.get(\.started) }
}

// Responses.
extension TaskRun {
    func received(_ response: URLResponse, _ task: URLSessionTask) -> BodyAction {
        let (action, discards) = life.withLock { life in
            let output = life.output.descriptor
            return life.received(
                response,
                to: task.currentRequest?.httpMethod ?? "GET",
                isDownload: task is URLSessionDownloadTask,
                isTerminal: output.isTerminal,
                buffer,
                FetchLifecycle.Moment()
            )
        }
        if discards { dropBuffered() }
        return action
    }

    func received(_ data: Data) -> FetchLifecycle.DataAction {
        life.withLock { life in
            let output = life.output.descriptor
            return life.received(data, isTerminal: output.isTerminal)
        }
    }

    /// Decides whether to retry after the error status of an additional request.
    func decideRetry(after response: HTTPURLResponse, _ task: URLSessionTask) {
        let method = task.currentRequest?.httpMethod ?? "GET"
        life.withLock { _ = $0.isRetried(response, method, buffer, FetchLifecycle.Moment()) }
    }

    var buffer: BufferState {
        let waits = turn?.hasBegun == false
        return BufferState(
            isBuffered: bufferedBody != nil || waits,
            canDiscard: bufferedBody.map { !$0.isWhole } ?? waits
        )
    }

    /// Discards buffered bytes; `false` if some of the received bytes had been delivered.
    func discardBuffered() -> Bool {
        guard dropBuffered() else { return false }
        life.withLock { $0.discard() }
        return true
    }

    @discardableResult
    private func dropBuffered() -> Bool {
        guard bufferedBody.map({ $0.discard() }) ?? turn?.discard() ?? false else { return false }
        get(\.output.proof)?.reset()
        return true
    }
}

// Outputs that are not files.
extension TaskRun {
    typealias Open = (_ path: String) throws(URLError) -> OutputDescriptor

    /// Opens the body's output, if it is a device; blocks until a FIFO has a reader.
    ///
    /// The length is negative if unknown. `open` may return the device that another task has
    /// opened. Throws `cannotOpenFile`.
    func openOutput(expecting length: Int64, _ open: Open) throws(URLError) {
        if let turn, !turn.hasBegun { return change { $0.output.awaited = length } }
        try openNow(expecting: length, open)
    }

    private func openNow(expecting length: Int64, _ open: Open) throws(URLError) {
        if case .device(let path) = plan.kind.destination, !get(\.output.isOpen) {
            let opened = try open(path)
            change { life in
                life.output.descriptor = opened
                life.output.isOpen = true
            }
        }
        if length < 0 || length > Self.ordinaryPipe { get(\.output.descriptor).enlargePipe() }
    }

    /// Opens an output whose opening was postponed until the task's turn; throws `cannotOpenFile`.
    func openAwaitedOutput(_ open: Open) throws(URLError) {
        guard let length = change({ $0.output.awaited.take() }) else { return }
        try openNow(expecting: length, open)
    }

    /// Sets the expected digest; a body without a file is hashed while it is written.
    func note(expected: ExpectedDigest) throws(URLError) {
        let proof = !plan.kind.isFile ? try BodyProof(expected) : nil
        change { life in
            life.expected = expected
            life.output.proof = proof
        }
    }
}

// Origins and credentials.
extension TaskRun {
    /// Treats the URL's host over TLS as the URL's own origin.
    func note(upgradedTo url: URL) {
        guard let secure = Origin(url), let own = plan.address.origin, own.scheme == "http",
            secure.host == own.host, secure.port == (own.port == 80 ? 443 : own.port)
        else { return }
        change { $0.secureOrigin = secure }
    }

    /// Whether a server has the URL's own origin, and is not a redirect's target.
    func isFirstOrigin(_ space: URLProtectionSpace) -> Bool {
        guard !space.isProxy(), let own = get(\.secureOrigin) ?? plan.address.origin else {
            return false
        }
        return space.host.hasBytes(of: own.host.withoutBrackets) && space.port == own.port
            && space.protocol == own.scheme
    }

    /// The credentials for a protection space; a credential is used only for its own origin.
    func identity(at space: URLProtectionSpace) -> Identity {
        isFirstOrigin(space) ? plan.identity : .none
    }
}
