import FoundationEssentials

// Reports of a hop: each is an event of the life cycle, under the task's lock.
extension URLSessionTask: HopClient {
    func hop(_ id: HopID, didReceive trust: ServerTrust) -> TrustDecision? {
        locked.withLock { trustDisposition(trust, id, &$0) }
    }

    func hop(_ id: HopID, didReceive head: HopHead) -> BodyDisposition {
        locked.withLock { locked in
            noteNetwork(&locked)
            keepCookies(head, locked.lifecycle.currentRequest)
            if id != locked.storedHop {
                storeHSTSField(head, locked.lifecycle.currentRequest, locked)
            }
            guard let url = locked.lifecycle.currentRequest.url else { return .discard }
            let response = HTTPURLResponse(url, head)
            locked.metrics.receive(response)
            reportHead(head, locked)
            guard usesResponse(head, of: id, &locked) else { return .discard }
            locked.response = response
            locked.received = ByteCount(expected: response.expectedContentLength)
            let (disposition, actions) = locked.lifecycle.received(
                http: response,
                of: id,
                isStored: id == locked.storedHop
            )
            act(actions, &locked)
            beginBytes(locked)
            return checked(recorded(disposition, &locked), &locked)
        }
    }

    func hop(_ id: HopID, didReceive response: URLResponse) -> BodyDisposition {
        receive(response) { $0.lifecycle.received(response, of: id) }
    }

    func hop(
        _ id: HopID,
        didReceive response: URLResponse,
        redirectingTo request: URLRequest
    ) -> BodyDisposition {
        receive(response) { $0.lifecycle.received(response, redirectingTo: request, of: id) }
    }

    /// Handles the head of a response that is not HTTP.
    private func receive(
        _ response: URLResponse,
        _ event: (inout Locked) -> (BodyDisposition, [TaskLifecycle.Action])
    ) -> BodyDisposition {
        locked.withLock { locked in
            locked.response = response
            locked.received = ByteCount(expected: response.expectedContentLength)
            locked.metrics.receive(response)
            let (disposition, actions) = event(&locked)
            act(actions, &locked)
            beginBytes(locked)
            return checked(disposition, &locked)
        }
    }

    func hop(_ id: HopID, didReceive data: Data) {
        report { task, locked in
            if locked.lifecycle.delivers(id) { task.deliver(data, &locked) }
        }
    }

    func hop(_ id: HopID, didSend total: Int64) {
        report { task, locked in
            guard total > locked.sent.total else { return }
            let before = locked.sent.total
            locked.sent.total = total
            task.reportSent(total - before, locked)
        }
    }

    func hop(_ id: HopID, didResumeAt offset: Int64, total: Int64?) {
        report { task, locked in
            guard locked.lifecycle.delivers(id) else { return }
            locked.received = ByteCount(total: offset, expected: total ?? -1)
            task.reportResumed(locked)
        }
    }

    func hop(_ id: HopID, didWrite total: Int64) {
        report { task, locked in
            // Reports of several streams may arrive out of order.
            guard locked.lifecycle.delivers(id), total > locked.received.total else { return }
            let before = locked.received.total
            locked.received.total = total
            locked.metrics.deliver(total - before)
            task.reportWritten(total - before, locked)
        }
    }

    func hop(_ id: HopID, didEnd end: HopEnd) {
        report { task, locked in
            locked.hop = nil
            if end.forbidsSplitting { locked.mayNotSplit = true }
            task.forgetIdentity(after: end, locked)
            if let data = end.collected {
                locked.metrics.deliver(Int64(data.count) - locked.received.total)
                locked.received.total = Int64(data.count)
            }
            task.reportHeads(end.restOfHeads, locked)
            task.reportDigests(end.digestFindings, locked)
            locked.metrics.end(end)
            task.serveFromCache(id, end, &locked)
            task.act(locked.lifecycle.ended(id, end), &locked)
        }
    }
}
