import FoundationEssentials
import Synchronization

// Content codings and multipart bodies.
extension URLSessionTask {
    /// Adds `Accept-Encoding` to a request, and decides how to decode its response.
    ///
    /// A download stores the bytes undecoded, because its ranges count those; only with `always` is a
    /// whole file decoded. A request with its own `Accept-Encoding` gets the body as the server sent
    /// it. A range is always undecoded.
    func responseContext(
        of prepared: inout PreparedRequest,
        _ locked: borrowing Locked
    ) -> ResponseContext {
        // Read one by one: a copy of all options would cost as much as the rest.
        let isRaw = session.settings.transport.contentDecoding == .raw && !prepared.has("Range")
        var responseContext = ResponseContext(
            method: prepared.method,
            limit: session.settings.transport.maximumBodyBytes,
            isRaw: isRaw,
            continuable: continuable(locked),
            // With `raw` the body still has its transfer framing, to which the digest does not apply.
            checksDigestFields: session.settings.transport.checksDigestFields && !isRaw,
            startsOverOnDigestMismatch: locked.startsOverOnDigestMismatch,
            keepsChecksums: session.settings.transport.keepsChecksums
        )
        let isDownload = locked.lifecycle.responsePolicy.body.isDownload
        guard
            !isDownload
                || (session.settings.transport.contentDecoding == .always && !prepared.has("Range"))
        else { return responseContext }
        let asksItself = prepared.has("Accept-Encoding")
        responseContext.decodesContent =
            switch session.settings.transport.contentDecoding {
            case .automatic: !asksItself
            case .always: true
            case .never, .raw: false
            }
        // A reader of bytes receives one response with the whole body, boundaries included.
        let collects = locked.lifecycle.responsePolicy.collects
        let isBytes = if case .bytes = locked.output { true } else { false }
        responseContext.splitsParts = !isDownload && !isRaw && !collects && !isBytes
        responseContext.readsInPlace = readsBodyInPlace(locked)
        let mayAsk = !prepared.has("Range") && prepared.method != "HEAD"
        if responseContext.decodesContent, !asksItself, mayAsk,
            !session.settings.transport.omittedDefaultHeaders.contains("Accept-Encoding"),
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

    /// Handles the parts that have arrived, until the task must ask the delegate.
    ///
    /// - Returns: the disposition of the last part; `hold` while the delegate decides about a part.
    private func begin(_ id: HopID, _ locked: inout Locked) -> BodyDisposition {
        while let part = locked.parts.first {
            guard let whole = locked.response as? HTTPURLResponse, let url = whole.url
            else { break }
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

    /// Applies a disposition to the hop's body, or to the first of several parts that arrived together.
    func decide(_ disposition: BodyDisposition, _ locked: inout Locked) {
        guard !locked.parts.isEmpty else {
            let decision = checked(recorded(disposition, &locked), &locked)
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

    /// Whether the program's body taker reads the body directly from the transport's buffer.
    func readsBodyInPlace(_ locked: borrowing Locked) -> Bool {
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

    /// Resumes a hop after ``BodyTaker/take(_:of:)`` did not take all bytes.
    package func reportRoom() {
        locked.withLock { $0.hop }?.consumed(DeliveryWindow.limit)
    }

    /// Passes a piece of the body to its receiver.
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
