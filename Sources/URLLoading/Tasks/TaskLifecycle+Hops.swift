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
            let words = "more than \(responsePolicy.maximumRedirects)"
            let url = proposal.request.url
            return end(URLError(.httpTooManyRedirects, detail: words, failingURL: url))
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

    mutating func accept(_ response: URLResponse, _ id: HopID) -> (BodyDisposition, [Action]) {
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

// Continuing a download: the first byte, the meaning of a response, and the partial file.
extension TaskLifecycle {
    /// Where a download begins.
    enum Beginning: Sendable {
        case atFirstByte
        /// Inside a file, behind the bytes of a partial file.
        case at(ResumePoint)
        /// At the first byte, although a partial file exists.
        case startOver(DownloadStartOver)
        /// Nowhere: the resume data is invalid.
        indirect case impossible(URLError)
    }

    /// What to keep of a download that did not complete.
    enum PartialFile {
        /// Nothing: the caller has cancelled the download for good, or it is complete.
        case nothing
        /// The bytes that the hop wrote, or else the earlier partial file.
        case partial(ResumeData?)
    }
}

extension TaskLifecycle {
    /// Decides what a final response means for an existing partial file.
    mutating func judge(_ response: HTTPURLResponse, _ id: HopID) -> (BodyDisposition, [Action]) {
        guard responsePolicy.body.isDownload else { return accept(response, id) }
        continuation = nil
        guard let point = resumePoint else {
            guard response.statusCode != 206 || currentRequest.headerFields["Range"] != nil else {
                let words = "the server sent a part of the file, although the whole was requested"
                let error = URLError(.badServerResponse, detail: words)
                return (.discard, leave(id, error, wasAsked: false))
            }
            return accept(response, id)
        }
        switch point.verdict(on: response) {
        case .continue(let range, let total): continuation = .rest(point, range, total: total)
        case .isComplete: continuation = .nothing(point)
        case .unrelated: break
        case .invalid:
            let words =
                "the server responded with status \(response.statusCode) to a request for a range"
            let error = URLError(.badServerResponse, detail: words)
            return (.discard, leave(id, error, wasAsked: false))
        case .replace(let reason):
            resumePoint = nil
            let (disposition, actions) = accept(response, id)
            return (disposition, [.reportStartOver(reason, point)] + actions)
        case .startOver(let reason):
            state = .leaving(id, .startOver)
            return (.discard, [.reportStartOver(reason, point)])
        }
        return accept(response, id)
    }

    mutating func startOver() -> [Action] {
        resumePoint = nil
        return beginNextHop()
    }
}
