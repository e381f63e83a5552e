public import FoundationEssentials
import Synchronization

// Adding tasks to a session, and removing them.
extension URLSession {
    /// Creates a task and keeps it until it has ended; in an invalid session the task ends at once.
    func make<Task: URLSessionTask>(
        _ request: URLRequest,
        body: TaskBody,
        output: TaskOutput,
        beginning: TaskLifecycle.Beginning = .atFirstByte,
        at snapshot: TaskSnapshot? = nil
    ) -> Task {
        let watches = attachment?.watches == true
        let (task, isAccepted, failure) = locked.withLock { locked in
            // Only a session that can create tasks uses an identifier up.
            let (identifier, isAccepted) = watches ? (0, false) : locked.lifecycle.addTask()
            let task = Task(
                identifier,
                request,
                body: body,
                output: output,
                in: self,
                beginning: beginning,
                at: snapshot
            )
            if isAccepted {
                if let attachment { task.moveToTransferProcess(attachment) }
                locked.tasks[identifier] = task
            }
            return (task, isAccepted, locked.failure)
        }
        if !isAccepted {
            let ended =
                watches
                ? URLError(.resourceUnavailable, detail: "an observing session cannot create tasks")
                : URLError(.cancelled, detail: "the session has been invalidated")
            task.apply { $0.lifecycle.cancel(failure ?? ended) }
        } else {
            attachment?.take(task)
        }
        if isAccepted { taskDelegate?.urlSession(self, didCreateTask: task) }
        return task
    }

    /// Creates the task that replaces a running one, and keeps it; the session may cancel all its tasks
    /// at present.
    func makeSuccessor<Task: URLSessionTask>(
        _ make: (_ identifier: Int) -> Task
    ) -> (Task, isCancelled: Bool) {
        locked.withLock { locked in
            let identifier = locked.lifecycle.addSuccessor()
            let task = make(identifier)
            locked.tasks[identifier] = task
            return (task, locked.cancelsTasks)
        }
    }

    /// Whether blocking this thread would delay other tasks, because the session is hosted.
    var sharesThread: Bool {
        host != nil && locked.withLock { $0.tasks.count > 1 }
    }

    /// Runs work that may wait for the disk or another process: on a queue, if the session is hosted.
    func mayWait(_ work: @escaping @Sendable () -> Void) {
        if host == nil { work() } else { reading.async(work) }
    }

    /// Runs work that may wait, and then calls `next` on the delegate queue; called on that queue.
    func mayWait<Value: Sendable>(
        _ work: @escaping @Sendable () -> Value,
        then next: @escaping @Sendable (Value) -> Void
    ) {
        guard host != nil else { return next(work()) }
        reading.async { [queue] in
            let value = work()
            queue.async { next(value) }
        }
    }

    /// Removes a task after its last call has returned.
    func taskEnded(_ task: URLSessionTask) {
        locked.withLock { locked in
            guard locked.tasks.removeValue(forKey: task.taskIdentifier) != nil else { return }
            act(locked.lifecycle.taskEnded())
        }
    }
}

// The asynchronous calls without a delegate. A method with a default argument does not satisfy a
// protocol requirement, and programs declare such protocols to replace a session in their tests.
extension URLSession {
    /// Loads a request's whole body into memory, as ``data(for:delegate:)``.
    public func data(for request: URLRequest) async throws -> (Data, URLResponse) {
        try await data(for: request, delegate: nil)
    }

    /// Loads a URL's whole body into memory, as ``data(from:delegate:)``.
    public func data(from url: URL) async throws -> (Data, URLResponse) {
        try await data(from: url, delegate: nil)
    }

    /// Sends bytes from memory, as ``upload(for:from:delegate:)``.
    public func upload(
        for request: URLRequest,
        from bodyData: Data
    ) async throws -> (Data, URLResponse) {
        try await upload(for: request, from: bodyData, delegate: nil)
    }

    /// Sends a file, as ``upload(for:fromFile:delegate:)``.
    public func upload(
        for request: URLRequest,
        fromFile fileURL: URL
    ) async throws -> (Data, URLResponse) {
        try await upload(for: request, fromFile: fileURL, delegate: nil)
    }

    /// Downloads to a temporary file, as ``download(for:delegate:)``.
    public func download(for request: URLRequest) async throws -> (URL, URLResponse) {
        try await download(for: request, delegate: nil)
    }

    /// Downloads to a temporary file, as ``download(from:delegate:)``.
    public func download(from url: URL) async throws -> (URL, URLResponse) {
        try await download(from: url, delegate: nil)
    }

    /// Continues a download, as ``download(resumeFrom:delegate:)``.
    public func download(resumeFrom resumeData: Data) async throws -> (URL, URLResponse) {
        try await download(resumeFrom: resumeData, delegate: nil)
    }

    /// Loads a request's body byte by byte, as ``bytes(for:delegate:)``.
    public func bytes(for request: URLRequest) async throws -> (AsyncBytes, URLResponse) {
        try await bytes(for: request, delegate: nil)
    }

    /// Loads a URL's body byte by byte, as ``bytes(from:delegate:)``.
    public func bytes(from url: URL) async throws -> (AsyncBytes, URLResponse) {
        try await bytes(from: url, delegate: nil)
    }
}

extension URLSession {
    /// The proxy that this session uses for a URL; `nil`: none.
    package func proxy(for url: URL) throws(URLError) -> ProxyServer? {
        try proxies.server(for: URLRequest(url: url))
    }
}
