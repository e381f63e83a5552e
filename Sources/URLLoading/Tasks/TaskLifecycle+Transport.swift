import FoundationEssentials

// Reports of the transport.
extension TaskLifecycle {
    mutating func received(
        http response: HTTPURLResponse,
        of id: HopID,
        isStored: Bool = false
    ) -> (BodyDisposition, [Action]) {
        guard case .requesting(id) = state else { return (.discard, []) }
        if response.statusCode == 417, !isExpectationRefused, mayExpectContinue {
            isExpectationRefused = true
            state = .leaving(id, .sendAgain)
            return (.discard, [])
        }
        if isStored { return receivedResponse(response, of: id) }
        let (step, accepted) = authentication.received(response, to: currentRequest.url)
        let kept = accepted.map(Action.keep)
        switch step {
        case .deliver: break
        case .again:
            state = .leaving(id, .sendAgain)
            return (.discard, kept)
        case .ask(let question):
            state = .deciding(id, .challenge(question))
            return (.hold, kept + [.askChallenge(question, id)])
        }
        let (disposition, actions) = receivedResponse(response, of: id)
        return (disposition, kept.isEmpty ? actions : kept + actions)
    }

    /// Handles a response of another protocol than HTTP, which has no challenge and no redirect.
    mutating func received(_ response: URLResponse, of id: HopID) -> (BodyDisposition, [Action]) {
        guard case .requesting(id) = state else { return (.discard, []) }
        if let response = response as? HTTPURLResponse { return judge(response, id) }
        guard responsePolicy.body.isDownload, let point = resumePoint else {
            return accept(response, id)
        }
        // A response of another protocol cannot continue an HTTP download.
        resumePoint = nil
        let (disposition, actions) = accept(response, id)
        return (disposition, [.reportStartOver(.rangesNotSupported, point)] + actions)
    }

    /// Handles a redirect by a `URLProtocol` of the program.
    mutating func received(
        _ response: URLResponse,
        redirectingTo request: URLRequest,
        of id: HopID
    ) -> (BodyDisposition, [Action]) {
        guard case .requesting(id) = state else { return (.discard, []) }
        let proposal: RedirectPolicy.Proposal
        do throws(URLError) {
            proposal = try RedirectPolicy.proposal(
                of: request,
                after: currentRequest,
                secretHeaders: responsePolicy.secretHeaders
            )
        } catch {
            return (.discard, leave(id, error, wasAsked: false))
        }
        return redirect(response, id, proposal)
    }

    private mutating func redirect(
        _ response: URLResponse,
        _ id: HopID,
        _ proposal: RedirectPolicy.Proposal
    ) -> (BodyDisposition, [Action]) {
        guard let response = response as? HTTPURLResponse, responsePolicy.asksAboutRedirects else {
            state = .leaving(id, .follow(proposal))
            return (.discard, [])
        }
        state = .deciding(id, .redirect(response, proposal))
        return (.hold, [.askRedirect(response, proposal.request, id)])
    }

    /// Handles a response without a challenge.
    private mutating func receivedResponse(
        _ response: HTTPURLResponse,
        of id: HopID
    ) -> (BodyDisposition, [Action]) {
        let proposal: RedirectPolicy.Proposal?
        do throws(URLError) {
            proposal = try RedirectPolicy.proposal(
                after: response,
                to: currentRequest,
                secretHeaders: responsePolicy.secretHeaders,
                keepingPost: responsePolicy.redirectsKeepingPost
            )
        } catch {
            if responsePolicy.deliversNonHTTPRedirects { return judge(response, id) }
            return (.discard, leave(id, error, wasAsked: false))
        }
        return proposal.map { redirect(response, id, $0) } ?? judge(response, id)
    }

    /// Handles the head of the next part of a body whose parts replace one another; the task asks the
    /// delegate again, as for the whole response.
    mutating func received(
        part response: HTTPURLResponse,
        of id: HopID
    ) -> (BodyDisposition, [Action]) {
        guard case .receiving(id) = state else { return (.discard, []) }
        isPart = true
        switch responsePolicy.body {
        case .askResponse, .settled(.collect), .settled(.deliver): return accept(response, id)
        // A body that goes to a file stays one piece, with all its parts.
        case .askDestination, .settled: return (.discard, [])
        }
    }

    /// Discards the response: the task serves the stored one, or sends the request again.
    ///
    /// - Returns: whether the current hop was waiting for a response.
    mutating func discardResponse(of id: HopID, for next: Next) -> Bool {
        guard case .requesting(id) = state else { return false }
        state = .leaving(id, next)
        return true
    }

    mutating func ended(_ id: HopID, _ hopEnd: HopEnd) -> [Action] {
        if let download = hopEnd.download, download.hasRequirements, !hopEnd.hasFailed,
            hopEnd.startOver == nil, case .receiving(id) = state
        {
            state = .verifying(hopEnd)
            return [.verify(download)]
        }
        guard let recorder = hopEnd.recorder else { return handleEnd(of: id, hopEnd) }
        guard case .receiving(id) = state else {
            return [.store(recorder)] + handleEnd(of: id, hopEnd)
        }
        var actions: [Action] = []
        if responsePolicy.collects, let body = hopEnd.collected, !body.isEmpty {
            hopEnd.collected = nil
            actions.append(.deliver(body))
        }
        state = .storing(hopEnd)
        return actions + [.askCaching(recorder)]
    }

    private mutating func handleEnd(of id: HopID, _ hopEnd: HopEnd) -> [Action] {
        if hopEnd.leavesBody, id == HopID(number: hops) { body = sentBody }
        if case .requesting(id) = state {
            // The handshake that requests a certificate fails, because it cannot wait for the delegate.
            if let issuers = hopEnd.wantedIssuers {
                state = .choosingCertificate
                return [.askIdentity(issuers)]
            }
            if let actions = waitForNetwork(hopEnd) { return actions }
            if hopEnd.proxyHead?.statusCode == 407 { return refusedTunnel(hopEnd) }
        }
        switch state {
        case .requesting(id), .deciding(id, _), .receiving(id):
            guard let reason = hopEnd.startOver else { return end(hopEnd.error, hopEnd) }
            return [.reportStartOver(reason, resumePoint)] + startOver()
        case .leaving(id, .fail(let error)): return end(error, hopEnd)
        case .leaving(id, .startOver): return startOver()
        case .leaving(id, .serveStored):
            isServingStored = true
            return beginNextHop()
        case .leaving(id, .sendAgain): return beginNextHop()
        case .leaving(id, .follow(let proposal)): return follow(proposal)
        default: return []
        }
    }
}

// Comparing a complete file with its expected digest, on another queue, before the task ends.
extension TaskLifecycle {
    var isVerifying: Bool {
        if case .verifying = state { true } else { false }
    }

    /// Handles the result of the comparison; `nil`: the digest matches.
    ///
    /// `mayStartOver`: whether to download again from the first byte, because an earlier partial file may be
    /// wrong. No action follows if the caller has cancelled the task meanwhile.
    mutating func verified(_ error: URLError?, mayStartOver: Bool) -> [Action] {
        guard case .verifying(let hopEnd) = state else { return [] }
        guard mayStartOver, let point = resumePoint, let mismatch = error?.digestMismatch,
            let download = hopEnd.download
        else { return end(error, hopEnd) }
        return [.remove(download), .reportStartOver(.digestMismatch(mismatch), point)] + startOver()
    }
}
