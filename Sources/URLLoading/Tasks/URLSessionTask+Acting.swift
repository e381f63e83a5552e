import Dispatch
import FoundationEssentials
import Synchronization

// Lock, change, act. An action only posts a command or queues a block; it does not wait or call back. So
// actions run under the lock, in the order of the decisions.
extension URLSessionTask {
    func apply(_ event: (inout Locked) -> [TaskLifecycle.Action]) {
        locked.withLock { locked in
            act(event(&locked), &locked)
            beginBytes(locked)
        }
    }

    /// Passes the response to the reader of its bytes, once the final response is known.
    func beginBytes(_ locked: borrowing Locked) {
        guard case .bytes(let channel) = locked.output, case .receiving = locked.lifecycle.state,
            let response = locked.response
        else { return }
        channel.begin(response)
    }

    func act(_ actions: [TaskLifecycle.Action], _ locked: inout Locked) {
        for action in actions { act(action, &locked) }
        limitAnswer(&locked)
    }

    /// Starts the timer of an answer that the task waits for, or stops it.
    ///
    /// A running hop has a clock of its own; while the delegate decides, the hop may be over.
    private func limitAnswer(_ locked: inout Locked) {
        guard locked.lifecycle.timeLimit != nil else { return }
        guard locked.lifecycle.isAwaitingAnswer, !locked.lifecycle.isSuspended,
            let left = locked.lifecycle.timeLeft
        else {
            locked.answerTimer?.cancel()
            locked.answerTimer = nil
            return
        }
        guard locked.answerTimer == nil else { return }
        let timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
        timer.schedule(deadline: .now() + left / .seconds(1))
        timer.setEventHandler { [weak self] in
            self?.apply { locked in
                locked.answerTimer = nil
                return locked.lifecycle.answerIsLate()
            }
        }
        timer.resume()
        locked.answerTimer = timer
    }

    private func act(_ action: TaskLifecycle.Action, _ locked: inout Locked) {
        switch action {
        case .askBody: askBody(locked)
        case .awaitDate(let delay, let number): awaitDate(delay, number)
        case .askDelayed(let request): askDelayed(request, locked)
        case .start(let request, let body, let id, let timeLimit):
            start(request, body, id, timeLimit, &locked)
        case .startStored(let request, let id):
            guard let stored = locked.stored else { return }
            locked.stored = nil
            noteHop(request, &locked)
            start(stored, id, &locked)
        case .suspendHop: locked.hop?.suspend()
        case .resumeHop: locked.hop?.resume()
        case .cancelHop: locked.hop?.cancel()
        case .decide(let disposition): decide(disposition, &locked)
        case .askIdentity(let issuers): askIdentity(issuers, locked)
        case .reportWaiting: reportWaiting(locked)
        case .awaitNetwork(let limit): awaitNetwork(limit, &locked)
        case .stopAwaitingNetwork: locked.watch = nil
        case .askRedirect(let response, let request, let id):
            askRedirect(response, request, id, locked)
        case .askChallenge(let question, let id): askChallenge(question, id, locked)
        case .keep(let token): keep(token, locked)
        case .askResponse(let response, let id): askResponse(response, id, &locked)
        case .askDestination(let response, let id): askDestination(response, id, &locked)
        case .deliver(let body): reportData(body, locked) {}
        case .askCaching(let recorder): askCaching(recorder, locked)
        case .store(let recorder): store(recorder)
        case .becomeDownload(let id): becomeDownload(id, &locked)
        case .reportStartOver(let reason, let point): reportStartOver(reason, point, locked)
        case .verify(let download): verify(download, locked)
        // We close it first: the task asks the delegate for a new destination on the same queue, after this
        // block.
        case .remove(let download): session.queue.async { download.close(keeping: false) }
        case .complete(let error, let end, let partialFile):
            complete(error, end, partialFile, &locked)
        }
    }

