import Dispatch
import FoundationEssentials

// The cache's part in a task: it is asked before a hop, when its response comes, and when none
// does.
extension URLSessionTask {
    /// Asks the cache about a request that is about to be sent.
    ///
    /// - Parameters:
    ///   - request: the request; it gets the fields by which the server is asked whether what is
    ///     stored still holds.
    ///   - policy: the request's own.
    ///   - proxy: what is in its way.
    ///   - isProved: whether the connection carries the client's identity: the response is kept
    ///     for no user.
    ///   - locked: of the task.
    /// - Returns: the response, where nothing need be sent.
    /// - Throws: where nothing is stored, and nothing may be sent.
    func stored(
        _ request: inout PreparedRequest,
        policy: URLRequest.CachePolicy,
        through proxy: ProxyServer?,
        isProved: Bool,
        _ locked: inout Locked
    ) throws(URLError) -> CacheReader? {
        let policy = policy.underSession(session.settings.requestCachePolicy)
        if let repeated = locked.repeatedExchange {
            locked.exchange = repeated
        } else {
            locked.exchange =
                isProved ? nil : try exchange(request, policy, proxy, locked)
        }
        locked.repeatedExchange = nil
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
        // Downloads are not kept twice.
        if locked.lifecycle.responsePolicy.body.isDownload {
            guard forbidsNetwork else { return nil }
            throw URLError(.cannotLoadFromNetwork, detail: "a download is in no cache")
        }
        guard let cache,
            let asked = CacheRequest(
                request,
                identity: session.settings.cacheScope(request, proxy)
            )
        else { return nil }
        return CacheExchange(asked, policy: policy, cache: cache)
    }

    /// Whether the response to a request is what its URL names, as the cache keeps that.
    private func isOfURL(_ request: PreparedRequest) -> Bool {
        guard request.ownTarget == nil else { return false }
        // What asks for a change makes the cache forget, whatever form its response has.
        return session.settings.transport.contentDecoding != .raw || !request.isSafe
    }

    /// Starts a hop that the cache serves.
    func start(_ stored: CacheReader, _ id: HopID, _ locked: inout Locked) {
        locked.storedHop = id
        locked.sent = ByteCount()
        // It was compared when it came, and a 304 since may have had a digest of its own nothing.
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

    /// Has the cache look at a hop's head.
    ///
    /// - Returns: whether the head is the task's response, and not word about what is stored.
    func usesResponse(_ head: HopHead, of id: HopID, _ locked: inout Locked) -> Bool {
        guard id != locked.storedHop else { return true }
        switch locked.exchange?.received(head) {
        case nil: return true
        case .forward(let recorder):
            locked.recorder = recorder
            return true
        case .serve(let reader):
            guard locked.lifecycle.leaves(id, for: .serveStored) else { return true }
            locked.stored = reader
        case .askAgain:
            guard locked.lifecycle.leaves(id, for: .askAgain) else { return true }
            locked.repeatedExchange = locked.exchange
        }
        return false
    }

    /// Serves from the cache where the network has failed.
    ///
    /// - Returns: whether it does.
    func isServedFromCache(_ id: HopID, _ end: HopEnd, _ locked: inout Locked) -> Bool {
        guard let error = end.error, !locked.lifecycle.isCancelled,
            let stored = locked.exchange?.failed(error),
            locked.lifecycle.leaves(id, for: .serveStored)
        else { return false }
        locked.stored = stored
        return true
    }

    /// A decision about a body, with the recorder that goes with it.
    func recorded(_ disposition: BodyDisposition, _ locked: inout Locked) -> BodyDisposition {
        guard let recorder = locked.recorder else { return disposition }
        switch disposition {
        case .hold: return .hold
        case .write, .fill, .recorded, .checked:
            locked.recorder = nil
            recorder.abandon()
            return disposition
        case .discard, .deliver, .collect:
            locked.recorder = nil
            return .recorded(disposition, recorder)
        }
    }

    /// Asks the delegate whether a response is to be kept, and keeps it.
    func askCaching(_ recorder: CacheRecorder, _ locked: borrowing Locked) {
        let isAsked = { if case .delegates = locked.output { true } else { false } }()
        let delegate = isAsked ? dataAudience(locked) : nil
        let url = locked.lifecycle.currentRequest.url
        session.queue.async { [self] in
            guard let delegate, let task = self as? URLSessionDataTask, let url,
                let proposal = recorder.proposal(url: url)
            else {
                return keep { recorder.commit() }
            }
            delegate.urlSession(session, dataTask: task, willCacheResponse: proposal) { response in
                self.keep {
                    if response === proposal {
                        recorder.commit()
                    } else {
                        recorder.commit(response)
                    }
                }
            }
        }
    }

    private func keep(_ commit: @escaping @Sendable () -> Void) {
        session.mayWait { [self] in
            commit()
            apply { $0.lifecycle.resolveCaching() }
        }
    }

    /// Keeps a response that is not the task's last.
    func store(_ recorder: CacheRecorder) {
        session.queue.async { [session] in session.queue.handOff { recorder.commit() } }
    }
}

extension URLCache {
    /// One that has nothing and keeps nothing.
    fileprivate static var empty: URLCache { URLCache(memoryCapacity: 0, diskCapacity: 0) }
}

extension HopIdentity {
    /// Whether a server is shown credentials.
    var isSome: Bool {
        if case .certificate = self { true } else { false }
    }
}
