import FoundationEssentials
import Synchronization
import URLLoading

/// An additional request, whose response has only a head and a few bytes of interest.
///
/// It is the delegate of its own session task, and reports its calls like the session's delegate.
/// It forwards challenges and redirects to that delegate.
final class BoundedRequest: URLSessionDataDelegate {
    struct Reply {
        fileprivate(set) var response: URLResponse?
        /// The body, or its beginning if it exceeds the limit.
        fileprivate(set) var bytes = Data()
        /// Whether the body has more bytes than the limit.
        fileprivate(set) var isTooLong = false
        /// The target of a refused redirect from TLS to plain HTTP.
        fileprivate(set) var insecureTarget: URL?
        fileprivate(set) var error: URLError?
        fileprivate var isOver = false
    }

    private let run: TaskRun
    private let session: URLSession
    private let delegate: RunDelegate
    private let deadline: MonotonicInstant?
    private let limit: Int
    private let staysInTLS: Bool
    private let isWanted: @Sendable (HTTPURLResponse, URLSessionTask) -> Bool
    private let waiter: Waiter
    private let state = Mutex(Reply())

    /// The body is read only if its head is wanted; `limit` is its maximum length in bytes.
    ///
    /// Challenges are for `run`, or else for the runner's own task.
    @MainLoop
    init(
        of runner: TaskRunner,
        for run: TaskRun? = nil,
        limit: Int,
        staysInTLS: Bool = false,
        isWanted: @escaping @Sendable (HTTPURLResponse, URLSessionTask) -> Bool
    ) {
        self.run = run ?? runner.run
        waiter = Waiter(after: self.run.waiter)
        session = runner.session
        delegate = runner.delegate
        deadline = runner.deadline
        self.limit = limit
        self.staysInTLS = staysInTLS
        self.isWanted = isWanted
    }

    /// Sends the request, and waits; throws `interrupted`, or `timeLimit` at the task's deadline.
    @MainLoop
    func send(_ request: URLRequest) async throws(TaskOutcome) -> Reply {
        let task = session.dataTask(with: request)
        task.delegate = self
        delegate.add(run, for: task)
        defer { delegate.remove(task) }
        task.resume()
        let wake = await waiter.wait(until: deadline) { state.withLock { $0.isOver } }
        switch wake {
        case .bell: return state.withLock { $0 }
        case .interruption(let why):
            task.cancel()
            throw .interrupted(why)
        case .late:
            task.cancel()
            throw .timeLimit(delegate.session.maxTime)
        }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        guard staysInTLS, RedirectCrossing(task.currentRequest, to: request).isDowngrade else {
            return delegate.urlSession(
                session,
                task: task,
                willPerformHTTPRedirection: response,
                newRequest: request,
                completionHandler: completionHandler
            )
        }
        state.withLock { $0.insecureTarget = request.url }
        task.cancel()
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let printer = delegate.printer
        printer.event(.didReceiveResponse, dataTask, ["response": .response(response)])
        state.withLock { $0.response = response }
        guard let http = response as? HTTPURLResponse else { return completionHandler(.allow) }
        printer.head(http)
        completionHandler(isWanted(http, dataTask) ? .allow : .cancel)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let count = Int64(data.count)
        delegate.printer.event(.didReceiveData, dataTask, ["bytesReceived": .amount(count)])
        let isTooLong = state.withLock { state in
            state.bytes += data
            state.isTooLong = state.bytes.count > limit
            return state.isTooLong
        }
        if isTooLong { dataTask.cancel() }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        delegate.printer.event(.didCompleteWithError, task, ["error": .error(error)])
        state.withLock { state in
            state.error = delegate.sessionError(error)
            state.isOver = true
        }
        waiter.ring()
    }
}
