import Dispatch
import FoundationEssentials

// The task's use of the cache: before a hop, on its response, and on its failure.
extension URLSessionTask {
    /// Looks up a request in the cache before the task sends it; returns the stored response, if the task needs
    /// no request.
    ///
    /// The request receives conditional fields if the server must validate a stored response. If the
    /// connection itself proves the client's identity, the response is not stored: it belongs to one user.
    /// Throws `cannotLoadFromNetwork` if the cache has no response, and the policy forbids a request.
    func stored(
        _ request: inout PreparedRequest,
        policy: URLRequest.CachePolicy,
        through proxy: ProxyServer?,
        isProved: Bool,
        _ locked: inout Locked
    ) throws(URLError) -> CacheReader? {
        let policy = policy.underSession(session.settings.requestCachePolicy)
        if let repeated = locked.repeatedExchange.take() {
            locked.exchange = repeated
        } else {
            locked.exchange = isProved ? nil : try exchange(request, policy, proxy, locked)
        }
        switch locked.exchange?.begin() {
        case nil:
            if policy == .reloadIgnoringLocalAndRemoteCacheData {
                request.replace(by: CacheVerdict.noCache.filter { !request.has($0.name) })
            }
            return nil
        case .load(let fields): request.replace(by: fields)
        case .serve(let reader):
            locked.exchange = nil
            return reader
        case .fail(let error): throw error
        }
        return nil
    }

    private func exchange(
        _ request: PreparedRequest,
        _ policy: URLRequest.CachePolicy?,
        _ proxy: ProxyServer?,
        _ locked: borrowing Locked
    ) throws(URLError) -> CacheExchange? {
        let forbidsNetwork = policy == nil || policy == .returnCacheDataDontLoad
        let own =
            isOfURL(request) ? session.settings.urlCache.flatMap { $0.isUseful ? $0 : nil } : nil
        let cache = own ?? (forbidsNetwork ? .empty : nil)
        // A download is already a file, so the cache does not store it a second time.
        if locked.lifecycle.responsePolicy.body.isDownload {
            guard forbidsNetwork else { return nil }
            throw URLError(.cannotLoadFromNetwork, detail: "a download does not use the cache")
        }
        guard let cache else { return nil }
        let asked = CacheRequest(request, identity: session.settings.cacheScope(request, proxy))
        return asked.map { CacheExchange($0, policy: policy, cache: cache) }
    }

    /// Whether the cache may store or invalidate under the request's URL.
    private func isOfURL(_ request: PreparedRequest) -> Bool {
        guard request.ownTarget == nil else { return false }
        // An unsafe request invalidates stored responses, whatever the coding of its response.
        return session.settings.transport.contentDecoding != .raw || !request.isSafe
    }

    func start(_ stored: CacheReader, _ id: HopID, _ locked: inout Locked) {
        locked.storedHop = id
        locked.sent = ByteCount()
        // The task checked the digest before the cache stored the response. A later 304 may have changed the
        // stored fields.
        locked.responseContext.checksDigestFields = false
        locked.hop = LocalHop(
            CachedResponseSource(stored),
            locked.responseContext,
            id: id,
            client: self,
            temporaryFolder: session.settings.temporaryFolder,
            timeLimit: nil
        )
    }

    /// Passes a hop's head to the cache; returns `false` if the head only validates a stored response.
    func usesResponse(_ head: HopHead, of id: HopID, _ locked: inout Locked) -> Bool {
        guard id != locked.storedHop else { return true }
        switch locked.exchange?.received(head) {
        case nil: return true
        case .forward(let recorder):
            locked.recorder = recorder
            return true
        case .serve(let reader):
            guard locked.lifecycle.discardResponse(of: id, for: .serveStored) else { return true }
            locked.stored = reader
        case .sendAgain:
            guard locked.lifecycle.discardResponse(of: id, for: .sendAgain) else { return true }
            locked.repeatedExchange = locked.exchange
        }
        return false
    }

    /// Uses a stored response after a network error, if there is one.
    func serveFromCache(_ id: HopID, _ end: HopEnd, _ locked: inout Locked) {
        guard let error = end.error, !locked.lifecycle.isCancelled,
            let stored = locked.exchange?.failed(error),
            locked.lifecycle.discardResponse(of: id, for: .serveStored)
        else { return }
        locked.stored = stored
    }

    /// Adds the current recorder to a disposition of a body.
    func recorded(_ disposition: BodyDisposition, _ locked: inout Locked) -> BodyDisposition {
        if case .hold = disposition { return disposition }
        guard let recorder = locked.recorder.take() else { return disposition }
        switch disposition {
        case .hold, .write, .fill, .recorded, .checked:
            recorder.abandon()
            return disposition
        case .discard, .deliver, .collect: return .recorded(disposition, recorder)
        }
    }

    /// Asks the delegate whether to store a response, and stores it.
    func askCaching(_ recorder: CacheRecorder, _ locked: borrowing Locked) {
        let delegate: (any URLSessionDataDelegate)? =
            if case .delegates = locked.output { effectiveDataDelegate(locked) } else { nil }
        let url = locked.lifecycle.currentRequest.url
        session.queue.async { [self] in
            guard let delegate, let task = self as? URLSessionDataTask, let url,
                let proposal = recorder.proposal(url: url)
            else { return keep { recorder.commit() } }
            delegate.urlSession(session, dataTask: task, willCacheResponse: proposal) { response in
                let isSame = response === proposal
                self.keep { if isSame { recorder.commit() } else { recorder.commit(response) } }
            }
        }
    }

    private func keep(_ commit: @escaping @Sendable () -> Void) {
        session.mayWait { [self] in
            commit()
            apply { $0.lifecycle.resolveCaching() }
        }
    }

    /// Stores a response that is not the task's final one.
    func store(_ recorder: CacheRecorder) {
        session.queue.async { [session] in session.queue.handOff { recorder.commit() } }
    }
}

extension URLCache {
    /// A cache without contents, which stores nothing.
    fileprivate static var empty: URLCache { URLCache(memoryCapacity: 0, diskCapacity: 0) }
}

extension HopIdentity {
    /// Whether the hop presents a client certificate.
    var isSome: Bool {
        if case .certificate = self { true } else { false }
    }
}
