import FoundationEssentials
import Synchronization

// Unchecked: a class with subclasses cannot be checked; all that changes is in `locked`.
/// The load of one resource, as Foundation's `URLSessionTask`.
///
/// A session makes it suspended. It may be used from any thread.
public class URLSessionTask: @unchecked Sendable {
    /// The state of a task.
    public enum State: Int, Sendable {
        /// It is being carried out.
        case running = 0
        /// It has not been resumed, or was suspended.
        case suspended = 1
        /// It was cancelled and is about to end.
        case canceling = 2
        /// It has ended.
        case completed = 3
    }

    /// Everything of a task that changes.
    struct Locked {
        var lifecycle: TaskLifecycle
        var output: TaskOutput
        var hop: (any RunningHop)?
        var response: URLResponse?
        var error: URLError?
        var delegate: (any URLSessionTaskDelegate)?
        var priority = URLSessionTask.defaultPriority
        var taskDescription: String?
        /// The callers that wait for the resume data of a download that was cancelled.
        var resumeDataHandlers: [@Sendable (Data?) -> Void] = []
        var sent = ByteCount() { didSet { observers?.change() } }
        var received = ByteCount() { didSet { observers?.change() } }
        /// What is called when either has changed.
        var observers: ProgressObservers?
        var earliestBeginDate: Date?
        var clientExpectsToSend = NSURLSessionTransferSizeUnknown
        var clientExpectsToReceive = NSURLSessionTransferSizeUnknown
        var prefersIncrementalDelivery = true
        var metrics = MetricsCollector()
        /// What wakes the task when the network changes, while it waits for one.
        var watch: NetworkWatch?
        /// The decision about a server; a handshake that begins again asks for it again.
        var trustDecision: (trust: ServerTrust, disposition: TrustDisposition)?
        /// Parts of the body that have come, of which the first is being decided upon.
        var parts: ArraySlice<ReceivedPart> = []
        /// What is known of the use of the response to the request that was sent last.
        var responseContext = ResponseContext()
        /// What the hop that is out has to do with the cache.
        var exchange: CacheExchange?
        /// The same, where it is asked once more.
        var repeatedExchange: CacheExchange?
        /// What records the response that is being decided upon.
        var recorder: CacheRecorder?
        /// The source of the next hop's response.
        var stored: CacheReader?
        /// The hop that the cache serves.
        var storedHop: HopID?
        /// The download that the task has become, and whether the program was notified.
        var successor: URLSessionTask?
        var isSuccessorKnown = false
        /// Whether a download has to come in one stream.
        var mayNotSplit = false
        /// What servers that want client certificates are shown by this task.
        var identities: [Origin: HopIdentity] = [:]
        /// What the body must come to.
        var expectedDigest: ExpectedDigest?
        var startsOverOnDigestMismatch = true
        /// Called when a download is whole and its file is being written to the disk, before the end.
        var bodyCompletionHandler: (@Sendable () -> Void)?
        /// The whole file of a download, while the delegate is called with its location.
        var finishedFile: PartFile?
    }

    /// Bytes so far, and how many are expected; −1 where that is not known.
    struct ByteCount {
        var total: Int64 = 0
        var expected: Int64 = -1

        /// With what the program expects, where no length is known.
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

    /// A number of its own within its session, from 1.
    public let taskIdentifier: Int
    /// The request the task was made with.
    public let originalRequest: URLRequest?
    let session: URLSession
    /// When it was made, in microseconds since 1970.
    let created = WallClock.now
    let locked: TaskLock<Locked>

    init(
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
        var lifecycle = TaskLifecycle(
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
                home: request.url,
                tunnelsAlways: session.settings.transport.tunnelsThroughProxy
            ),
            beginning: beginning,
            waitsForConnectivity: session.settings.waitsForConnectivity
        )
        lifecycle.redirects = snapshot?.redirects ?? 0
        locked = TaskLock(Locked(lifecycle: consume lifecycle, output: output))
    }

    /// Makes the task that another one has become.
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
    /// In a background session this order, as `suspend()` and `cancel()`, is on the disk when the call
    /// returns: the program may end at once.
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

    /// Holds the task: no traffic, and no clock runs, until it is resumed.
    ///
    /// Bytes that were received already may still be delivered. Calls are not counted: one `resume()` ends it.
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

    /// The request being carried out: the original one with the session's headers, or what a
    /// redirect made of it.
    public var currentRequest: URLRequest? {
        locked.withLock { $0.lifecycle.currentRequest }
    }

    /// The last response; `nil` until its head has arrived.
    public var response: URLResponse? {
        locked.withLock { $0.response }
    }

    /// The task's error; `nil` until it fails.
    public var error: (any Error)? {
        locked.withLock { $0.error }
    }

    /// The delegate that is called for this task before the session's; kept until the task has ended.
    ///
    /// Set it before the first `resume()`: the delegate that is asked about redirects is settled
    /// then.
    public var delegate: (any URLSessionTaskDelegate)? {
        get { locked.withLock { $0.delegate } }
        set {
            // The old one is released here, and not under the lock.
            _ = locked.withLock { locked in
                defer { locked.delegate = newValue }
                return locked.delegate
            }
        }
    }

    /// Its share of an HTTP/2 connection among others, 0 to 1.
    ///
    /// Default: 0.5. HTTP/1.1 ignores it, because a task has a connection to itself.
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

    /// A text of the program's own.
    public var taskDescription: String? {
        get { locked.withLock { $0.taskDescription } }
        set { locked.withLock { $0.taskDescription = newValue } }
    }

    /// The bytes of the request's body that were sent.
    public var countOfBytesSent: Int64 { locked.withLock { $0.sent.total } }

    /// The length of the request's body; −1 where it is not known, 0 where there is none.
    public var countOfBytesExpectedToSend: Int64 { locked.withLock { $0.sent.expected } }

    /// The bytes of the response's body that were received.
    public var countOfBytesReceived: Int64 { locked.withLock { $0.received.total } }

    /// The length that the response announces; −1 without one, or before the response.
    public var countOfBytesExpectedToReceive: Int64 { locked.withLock { $0.received.expected } }

    /// The progress of the task, in both directions together.
    public var progress: URLSessionTaskProgress { URLSessionTaskProgress(self) }
}
