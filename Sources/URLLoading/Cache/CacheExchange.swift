import FoundationEssentials

/// The cache's decisions for one hop: before the hop begins, at its response, and when it fails.
///
/// It calls no delegate. Its methods read, and on a 304 write, small files.
struct CacheExchange: Sendable {
    /// The step before a hop.
    enum Step: Sendable {
        /// Start the hop, with these fields besides its own.
        case load(adding: [HTTPHeaderFields.Field])
        /// Serve this response, and send no request.
        case serve(CacheReader)
        /// Fail the hop: the cache has no response, and the policy forbids the network.
        case fail(URLError)
    }

    /// The step at a response.
    enum Reply: Sendable {
        /// Forward the response, and record its body if there is a recorder.
        case forward(CacheRecorder?)
        /// Serve the stored response, which this one confirms.
        case serve(CacheReader)
        /// Discard the response, call ``begin()`` again, and start the hop anew.
        case sendAgain
    }

    private let request: CacheRequest
    private let policy: URLRequest.CachePolicy?
    private let cache: URLCache
    /// The time in seconds since 1970.
    private let clock: @Sendable () -> Double
    private var requestTime = 0.0
    /// The stored response to the request, which is not served without a question.
    private var found: CacheEntry?
    /// Whether the server validates it.
    private var isValidating = false
    private var isSentAgain = false

    /// Begins for a request; without a policy, the hop may use neither cache nor network.
    init(
        _ request: CacheRequest,
        policy: URLRequest.CachePolicy?,
        cache: URLCache,
        clock: @escaping @Sendable () -> Double = { Date().timeIntervalSince1970 }
    ) {
        self.request = request
        self.policy = policy
        self.cache = cache
        self.clock = clock
    }

    /// Decides before the hop.
    mutating func begin() -> Step {
        let now = clock()
        requestTime = now
        (found, isValidating) = (nil, false)
        let entry = looksUp ? cache.lookUp(request) : nil
        let verdict = CacheVerdict(request, policy: policy, stored: entry?.storedHead, now: now)
        switch verdict {
        case .load(let fields):
            if let entry, entry.isWhole { found = entry }
            return .load(adding: fields)
        case .serve:
            guard let entry, entry.isWhole else { return damaged(entry) }
            cache.use(entry)
            return .serve(reader(entry, entry.storedHead, now, isValidated: false))
        case .validate(let fields):
            guard let entry, entry.isWhole else { return damaged(entry) }
            (found, isValidating) = (entry, true)
            return .load(adding: fields)
        case .fail:
            return .fail(
                URLError(
                    .cannotLoadFromNetwork,
                    detail: "only the cache may be used, and it has no response"
                )
            )
        case .gatewayTimeout: return .serve(.gatewayTimeout)
        }
    }

    /// Whether to search the store.
    private var looksUp: Bool {
        guard !isSentAgain, request.mayBeServed else { return false }
        return switch policy {
        case nil, .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData: false
        default: true
        }
    }

    /// Treats a damaged entry as a miss.
    private mutating func damaged(_ entry: CacheEntry?) -> Step {
        if let entry { cache.remove(entry) }
        isSentAgain = true
        return begin()
    }

    /// Decides about the head of the hop's response.
    mutating func received(_ head: HopHead) -> Reply {
        let now = clock()
        for key in CacheInvalidation.keys(request, status: head.status, fields: head.fields) {
            cache.remove(key)
        }
        if let entry = found, head.status == 304, isValidating {
            return confirmed(entry, head, now)
        }
        if StaleService.isError(head.status), let reader = staleReader(now) {
            return .serve(reader)
        }
        if request.method == "HEAD" { freshen(by: head, now) }
        guard policy != nil else { return .forward(nil) }
        let storedHead = StoredHead(head, to: request, requestTime: requestTime, responseTime: now)
        let keepsStale = policy == .returnCacheDataElseLoad
        switch StoreVerdict(request, storedHead, fields: head.fields, keepsStale: keepsStale) {
        case .store: return .forward(cache.record(storedHead, head))
        case .skip(.method), .skip(.special), .skip(.status): return .forward(nil)
        case .skip:
            // We remove the old response only after a success, 404 or 410: other statuses say nothing about
            // it.
            if (200..<300).contains(head.status) || [404, 410].contains(head.status) {
                if let entry = found {
                    cache.remove(entry)
                } else if !looksUp {
                    cache.remove(request.key)
                }
            }
            return .forward(nil)
        }
    }

