public import Dispatch
import FoundationEssentials
import Synchronization

/// A group of tasks under one configuration and one delegate, as Foundation's `URLSession`.
///
/// A session keeps its delegate until it is invalidated: the program must end the session with
/// ``finishTasksAndInvalidate()`` or ``invalidateAndCancel()``.
public final class URLSession: Sendable {
    /// What to do with a response's body.
    public enum ResponseDisposition: Int, Sendable {
        /// Cancel the task.
        case cancel = 0
        /// Deliver the body.
        case allow = 1
        /// Turn the task into a download, which takes over the response.
        ///
        /// Foundation's `becomeStream` has no counterpart here.
        case becomeDownload = 2
    }

    /// The mutable state of a session.
    struct Locked {
        var lifecycle = SessionLifecycle()
        var tasks: [Int: URLSessionTask] = [:]
        var delegate: (any URLSessionDelegate)? { didSet { roles = nil } }
        /// The protocols that the delegate conforms to, after the first use.
        var roles: DelegateRoles?
        var description: String?
        /// Whether the session cancels all tasks, including tasks that replace others later.
        var cancelsTasks = false
        /// Whether the session has written its state and released its ephemeral stores.
        var hasKeptState = false
        /// The error that made the session invalid.
        var failure: URLError?
        /// The event that the background session delivers at present.
        var event: BackgroundEvent?
    }

    /// A session for simple requests, with the default configuration and without a delegate.
    ///
    /// It cannot be configured or invalidated.
    public static let shared = {
        let settings = SessionSettings(kind: .default)
        return URLSession(settings, CurlTransport(settings), nil, nil, isShared: true)
    }()

    /// The queue that the caller chose for the delegate, or the session's own.
    ///
    /// For a hosted session it is the main queue, which the session does not use.
    public let delegateQueue: DispatchQueue
    let settings: SessionSettings
    /// The fields of every request that does not set them.
    let defaultFields: DefaultFields
    let proxies: SessionProxies
    let transport: any Transport
    let networkMonitor: NetworkMonitor
    /// The queue of all calls to delegates and handlers, one after another.
    package let queue: DelegateLane
    /// The thread that runs the session; `nil`: the session's own threads.
    let host: SessionHost?
    /// Reads the bodies of data tasks without a copy.
    let bodyTaker: (any BodyTaker)?
    /// The credentials that servers have accepted from the session's tasks.
    let authenticationMemory = AuthenticationMemory()
    let connectionDecisions = Mutex(ConnectionDecisions())
    /// The HSTS hosts; `nil`: disabled.
    let hsts: HSTSStorage?
    let isShared: Bool
    /// The connection to the transfer process; `nil`: this process carries out the tasks.
    let attachment: BackgroundAttachment?
    let locked: Mutex<Locked>
    /// Writes complete files to the disk.
    let files: FileSynchronizer
    /// The queue for state files, which may wait for the disk or another process.
    let reading = SerialQueue("URLSession.reading")

    /// Creates a session.
    ///
    /// This call attaches a background session to its transfer process, and restores its earlier tasks. That
    /// takes a few milliseconds, or 10 s where the transfer process does not respond. If that fails, the
    /// session is invalid at once. Then its delegate receives the reason
    /// (``URLSessionDelegate/urlSession(_:didBecomeInvalidWithError:)``), and every task fails with it.
    ///
    /// - Parameters:
    ///   - configuration: copied.
    ///   - delegate: the session keeps it until the session is invalid; `nil`: only completion handlers
    ///     receive results.
    ///   - delegateQueue: the queue of delegates and handlers; `nil`: a serial queue of the session. The
    ///     session calls them one at a time and in order, even if the queue is concurrent.
    public convenience init(
        configuration: URLSessionConfiguration,
        delegate: (any URLSessionDelegate)? = nil,
        delegateQueue: DispatchQueue? = nil
    ) {
        self.init(
            configuration.settings,
            CurlTransport(configuration.settings),
            delegate,
            delegateQueue
        )
    }

    /// Creates a session that runs on a thread of the program; it uses other threads only for work that
    /// blocks.
    ///
    /// - Parameters:
    ///   - configuration: copied.
    ///   - delegate: kept until the session has become invalid; called on the host's thread.
    ///   - host: the thread.
    ///   - bodyTaker: reads the bodies of data tasks without their own delegate; the session keeps it until
    ///     its release.
    package convenience init(
        configuration: URLSessionConfiguration,
        delegate: (any URLSessionDelegate)?,
        hostedBy host: SessionHost,
        bodyTaker: (any BodyTaker)? = nil
    ) {
        let settings = configuration.settings
        let transport = CurlTransport(settings, host)
        self.init(settings, transport, delegate, nil, hostedBy: host, bodyTaker: bodyTaker)
    }

