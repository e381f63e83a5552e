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
        guard let request else {
            let (disposition, actions) = accept(response, id)
            if case .hold = disposition { return actions }
            return [.decide(disposition)] + actions
        }
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
}