    /// The stored response to serve after the hop has failed without a response; `nil`: deliver the
    /// error.
    func failed(_ error: URLError) -> CacheReader? {
        StaleService.isError(error.code) ? staleReader(clock()) : nil
    }

    /// The stored response, if it may be served instead of an error.
    private func staleReader(_ now: Double) -> CacheReader? {
        guard let entry = found, mayServeStale,
            StaleService.mayServe(entry.storedHead, to: request, now: now)
        else { return nil }
        return reader(entry, entry.storedHead, now, isValidated: false)
    }

    private mutating func confirmed(_ entry: CacheEntry, _ head: HopHead, _ now: Double) -> Reply {
        guard CacheValidation.confirms(head.fields, entry.storedHead) else {
            cache.remove(entry)
            isSentAgain = true
            return .sendAgain
        }
        let storedHead = entry.storedHead.confirmed(
            by: head.fields,
            requestTime: requestTime,
            responseTime: now
        )
        if mayStay(head) { cache.update(entry, to: storedHead) } else { cache.remove(entry) }
        return .serve(reader(entry, storedHead, now, isValidated: true))
    }

    /// Whether the stored response stays stored after the server's latest response.
    private func mayStay(_ head: HopHead) -> Bool {
        !CacheControl(head.fields["Cache-Control"]).has("no-store")
    }

    /// Whether neither request nor policy requires a validation.
    private var mayServeStale: Bool {
        let control = CacheControl(request.fields["Cache-Control"])
        return policy != .reloadRevalidatingCacheData && !control.has("no-cache")
            && control.delta("max-age").seconds != 0
    }

    /// The response to a HEAD confirms or invalidates the stored response
    /// ([RFC 9111 §4.3.5](https://www.rfc-editor.org/rfc/rfc9111#section-4.3.5)).
    private func freshen(by head: HopHead, _ now: Double) {
        guard head.status == 200, !request.bypassesCache, policy != nil,
            let entry = found ?? cache.lookUp(request)
        else { return }
        guard entry.isWhole else { return cache.remove(entry) }
        let length = entry.body.length
        if mayStay(head), entry.storedHead.status == 200,
            CacheValidation.describes(head.fields, entry.storedHead, length: length)
        {
            let storedHead = entry.storedHead.confirmed(
                by: head.fields,
                requestTime: requestTime,
                responseTime: now
            )
            cache.update(entry, to: storedHead)
        } else {
            cache.remove(entry)
        }
    }

    private func reader(
        _ entry: CacheEntry,
        _ storedHead: StoredHead,
        _ now: Double,
        isValidated: Bool
    ) -> CacheReader {
        CacheReader(
            head: storedHead.head(now: now, length: entry.body.length, isValidated: isValidated),
            body: entry.body,
            isHead: request.method == "HEAD"
        )
    }
}

/// A stored response for delivery: its head, and its body in pieces.
///
/// The reader keeps its body open: eviction, in this or another process, does not affect it.
struct CacheReader: Sendable {
    /// The head, with `Age`, and with `Content-Length` where the stored one had none.
    let head: HopHead
    /// The length of the body, bytes; 0 for a response to HEAD.
    let length: Int64
    private let body: any CacheBody
    private var offset: Int64 = 0

    init(head: HopHead, body: any CacheBody, isHead: Bool) {
        self.head = head
        self.body = body
        length = isHead ? 0 : body.length
    }

    /// Reads the next piece; returns 0 at the end, and throws `networkConnectionLost` on failure.
    mutating func read(into space: UnsafeMutableRawBufferPointer) throws(URLError) -> Int {
        let left = length - offset
        guard left > 0, space.count > 0 else { return 0 }
        let wanted = min(Int(clamping: left), space.count)
        let piece = UnsafeMutableRawBufferPointer(rebasing: space[..<wanted])
        let count = try body.read(into: piece, at: offset)
        guard count > 0 else {
            throw URLError(.networkConnectionLost, detail: "the cached body is incomplete")
        }
        offset += Int64(count)
        return count
    }
}