    /// Starts a hop.
    ///
    /// `asksProtocols`: whether a `URLProtocol` of the program may carry out the hop. `isRead`: whether
    /// the files that the hop needs have been read.
    func start(
        _ request: URLRequest,
        _ body: TaskBody,
        _ id: HopID,
        _ timeLimit: Duration?,
        _ locked: inout Locked,
        asksProtocols: Bool = true,
        isRead: Bool = false
    ) {
        if !isRead, startReading(request, body, id, timeLimit, &locked) { return }
        let request = secured(request, &locked)
        if asksProtocols, askProtocols(request, body, id, timeLimit, &locked) { return }
        do throws(URLError) {
            try checkPin(request, locked)
            let inPlace = readsBodyInPlace(locked)
            if let hop = try builtInHop(request, body, id, timeLimit, readsInPlace: inPlace) {
                noteHop(request, &locked)
                locked.hop = hop
                return
            }
            let stream = try body.open(for: request)
            if stream != nil, request.httpMethod == "HEAD" {
                throw URLError(.badURL, detail: "a HEAD request has no body")
            }
            if let stream, stream.contentLength == nil,
                session.settings.transport.httpVersion == .http10
            {
                let words = "HTTP/1.0 sends the length of a body before it, and this one is unknown"
                throw URLError(.badURL, detail: words)
            }
            let proxy = try session.proxies.server(for: request)
            var (prepared, proofs) = try authenticated(request, body, through: proxy, &locked)
            addCookies(to: &prepared, request)
            let responseContext = responseContext(of: &prepared, locked)
            locked.responseContext = responseContext
            let identity = prepared.isSecure ? identity(request, locked) : .none
            let stored = try stored(
                &prepared,
                policy: request.cachePolicy,
                through: proxy,
                isProved: proofs.server?.connectionLevel != nil || identity.isSome
                    || session.settings.transport.clientCertificate != nil,
                &locked
            )
            let collectsMetrics = noteHop(request, sending: prepared.fields, &locked)
            if let stored { return start(stored, id, &locked) }
            let mayExpect = expectsRefusal(
                request,
                prepared,
                stream,
                through: proxy,
                proofs,
                locked
            )
            locked.lifecycle.mayExpectContinue = mayExpect
            locked.sent = ByteCount(expected: stream.map { $0.contentLength ?? -1 } ?? 0)
            locked.hop = try launch(
                HopRequest(
                    request: prepared,
                    proxy: proxy,
                    body: stream,
                    authentication: proofs.server?.connectionLevel,
                    proxyAuthentication: proofs.proxy?.connectionLevel,
                    mayExpectContinue: mayExpect,
                    bodyIsReplayable: { if case .stream = body { false } else { true } }(),
                    idleTimeout: request.idleTimeout(
                        sessionTimeout: session.settings.timeoutForRequest
                    ),
                    timeLimit: timeLimit,
                    family: session.settings.transport.addressFamily,
                    priority: locked.priority,
                    responseContext: responseContext,
                    asksAboutServer: asksAboutConnections(locked),
                    identity: identity,
                    readsCookies: readsCookies(prepared, request),
                    isFirstOrigin: session.settings.transport.clientCertificate == nil
                        || isFirstOrigin(request),
                    bypassesDNSCache: locked.lifecycle.connectivity.isTryingAgain,
                    waitsForNetwork: locked.lifecycle.connectivity.isWanted,
                    collectsMetrics: collectsMetrics
                ),
                id,
                locked
            )
        } catch {
            act(locked.lifecycle.end(error), &locked)
        }
    }

    private func isFirstOrigin(_ request: URLRequest) -> Bool {
        guard let first = originalRequest?.url, let url = request.url else { return false }
        return OriginCrossing(from: session.hsts?.upgraded(first) ?? first, to: url).isSameOrigin
    }

    /// The request for resume data; `nil` where the download cannot be continued.
    func continuable(_ locked: borrowing Locked) -> URLRequest? {
        guard locked.lifecycle.responsePolicy.body.mayBecomeFile, var request = originalRequest
        else { return nil }
        request.removeSatisfiedConditions()
        guard request.isContinuable else { return nil }
        // Resume data contains no credentials.
        for name in session.settings.transport.secretHeaders { request.headerFields[name] = nil }
        return request
    }

    /// How the task handles responses; decided when the task is first resumed.
    func responsePolicy(_ locked: borrowing Locked) -> TaskLifecycle.ResponsePolicy {
        var responsePolicy = locked.lifecycle.responsePolicy
        responsePolicy.asksAboutRedirects = effectiveDelegate(locked) != nil
        responsePolicy.deliversNonHTTPRedirects =
            session.settings.transport.deliversNonHTTPRedirects
        if case .delegates = locked.output {
            responsePolicy.collects = !locked.prefersIncrementalDelivery
        }
        responsePolicy.secretHeaders = session.settings.transport.secretHeaders
        responsePolicy.redirectsKeepingPost = session.settings.transport.redirectsKeepingPost
        responsePolicy.body =
            switch locked.output {
            case .data: .settled(.collect)
            case .bytes: .settled(.deliver)
            case .download: .settled(.write(.temporary))
            case .delegates where self is URLSessionDownloadTask: .askDestination
            case .delegates: .askResponse
            }
        return responsePolicy
    }
}
