import FoundationEssentials
import Synchronization

// What bodies are coded in, and how they are taken apart.
extension URLSessionTask {
    /// Has a request ask for what can be undone, and says what becomes of its response.
    ///
    /// A download takes the bytes as they are stored, which is what its ranges speak of, unless
    /// codings are always undone and the whole is asked for. A caller that asks for codings of its
    /// own gets what it asked for, and a part is a part of the stored bytes.
    func responseContext(
        of prepared: inout PreparedRequest,
        _ locked: borrowing Locked
    ) -> ResponseContext {
        let options = session.settings.transport
        let isRaw = options.contentDecoding == .raw && !prepared.has("Range")
        var responseContext = ResponseContext(
            method: prepared.method,
            limit: options.maximumBodyBytes,
            isRaw: isRaw,
            continuable: continuable(locked),
            // A digest is of what is framed, and so of something else.
            checksDigestFields: options.checksDigestFields && !isRaw,
            startsOverOnDigestMismatch: locked.startsOverOnDigestMismatch,
            keepsChecksums: options.keepsChecksums
        )
        let isDownload = locked.lifecycle.responsePolicy.body.isDownload
        guard !isDownload || (options.contentDecoding == .always && !prepared.has("Range")) else {
            return responseContext
        }
        let asksItself = prepared.has("Accept-Encoding")
        responseContext.undoesCodings =
            switch options.contentDecoding {
            case .automatic: !asksItself
            case .always: true
            case .never, .raw: false
            }
        // A reader of bytes has one response for all of them, and its boundary.
        let collects = locked.lifecycle.responsePolicy.collects
        if case .bytes = locked.output {
        } else {
            responseContext.splitsParts = !isDownload && !isRaw && !collects
        }
        responseContext.isTaken = takesBody(locked)
        let mayAsk = !prepared.has("Range") && prepared.method != "HEAD"
        if responseContext.undoesCodings, !asksItself, mayAsk,
            !options.omittedDefaultHeaders.contains("Accept-Encoding"),
            !ContentCoding.accepted.isEmpty
        {
            prepared.replace(by: [.init(name: "Accept-Encoding", value: ContentCoding.accepted)])
        }
        return responseContext
    }

    func hop(_ id: HopID, didReceive parts: [ReceivedPart]) -> BodyDisposition {
        locked.withLock { locked in
            locked.parts = parts[...]
            return begin(id, &locked)
        }
    }

    /// Begins the first of the parts that have come, and goes on until the delegate has to be asked.
    ///
    /// - Returns: what becomes of the last part; `hold` where there is one to be decided upon.
    private func begin(_ id: HopID, _ locked: inout Locked) -> BodyDisposition {
        while let part = locked.parts.first {
            guard let whole = locked.response as? HTTPURLResponse, let url = whole.url else {
                break
            }
            let response = HTTPURLResponse(
                url: url,
                statusCode: whole.statusCode,
                httpVersion: whole.httpVersion,
                reasonPhrase: whole.reasonPhrase,
                headerFields: part.fields
            )
            locked.response = response
            let (disposition, actions) = locked.lifecycle.received(part: response, of: id)
            act(actions, &locked)
            switch disposition {
            case .hold: return .hold
            case .deliver: deliverPart(&locked)
            default:
                locked.parts = []
                return disposition
            }
        }
        return locked.parts.isEmpty ? .deliver : .discard
    }

    /// Does what was decided about a hop's body, or about a part that came with others behind it.
    func decide(_ disposition: BodyDisposition, _ locked: inout Locked) {
        guard !locked.parts.isEmpty else {
            let recorded = recorded(disposition, &locked)
            let decision = checked(recorded, locked)
            locked.hop?.decide(decision)
            return
        }
        guard case .deliver = disposition, case .receiving(let id) = locked.lifecycle.state else {
            locked.parts = []
            locked.hop?.decide(disposition)
            return
        }
        deliverPart(&locked)
        let next = begin(id, &locked)
        if case .hold = next { return }
        locked.hop?.decide(next)
    }

    private func deliverPart(_ locked: inout Locked) {
        guard let body = locked.parts.popFirst()?.body, !body.isEmpty else { return }
        deliver(body, &locked)
    }

    /// Whether the session's own program takes the body where it lies.
    func takesBody(_ locked: borrowing Locked) -> Bool {
        guard let taker = session.bodyTaker, locked.delegate == nil,
            case .delegates = locked.output, !locked.lifecycle.responsePolicy.collects
        else { return false }
        return taker.takesBodies
    }

    func hop(_ id: HopID, take bytes: UnsafeRawBufferPointer) -> Int {
        guard let taker = session.bodyTaker, let task = self as? URLSessionDataTask,
            locked.withLock({ $0.lifecycle.delivers(id) })
        else { return bytes.count }
        let count = taker.take(bytes, of: task)
        locked.withLock { locked in
            locked.received.total += Int64(count)
            locked.metrics.deliver(Int64(count))
        }
        return count
    }

    /// Says that ``BodyTaker/take(_:of:)``, which has not taken all, takes more.
    package func takesMore() {
        locked.withLock { $0.hop }?.consumed(DeliveryWindow.limit)
    }

    /// Hands a piece of the body on.
    func deliver(_ data: Data, _ locked: inout Locked) {
        guard let hop = locked.hop else { return }
        locked.received.total += Int64(data.count)
        locked.metrics.deliver(Int64(data.count))
        if case .bytes(let channel) = locked.output {
            channel.push(data) { hop.consumed(data.count) }
        } else {
            reportData(data, locked) { hop.consumed(data.count) }
        }
    }
}
