import FoundationEssentials

// Reports of the transport.
extension TaskLifecycle {
    mutating func failedToStart(_ error: URLError) -> [Action] {
        end(error)
    }

    mutating func received(
        http response: HTTPURLResponse,
        of id: HopID,
        isStored: Bool = false
    ) -> (BodyDisposition, [Action]) {
        guard case .requesting(id) = state else { return (.discard, []) }
        if response.statusCode == 417, !isExpectationRefused, mayExpectContinue {
            isExpectationRefused = true
            state = .leaving(id, .authenticate)
            return (.discard, [])
        }
        if isStored { return receivedResponse(response, of: id) }
        let (step, accepted) = authentication.received(response, to: currentRequest.url)
        let kept = accepted.map(Action.keep)
        switch step {
        case .deliver: break
        case .again:
            state = .leaving(id, .authenticate)
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
        guard let proposal else { return judge(response, id) }
        guard !responsePolicy.asksAboutRedirects else {
            state = .deciding(id, .redirect(response, proposal))
            return (.hold, [.askRedirect(response, proposal.request, id)])
        }
        state = .leaving(id, .follow(proposal))
        return (.discard, [])
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
        var hopEnd = hopEnd
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
        if let wanted = hopEnd.wantedIdentity, case .requesting(id) = state {
            return identify(wanted)
        }
        if case .requesting(id) = state, let actions = waitForNetwork(hopEnd) { return actions }
        switch state {
        case .requesting(id) where hopEnd.proxyHead?.statusCode == 407:
            return refusedTunnel(hopEnd)
        case .requesting(id), .deciding(id, _), .receiving(id):
            guard let reason = hopEnd.startOver else { return end(hopEnd.error, hopEnd) }
            return [.reportStartOver(reason, resumePoint)] + startOver()
        case .leaving(id, .fail(let error)): return end(error, hopEnd)
        case .leaving(id, .startOver): return startOver()
        case .leaving(id, .serveStored): return serve()
        case .leaving(id, .sendAgain): return beginNextHop()
        case .leaving(id, .authenticate): return beginNextHop()
        case .leaving(id, .follow(let proposal)): return follow(proposal)
        default: return []
        }
    }
}
