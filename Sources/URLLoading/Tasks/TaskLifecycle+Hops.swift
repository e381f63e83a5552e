import FoundationEssentials

// The next step: a hop, a redirect, or the end.
extension TaskLifecycle {
    mutating func begin() -> [Action] {
        switch beginning {
        case .atFirstByte, .at: break
        case .impossible(let error): return end(error)
        case .startOver(let reason):
            beginning = .atFirstByte
            return [.reportStartOver(reason, nil)] + begin()
        }
        // Copied first: calling this on `self.body` would copy the whole life cycle.
        let next = body
        if next.mustAsk {
            state = .openingBody
            return [.askBody]
        }
        let left = timeLeft
        if let left, left <= .zero { return end(.wholeTimeout) }
        hops += 1
        let id = HopID(number: hops)
        state = .requesting(id)
        sentBody = next
        if isServingStored {
            isServingStored = false
            return [.startStored(currentRequest, id)]
        }
        body = next.again
        let request = resumePoint?.asking(currentRequest) ?? currentRequest
        return [.start(request, next, id, timeLimit: left)]
    }

    mutating func follow(_ proposal: RedirectPolicy.Proposal) -> [Action] {
        guard redirects < responsePolicy.maximumRedirects else {
            return end(
                URLError(
                    .httpTooManyRedirects,
                    detail: "more than \(responsePolicy.maximumRedirects)",
                    failingURL: proposal.request.url
                )
            )
        }
        redirects += 1
        if let from = currentRequest.url, let target = proposal.request.url {
            hasLeftTLS = OriginCrossing(from: from, to: target).isDowngrade
        }
        currentRequest = proposal.request
        authentication.redirected()
        if !proposal.keepsBody { body = proposal.ownBody }
        return beginNextHop()
    }

    /// Begins the next hop, unless the task is suspended.
    mutating func beginNextHop() -> [Action] {
        state = .ready
        return isSuspended ? [] : begin()
    }

    mutating func accept(
        _ response: URLResponse,
        _ id: HopID
    ) -> (BodyDisposition, [Action]) {
        switch responsePolicy.body {
        case .askResponse:
            state = .deciding(id, .response)
            return (.hold, [.askResponse(response, id)])
        case .askDestination:
            state = .deciding(id, .destination)
            return (.hold, [.askDestination(response, id)])
        case .settled(.write(let destination, _)):
            state = .receiving(id)
            return (.write(destination, continuation), [])
        case .settled(let disposition):
            state = .receiving(id)
            return (disposition, [])
        }
    }

    /// Cancels a hop; the task ends when the hop has ended.
    ///
    /// `wasAsked`: the hop waits for a disposition, without which it cannot end.
    mutating func leave(_ id: HopID, _ error: URLError, wasAsked: Bool) -> [Action] {
        state = .leaving(id, .fail(error))
        return (wasAsked ? [.decide(.discard)] : []) + [.cancelHop]
    }

    mutating func end(_ error: URLError?, _ hopEnd: HopEnd = HopEnd()) -> [Action] {
        state = .ended
        let isTooLong = error?.code == .dataLengthExceedsMaximum && resumePoint == nil
        let isLost =
            error == nil || isTooLong || error?.code == .bodyDigestMismatch
            || (isCancelled && !producesResumeData)
        return [.complete(error, hopEnd, isLost ? .nothing : .partial(resumePoint?.data))]
    }
}
