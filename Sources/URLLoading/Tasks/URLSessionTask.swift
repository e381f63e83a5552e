import Dispatch
import FoundationEssentials
import Synchronization

// Unchecked: a class with subclasses cannot be checked; all mutable state is in `locked`.
/// The load of one resource, as Foundation's `URLSessionTask`.
///
/// A session creates the task suspended. Any thread may call all members.
public class URLSessionTask: @unchecked Sendable {
    /// The state of a task.
    public enum State: Int, Sendable {
        /// The task is being carried out.
        case running = 0
        /// The caller has not resumed the task, or has suspended it.
        case suspended = 1
        /// The caller has cancelled the task, and it is about to end.
        case canceling = 2
        /// The task has ended.
        case completed = 3
    }

    /// The mutable state of a task.
    struct Locked {
        var lifecycle: TaskLifecycle
        var output: TaskOutput
        var hop: (any RunningHop)?
        var response: URLResponse?
        var error: URLError?
        var delegate: (any URLSessionTaskDelegate)?
        var priority = URLSessionTask.defaultPriority
        var taskDescription: String?
        /// Waiting calls of `cancel(byProducingResumeData:)`.
        var resumeDataHandlers: [@Sendable (Data?) -> Void] = []
        var sent = ByteCount() { didSet { observers?.change() } }
        var received = ByteCount() { didSet { observers?.change() } }
        /// Called after each change of `sent` or `received`.
        var observers: ProgressObservers?
        var earliestBeginDate: Date?
        var clientExpectsToSend = NSURLSessionTransferSizeUnknown
        var clientExpectsToReceive = NSURLSessionTransferSizeUnknown
        var prefersIncrementalDelivery = true
        var metrics = MetricsCollector()
        /// Wakes the task when the network changes, while the task waits for a network.
        var watch: NetworkWatch?
        /// The decision about a server, kept because a repeated handshake asks again.
        var trustDecision: (trust: ServerTrust, disposition: TrustDecision)?
        // Unchecked: the protocol is not Sendable, although any thread may use libdispatch's objects. The task's
        // lock guards this one.
        /// Ends the task at its time limit, while the task waits for an answer of its delegate.
        nonisolated(unsafe) var answerTimer: (any DispatchSourceTimer)?
        /// The parts of the body that have arrived; the task waits for the delegate's decision about the
        /// first.
        var parts: ArraySlice<ReceivedPart> = []
        /// How the response to the last request is handled.
        var responseContext = ResponseContext()
        var exchange: CacheExchange?
        var repeatedExchange: CacheExchange?
        /// The recorder of the response that waits for the delegate's decision.
        var recorder: CacheRecorder?
        /// The stored response that the next hop serves.
        var stored: CacheReader?
        var storedHop: HopID?
        /// The download that replaced the task, and whether the program was notified.
        var successor: URLSessionTask?
        var isSuccessorKnown = false
        /// Whether the download must use one stream.
        var mayNotSplit = false
        /// The delegate's client certificates for this task.
        var identities: [Origin: HopIdentity] = [:]
        /// The digest that the body must have.
        var expectedDigest: ExpectedDigest?
        var startsOverOnDigestMismatch = true
        /// Called when a download is complete, and the task writes its file to the disk.
        var bodyCompletionHandler: (@Sendable () -> Void)?
        /// The complete file of a download, during the delegate call with its location.
        var finishedFile: PartFile?
    }

    /// Bytes so far, and expected bytes; −1: unknown.
    struct ByteCount {
        var total: Int64 = 0
        var expected: Int64 = -1

        /// With the program's expectation, if the length is unknown.
        func expecting(_ count: Int64) -> ByteCount {
            expected < 0 ? ByteCount(total: total, expected: max(-1, count)) : self
        }
    }

    /// The middle of the priorities, 0.5.
    public static let defaultPriority: Float = 0.5
    /// A low priority, 0.25.
    public static let lowPriority: Float = 0.25
    /// A high priority, 0.75.
    public static let highPriority: Float = 0.75

    /// A number that is unique within the session, from 1.
    public let taskIdentifier: Int
    /// The request that the caller made the task with.
    public let originalRequest: URLRequest?
    let session: URLSession
    /// The time of creation, in microseconds since 1970.
    let created = WallClock.now
    let locked: TaskLock<Locked>

    required init(
        _ identifier: Int,
        _ request: URLRequest,
        body: TaskBody,
        output: TaskOutput,
        in session: URLSession,
        beginning: TaskLifecycle.Beginning = .atFirstByte,
        at snapshot: TaskSnapshot? = nil
    ) {
        taskIdentifier = identifier
        originalRequest = request
        self.session = session
        let lifecycle = TaskLifecycle(
            snapshot?.request ?? session.settings.completed(request),
            body: body,
            responsePolicy: TaskLifecycle.ResponsePolicy(
                asksAboutRedirects: false,
                body: .settled(.collect),
                maximumRedirects: session.settings.transport.maximumRedirects
            ),
            timeLimit: Duration(timeout: session.settings.timeoutForResource),
            authentication: TaskAuthentication(
                memory: session.authenticationMemory,
                firstURL: request.url,
                tunnelsAlways: session.settings.transport.tunnelsThroughProxy
            ),
            beginning: beginning,
            waitsForConnectivity: session.settings.waitsForConnectivity,
            redirects: snapshot?.redirects ?? 0
        )
        locked = TaskLock(Locked(lifecycle: consume lifecycle, output: output))
    }

