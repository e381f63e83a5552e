import FoundationEssentials

// Replies of the delegate. A late or repeated reply finds another state, and has no effect.
extension TaskLifecycle {
    mutating func resolveBody(_ stream: (any HTTPBodyStream)?) -> [Action] {
        guard case .openingBody = state else { return [] }
        guard let stream else {
            let words =
                hops == 0
                ? "the delegate supplied no body stream" : "the body stream can be read only once"
            return end(URLError(.requestBodyStreamExhausted, detail: words))
        }
        body = .stream(stream)
        return beginNextHop()
    }

    mutating func resolveRedirect(_ id: HopID, _ request: URLRequest?) -> [Action] {
        guard case .deciding(id, .redirect(let response, var proposal)) = state else { return [] }
        guard let request else { return late(accept(response, id)) }
        proposal.replace(by: request)
        state = .leaving(id, .follow(proposal))
        return [.decide(.discard)]
    }

    mutating func resolveResponse(
        _ id: HopID,
        _ disposition: URLSession.ResponseDisposition
    ) -> [Action] {
        guard case .deciding(id, .response) = state else { return [] }
        switch disposition {
        case .allow:
            state = .receiving(id)
            return [.decide(responsePolicy.collects ? .collect : .deliver)]
        case .cancel: return leave(id, URLError(.cancelled), wasAsked: true)
        case .becomeDownload where isPart:
            let words = "a part of a multipart response cannot become a download"
            return leave(id, URLError(.cancelled, detail: words), wasAsked: true)
        case .becomeDownload: return [.becomeDownload(id)]
        }
    }

    mutating func resolveDestination(_ id: HopID, _ destination: DownloadDestination?) -> [Action] {
        guard case .deciding(id, .destination) = state else { return [] }
        guard let destination else { return leave(id, URLError(.cancelled), wasAsked: true) }
        // After an error status the partial file is kept, and must not be overwritten.
        if continuation == nil, let point = resumePoint, destination.isFile(of: point.data) {
            let words = "the error response would overwrite the partial file"
            return leave(id, URLError(.cannotCreateFile, detail: words), wasAsked: true)
        }
        state = .receiving(id)
        return [.decide(.write(destination, continuation))]
    }

    /// Ends the task after the delegate has decided about storing the response.
    mutating func resolveCaching() -> [Action] {
        guard case .storing(let hopEnd) = state else { return [] }
        return end(nil, hopEnd)
    }

    /// Begins the same hop again after the delegate's decision about a client certificate, with the unread
    /// body.
    mutating func resolveIdentity() -> [Action] {
        guard case .choosingCertificate = state else { return [] }
        return beginNextHop()
    }

    /// Ends the task because the delegate cancelled the challenge.
    mutating func cancelIdentity() -> [Action] {
        guard case .choosingCertificate = state else { return [] }
        let words = "the client certificate challenge was cancelled"
        return cancel(URLError(.cancelled, detail: words))
    }

    /// The actions for a disposition that was not decided when the response arrived.
    func late(_ decision: (disposition: BodyDisposition, actions: [Action])) -> [Action] {
        if case .hold = decision.disposition { return decision.actions }
        return [.decide(decision.disposition)] + decision.actions
    }
}

// A data task whose delegate chose a file: a download takes over its life cycle.
extension TaskLifecycle {
    /// Ends this life cycle, and passes its state on: the hop, the clock, the redirects and the credentials.
    ///
    /// - Returns: the life cycle of a download, which must still ask its delegate for a destination.
    mutating func handOver() -> TaskLifecycle {
        var download = self
        download.responsePolicy.body = .askDestination
        state = .ended
        return download
    }

    /// Continues with the response about which the data task has asked its delegate.
    ///
    /// Returns no action if the caller has cancelled the download meanwhile.
    mutating func received(inherited response: URLResponse, of id: HopID) -> [Action] {
        guard case .deciding(id, .response) = state else { return [] }
        return late((response as? HTTPURLResponse).map { judge($0, id) } ?? accept(response, id))
    }
}
