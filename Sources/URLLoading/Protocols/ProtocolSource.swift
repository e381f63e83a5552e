import Dispatch
import FoundationEssentials
import Synchronization

/// What a protocol of the program's tells, on its way into a task.
final class ProtocolSource: ResponseSource, URLProtocolClient, Sendable {
    fileprivate struct State {
        var load = ProtocolLoad()
        var wake: (@Sendable () -> Void)?
        /// The threads that are held until there is room.
        var held: [DispatchSemaphore] = []
        /// The questions that nobody has answered or taken back.
        var questions: [ObjectIdentifier: URLAuthenticationChallenge] = [:]
    }

    private let state = Mutex(State())
    private let task: URLSessionTask
    /// Where the protocol is called.
    private let queue: DispatchQueue
    // Unchecked: used on `queue` and nowhere else.
    nonisolated(unsafe) private var loading: URLProtocol?
    // Unchecked: used on `queue` and nowhere else.
    nonisolated(unsafe) private var hasStarted = false

    /// Makes the object that loads; to be called on the queue.
    init(
        _ protocolClass: URLProtocol.Type,
        _ request: URLRequest,
        for task: URLSessionTask,
        on queue: DispatchQueue
    ) {
        self.task = task
        self.queue = queue
        let made = protocolClass.init(
            request: protocolClass.canonicalRequest(for: request),
            cachedResponse: task.session.settings.urlCache?.cachedResponse(for: request),
            client: self
        )
        made.task = task
        loading = made
    }

    func start(wake: @escaping @Sendable () -> Void) {
        state.withLock { $0.wake = wake }
        queue.async { [self] in
            guard let loading, !state.withLock({ $0.load.isStopped }) else { return }
            hasStarted = true
            loading.startLoading()
        }
    }

    func answer() throws(URLError) -> SourceResponse {
        try state.withLock { state throws(URLError) in try state.load.takeHead() }
    }

    func read(into space: UnsafeMutableRawBufferPointer) throws(URLError) -> SourceRead {
        let (read, held) = try state.withLock { state throws(URLError) in
            let read = try state.load.take(into: space)
            return (read, state.takeHeldIfThereIsRoom())
        }
        for thread in held { thread.signal() }
        return read
    }

    func stop() {
        let held = state.withLock { state in
            state.load.stop()
            state.wake = nil
            state.questions = [:]
            return state.takeHeldIfThereIsRoom()
        }
        for thread in held { thread.signal() }
        queue.async { [self] in
            if hasStarted { loading?.stopLoading() }
            // It holds its client, which is this.
            loading = nil
        }
    }

    private func tell(_ event: (inout ProtocolLoad) -> Bool) {
        let wake = state.withLock { state in event(&state.load) ? state.wake : nil }
        wake?()
    }
}

extension ProtocolSource {
    func urlProtocol(
        _ protocol: URLProtocol,
        wasRedirectedTo request: URLRequest,
        redirectResponse: URLResponse
    ) {
        tell { $0.receive(.redirect(redirectResponse, request)) }
    }

    func urlProtocol(
        _ protocol: URLProtocol,
        didReceive response: URLResponse,
        cacheStoragePolicy policy: URLCache.StoragePolicy
    ) {
        tell { $0.receive(.other(response)) }
    }

    func urlProtocol(
        _ protocol: URLProtocol,
        cachedResponseIsValid cachedResponse: CachedURLResponse
    ) {
        tell { load in
            guard load.receive(.other(cachedResponse.response)) else { return false }
            _ = load.load(cachedResponse.data)
            return load.end(nil)
        }
    }

    func urlProtocol(_ protocol: URLProtocol, didLoad data: Data) {
        tell { $0.load(data) }
        let room = DispatchSemaphore(value: 0)
        let mustWait = state.withLock { state in
            guard state.load.waiting >= ProtocolLoad.limit else { return false }
            state.held.append(room)
            return true
        }
        if mustWait { room.wait() }
    }

    func urlProtocolDidFinishLoading(_ protocol: URLProtocol) {
        tell { $0.end(nil) }
    }

    func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error) {
        let error = error as? URLError ?? URLError(.unknown, detail: "\(error)")
        tell { $0.end(error) }
    }

    func urlProtocol(_ protocol: URLProtocol, didReceive challenge: URLAuthenticationChallenge) {
        let isNew = state.withLock { state in
            guard !state.load.isStopped else { return false }
            return state.questions.updateValue(challenge, forKey: ObjectIdentifier(challenge))
                == nil
        }
        guard isNew else { return }
        task.report { task, locked in
            task.ask(challenge, locked) { disposition, credential in
                self.queue.async { self.answer(challenge, disposition, credential) }
            }
        }
    }

    func urlProtocol(_ protocol: URLProtocol, didCancel challenge: URLAuthenticationChallenge) {
        _ = state.withLock { $0.questions.removeValue(forKey: ObjectIdentifier(challenge)) }
    }

    private func answer(
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
    /// The threads to let go: at half the limit, so that they do not stop and go with each piece.
    fileprivate mutating func takeHeldIfThereIsRoom() -> [DispatchSemaphore] {
        guard load.waiting <= ProtocolLoad.limit / 2 else { return [] }
        defer { held = [] }
        return held
    }
}