    /// Creates the download that replaces a data task.
    init(_ identifier: Int, inheriting state: Locked, from task: URLSessionTask) {
        taskIdentifier = identifier
        originalRequest = task.originalRequest
        session = task.session
        locked = TaskLock(state)
    }
}

extension URLSessionTask {
    /// Starts or continues the task.
    ///
    /// In a background session the call, as `suspend()` and `cancel()`, returns after the order is on
    /// the disk: the program may exit at once.
    public func resume() {
        if let originalRequest, !session.sharesThread { readState(for: originalRequest) }
        command { locked in
            if case .ready = locked.lifecycle.state {
                locked.lifecycle.responsePolicy = responsePolicy(locked)
            }
            return locked.lifecycle.resume(delay: locked.delay)
        }
        session.attachment?.waitUntilStored()
    }

    /// Pauses the task: no traffic, and no timeout runs, until the caller resumes it.
    ///
    /// The delegate may still receive bytes that have already arrived. The task does not count calls: one
    /// `resume()` suffices.
    public func suspend() {
        command { $0.lifecycle.suspend() }
        session.attachment?.waitUntilStored()
    }

    /// Ends the task with `URLError.Code.cancelled`, unless it has ended.
    public func cancel() {
        command { $0.lifecycle.cancel() }
        session.attachment?.waitUntilStored()
    }

    /// The state of the task.
    public var state: State {
        locked.withLock { locked in
            switch locked.lifecycle.state {
            case .ended: .completed
            case _ where locked.lifecycle.isCancelled: .canceling
            case _ where locked.lifecycle.isSuspended: .suspended
            default: .running
            }
        }
    }

    /// The current request: the original one with the session's headers, or the target of a redirect.
    public var currentRequest: URLRequest? { locked.withLock { $0.lifecycle.currentRequest } }

    /// The last response; `nil` until its head has arrived.
    public var response: URLResponse? { locked.withLock { $0.response } }

    /// The task's error; `nil` until it fails.
    public var error: (any Error)? { locked.withLock { $0.error } }

    /// The delegate that the session calls for this task before its own; kept until the task has ended.
    ///
    /// Set it before the first `resume()`, which decides whether the task asks a delegate about redirects.
    public var delegate: (any URLSessionTaskDelegate)? {
        get { locked.withLock { $0.delegate } }
        set {
            // This releases the old delegate outside the lock.
            _ = locked.withLock { locked in
                defer { locked.delegate = newValue }
                return locked.delegate
            }
        }
    }

    /// The task's share of an HTTP/2 connection, 0 to 1.
    ///
    /// Default: 0.5. HTTP/1.1 ignores it, because a task has a connection to itself. A background session
    /// reads it when it makes the task, at the first call of `resume()`, `suspend()` or `cancel()`.
    public var priority: Float {
        get { locked.withLock { $0.priority } }
        set {
            let bounded = newValue.isNaN ? Self.defaultPriority : min(max(newValue, 0), 1)
            locked.withLock { locked in
                locked.priority = bounded
                locked.hop?.setPriority(bounded)
            }
        }
    }

    /// A text that the program may set.
    ///
    /// A background session keeps the text of the moment at which it makes the task, at the first call of
    /// `resume()`, `suspend()` or `cancel()`.
    public var taskDescription: String? {
        get { locked.withLock { $0.taskDescription } }
        set { locked.withLock { $0.taskDescription = newValue } }
    }

    /// The number of bytes of the request's body that the task has sent.
    public var countOfBytesSent: Int64 { locked.withLock { $0.sent.total } }

    /// The length of the request's body; −1: unknown, 0: no body.
    public var countOfBytesExpectedToSend: Int64 { locked.withLock { $0.sent.expected } }

    /// The number of bytes of the response's body that were received.
    public var countOfBytesReceived: Int64 { locked.withLock { $0.received.total } }

    /// The length that the response states; −1: unknown, or no response yet.
    public var countOfBytesExpectedToReceive: Int64 { locked.withLock { $0.received.expected } }

    /// The progress of the task, sent and received bytes together.
    public var progress: URLSessionTaskProgress { URLSessionTaskProgress(self) }
}

/// The receiver of a task's result.
enum TaskOutput: Sendable {
    /// The delegates, piece by piece.
    case delegates
    /// A completion handler, all at once.
    case data(@Sendable (Data?, URLResponse?, (any Error)?) -> Void)
    /// A completion handler, with a temporary file.
    case download(@Sendable (URL?, URLResponse?, (any Error)?) -> Void)
    /// A sequence, whose reader sets the pace.
    case bytes(ByteChannel)
}