    /// Creates a session over any transport.
    init(
        _ settings: SessionSettings,
        _ transport: any Transport,
        _ delegate: (any URLSessionDelegate)?,
        _ delegateQueue: DispatchQueue?,
        isShared: Bool = false,
        hostedBy host: SessionHost? = nil,
        bodyTaker: (any BodyTaker)? = nil,
        networkMonitor: NetworkMonitor = .shared,
        dependencies: @autoclosure () -> BackgroundDependencies = BackgroundDependencies()
    ) {
        self.settings = settings
        defaultFields = settings.defaultFields
        self.networkMonitor = networkMonitor
        proxies = SessionProxies(settings)
        self.transport = transport
        self.isShared = isShared
        hsts = HSTSStorage.storage(for: settings)
        self.host = host
        self.bodyTaker = bodyTaker
        if let host {
            queue = host.lane
            self.delegateQueue = .main
        } else {
            let own = DispatchQueue(label: "URLSession", target: delegateQueue)
            queue = DelegateLane(own)
            self.delegateQueue = delegateQueue ?? own
        }
        locked = Mutex(Locked(delegate: delegate))
        files = FileSynchronizer(settings.transport.fileSynchronization)
        attachment =
            if case .background(let identifier) = settings.kind {
                BackgroundAttachment(identifier, settings, dependencies())
            } else {
                nil
            }
        settings.ephemeralStores?.sessionBegan()
        attachment?.begin(self)
    }

    deinit {
        if !locked.withLock({ $0.hasKeptState }) { settings.ephemeralStores?.sessionEnded() }
        transport.finish()
        attachment?.close()
    }

    /// A copy of the configuration that the caller made the session with.
    public var configuration: URLSessionConfiguration { URLSessionConfiguration(settings) }

    /// The session's delegate, until the session has become invalid.
    public var delegate: (any URLSessionDelegate)? {
        locked.withLock { $0.delegate }
    }

    /// A text that the program may set.
    public var sessionDescription: String? {
        get { locked.withLock { $0.description } }
        set { locked.withLock { $0.description = newValue } }
    }
}

extension URLSession {
    /// Refuses new tasks, waits for running ones to end, and then releases the delegate.
    ///
    /// No effect on ``shared``.
    public func finishTasksAndInvalidate() {
        attachment?.commitAll()
        invalidate()
        attachment?.waitUntilStored()
    }

    /// Refuses new tasks, cancels running ones, and then releases the delegate.
    ///
    /// No effect on ``shared``.
    public func invalidateAndCancel() {
        let tasks = invalidate(cancelsTasks: true)
        for task in tasks { task.command { $0.lifecycle.cancel() } }
        attachment?.waitUntilStored()
    }

    /// The tasks that have not ended, in the order of their identifiers.
    public func getAllTasks(completionHandler: @escaping @Sendable ([URLSessionTask]) -> Void) {
        let tasks = liveTasks
        queue.async { completionHandler(tasks) }
    }

    /// The tasks that have not ended, in the order of their identifiers.
    public var allTasks: [URLSessionTask] { get async { liveTasks } }

    /// The tasks that have not ended, by kind, in the order of their identifiers.
    ///
    /// - Parameter completionHandler: takes data tasks, upload tasks and download tasks, on the delegate
    ///   queue; an upload task is not among the data tasks.
    public func getTasksWithCompletionHandler(
        _ completionHandler:
            @escaping @Sendable (
                [URLSessionDataTask], [URLSessionUploadTask], [URLSessionDownloadTask]
            ) -> Void
    ) {
        let (data, uploads, downloads) = liveTasksByKind
        queue.async { completionHandler(data, uploads, downloads) }
    }

    /// The tasks that have not ended: data tasks, upload tasks and download tasks, each in the order of
    /// their identifiers; an upload task is not among the data tasks.
    public var tasks: ([URLSessionDataTask], [URLSessionUploadTask], [URLSessionDownloadTask]) {
        get async { liveTasksByKind }
    }

    private var liveTasksByKind:
        ([URLSessionDataTask], [URLSessionUploadTask], [URLSessionDownloadTask])
    {
        let tasks = liveTasks
        let uploads = tasks.compactMap { $0 as? URLSessionUploadTask }
        return (
            tasks.compactMap { $0 is URLSessionUploadTask ? nil : $0 as? URLSessionDataTask },
            uploads, tasks.compactMap { $0 as? URLSessionDownloadTask }
        )
    }

    private var liveTasks: [URLSessionTask] {
        locked.withLock { locked in
            locked.tasks.values.sorted { $0.taskIdentifier < $1.taskIdentifier }
        }
    }

    @discardableResult
    private func invalidate(cancelsTasks: Bool = false) -> [URLSessionTask] {
        guard !isShared else { return [] }
        return locked.withLock { locked in
            locked.cancelsTasks = locked.cancelsTasks || cancelsTasks
            act(locked.lifecycle.finishTasks())
            return Array(locked.tasks.values)
        }
    }

    func act(_ becomesInvalid: Bool) {
        guard becomesInvalid else { return }
        transport.finish()
        guard let attachment else { return becomeInvalid() }
        attachment.conclude(detaching: false) { [self] in becomeInvalid() }
    }

    /// Notifies the delegate, and releases it.
    func becomeInvalid() {
        queue.async { [self] in
            let (delegate, failure) = locked.withLock { ($0.delegate, $0.failure) }
            keepState()
            delegate?.urlSession(self, didBecomeInvalidWithError: failure)
            // The delegate is released outside the lock, which its `deinit` could need.
            withExtendedLifetime(delegate) { locked.withLock { $0.delegate = nil } }
        }
    }
}

extension URLSession {
    /// The session's delegate, if it is a task delegate.
    var taskDelegate: (any URLSessionTaskDelegate)? { delegateRoles.task }

    /// The delegate to which a task's own delegate forwards: the session's, unless both are the same.
    func taskDelegate(behind delegate: any URLSessionTaskDelegate) -> (any URLSessionTaskDelegate)?
    {
        guard let next = taskDelegate, next !== delegate else { return nil }
        return next
    }
}
