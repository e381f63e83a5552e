import FoundationEssentials
import Synchronization

/// Passes the calls of a program's `URLProtocol` to a task.
///
/// This actor calls the protocol on the queue. The protocol calls back from any thread, and the task's hop
/// reads on another. Both access a ``ProtocolLoad`` under a lock.
actor ProtocolSource: ResponseSource, URLProtocolClient, QueueActor {
    fileprivate struct State {
        var load = ProtocolLoad()
        var wake: (@Sendable () -> Void)?
        /// The threads that are blocked until the buffer has room.
        var blocked: [BlockingWait<Void>] = []
        /// The challenges that are neither resolved nor cancelled.
        var questions: [ObjectIdentifier: URLAuthenticationChallenge] = [:]
    }

    nonisolated let queue: SerialQueue
    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    private let state = Mutex(State())
    private let task: URLSessionTask
    /// The object that loads; it references this object as its client.
    private var loading: URLProtocol?
    private var hasStarted = false

    /// Creates the object that loads; call it on the queue, because it runs the program's code.
    init(
        _ protocolClass: URLProtocol.Type,
        _ request: URLRequest,
        for task: URLSessionTask,
        on queue: SerialQueue
    ) {
        self.task = task
        self.queue = queue
        assumeIsolated { $0.make(protocolClass, request) }
    }

    private func make(_ protocolClass: URLProtocol.Type, _ request: URLRequest) {
        TaskLockCounter.expectNone("a program's protocol is called")
        let made = protocolClass.init(
            request: protocolClass.canonicalRequest(for: request),
            cachedResponse: task.session.settings.urlCache?.cachedResponse(for: request),
            client: self
        )
        made.task = task
        loading = made
    }

    nonisolated func start(wake: @escaping @Sendable () -> Void) {
        state.withLock { $0.wake = wake }
        post { $0.begin() }
    }

    private func begin() {
        guard let loading, !state.withLock({ $0.load.isStopped }) else { return }
        hasStarted = true
        loading.startLoading()
    }

    nonisolated func response() throws(URLError) -> SourceResponse {
        try state.withLock { state throws(URLError) in try state.load.takeHead() }
    }

    nonisolated func read(into space: UnsafeMutableRawBufferPointer) throws(URLError) -> SourceRead
    {
        let (read, blocked) = try state.withLock { state throws(URLError) in
            let read = try state.load.take(into: space)
            return (read, state.takeBlockedIfThereIsRoom())
        }
        for thread in blocked { thread.end(()) }
        return read
    }

    nonisolated func stop() {
        let blocked = state.withLock { state in
            state.load.stop()
            state.wake = nil
            state.questions = [:]
            return state.takeBlockedIfThereIsRoom()
        }
        for thread in blocked { thread.end(()) }
        post { $0.end() }
    }

    private func end() {
        if hasStarted { loading?.stopLoading() }
        loading = nil
    }

    private nonisolated func forward(_ event: (inout ProtocolLoad) -> Bool) {
        let wake = state.withLock { state in event(&state.load) ? state.wake : nil }
        wake?()
    }
}

extension ProtocolSource {
    nonisolated func urlProtocol(
        _ protocol: URLProtocol,
        wasRedirectedTo request: URLRequest,
        redirectResponse: URLResponse
    ) {
        forward { $0.receive(.redirect(redirectResponse, request)) }
    }

    nonisolated func urlProtocol(
        _ protocol: URLProtocol,
        didReceive response: URLResponse,
        cacheStoragePolicy policy: URLCache.StoragePolicy
    ) {
        forward { $0.receive(.other(response)) }
    }

    nonisolated func urlProtocol(
        _ protocol: URLProtocol,
        cachedResponseIsValid cachedResponse: CachedURLResponse
    ) {
        forward { load in
            guard load.receive(.other(cachedResponse.response)) else { return false }
            _ = load.load(cachedResponse.data)
            return load.end(nil)
        }
    }

    nonisolated func urlProtocol(_ protocol: URLProtocol, didLoad data: Data) {
        forward { $0.load(data) }
        let room = BlockingWait<Void>()
        let mustWait = state.withLock { state in
            guard state.load.waiting >= ProtocolLoad.limit else { return false }
            state.blocked.append(room)
            return true
        }
        if mustWait { room.wait() }
    }

    nonisolated func urlProtocolDidFinishLoading(_ protocol: URLProtocol) {
        forward { $0.end(nil) }
    }

    nonisolated func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error) {
        let error = error as? URLError ?? URLError(.unknown, detail: "\(error)")
        forward { $0.end(error) }
    }

    nonisolated func urlProtocol(
        _ protocol: URLProtocol,
        didReceive challenge: URLAuthenticationChallenge
    ) {
        let isNew = state.withLock { state in
            guard !state.load.isStopped else { return false }
            return state.questions.updateValue(challenge, forKey: ObjectIdentifier(challenge))
                == nil
        }
        guard isNew else { return }
        task.report { task, locked in
            // The load may have been stopped, and the task have ended, since the first look.
            let isWanted = self.state.withLock {
                $0.questions[ObjectIdentifier(challenge)] != nil
            }
            guard isWanted else { return }
            task.ask(challenge, locked) { disposition, credential in
                self.post { $0.resolve(challenge, disposition, credential) }
            }
        }
    }

    nonisolated func urlProtocol(
        _ protocol: URLProtocol,
        didCancel challenge: URLAuthenticationChallenge
    ) {
        _ = state.withLock { $0.questions.removeValue(forKey: ObjectIdentifier(challenge)) }
    }

    private func resolve(
        _ challenge: URLAuthenticationChallenge,
        _ disposition: URLSession.AuthChallengeDisposition,
        _ credential: URLCredential?
    ) {
        let isWanted = state.withLock {
            $0.questions.removeValue(forKey: ObjectIdentifier(challenge)) != nil
        }
        guard isWanted, let sender = challenge.sender else { return }
        switch disposition {
        case .useCredential:
            guard let credential else { return sender.continueWithoutCredential(for: challenge) }
            sender.use(credential, for: challenge)
        case .performDefaultHandling: sender.performDefaultHandling(for: challenge)
        case .cancelAuthenticationChallenge: sender.cancel(challenge)
        case .rejectProtectionSpace: sender.rejectProtectionSpaceAndContinue(with: challenge)
        }
    }
}

extension ProtocolSource.State {
    /// The threads to release: at half the limit, so that they do not block for each piece.
    fileprivate mutating func takeBlockedIfThereIsRoom() -> [BlockingWait<Void>] {
        guard load.waiting <= ProtocolLoad.limit / 2 else { return [] }
        defer { blocked = [] }
        return blocked
    }
}
