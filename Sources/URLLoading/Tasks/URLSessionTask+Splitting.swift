import Dispatch
import FoundationEssentials
import Synchronization

// Split downloads. The delegate's decisions about the first hop hold for all: the task asks no delegate
// about a part.
extension URLSessionTask {
    /// Starts a hop, as a split download if the session allows that and it is useful.
    func launch(
        _ request: HopRequest,
        _ id: HopID,
        _ locked: borrowing Locked
    ) throws(URLError) -> any RunningHop {
        let limit = streamLimit(locked)
        let hasHoles = locked.lifecycle.resumePoint?.hasHoles == true
        guard limit > 1 || hasHoles, request.responseContext.continuable != nil,
            self is URLSessionDownloadTask
        else { return try session.transport.start(request, id: id, client: self) }
        var request = request
        let download = SplitDownload(
            id,
            request,
            limit: limit,
            transport: session.transport,
            client: self
        )
        request.responseContext.split = download
        download.attach(try session.transport.start(request, id: id, client: self))
        return download
    }

    private func streamLimit(_ locked: borrowing Locked) -> Int {
        guard !locked.mayNotSplit else { return 1 }
        return min(
            session.settings.transport.maximumStreamsPerDownload,
            session.settings.maximumConnectionsPerHost
        )
    }
}

extension URLSessionTask {
    /// The request for a part, with its own credentials; `nil` where the task no longer needs the part.
    func hop(
        _ id: HopID,
        provesPart request: PreparedRequest,
        through proxy: ProxyServer?
    ) -> PreparedRequest? {
        locked.withLock { locked in
            guard locked.lifecycle.delivers(id), let url = URL(string: request.url) else {
                return nil
            }
            // A digest credential is valid for one request.
            let proofs = locked.lifecycle.authentication.addProofs(
                request,
                url,
                hasBody: false,
                body: .none,
                through: proxy
            )
            var request = request
            request.replace(by: proofs.fields)
            return request
        }
    }

    /// The decision about the server of a part's connection, without a new question to the delegate.
    func hop(_ id: HopID, recalls trust: ServerTrust) -> TrustDecision {
        locked.withLock { locked in
            if let asked = locked.trustDecision, asked.trust == trust { return asked.disposition }
            // The first hop may use a connection that libcurl opened for another task.
            guard let origin = locked.lifecycle.origin,
                let last = session.connectionDecisions.withLock({ $0.trust[origin] }),
                last.trust == trust
            else { return .refuse }
            return last.decision
        }
    }

    /// The client certificate for a part's connection.
    func identityForPart(_ id: HopID) -> HopIdentity {
        locked.withLock { identity($0.lifecycle.currentRequest, $0) }
    }

    /// Reports the number of streams; `limit` is the reason why there are not more.
    func hop(_ id: HopID, didSplitInto streams: Int, _ limit: DownloadSplitLimit?) {
        locked.withLock { locked in
            reportDownload(locked) { delegate, session, task, _ in
                delegate.urlSession(
                    session,
                    downloadTask: task,
                    didSplitInto: streams,
                    limit: limit
                )
            }
        }
    }

    /// Adds the hop of a part, with the sent request and the head of its response, to the metrics.
    func hop(
        _ id: HopID,
        didEndPart end: HopEnd,
        _ sent: borrowing PreparedRequest,
        _ head: HopHead?
    ) {
        locked.withLock { locked in
            var request = locked.lifecycle.currentRequest
            guard let url = request.url, end.metrics != nil else { return }
            request.headerFields = HTTPHeaderFields()
            for field in sent.fields { request.headerFields.add(field.value, to: field.name) }
            locked.metrics.add(part: request, head.map { HTTPURLResponse(url, $0) }, end)
        }
    }
}
