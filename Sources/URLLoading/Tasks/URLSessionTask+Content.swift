import FoundationEssentials
import Synchronization

// What bodies are coded in, and how they are taken apart.
extension URLSessionTask {
    /// Has a request ask for what can be undone, and says what becomes of its answer.
    ///
    /// A download takes the bytes as they are stored, which is what its ranges speak of, unless
    /// codings are always undone and the whole is asked for. A caller who asks for codings of his own gets what he asked for, and a part is a part of
    /// the stored bytes.
    func handling(of prepared: inout PreparedRequest, _ locked: Locked) -> AnswerHandling {
        let options = session.settings.transport
        var handling = AnswerHandling(
            method: prepared.method,
            limit: options.maximumBodyBytes,
            continuable: continuable(locked),
            checksDigestFields: options.checksDigestFields,
            startsOverOnDigestMismatch: locked.startsOverOnDigestMismatch
        )
        let isDownload = locked.lifecycle.manner.body.isDownload
        guard !isDownload || (options.contentDecoding == .always && !prepared.has("Range")) else {
            return handling
        }
        let asksItself = prepared.has("Accept-Encoding")
        handling.undoesCodings =
            switch options.contentDecoding {
            case .automatic: !asksItself
            case .always: true
            case .never: false
            }
        // Whoever reads bytes has one answer for all of them, and its boundary.
        if case .bytes = locked.output {} else { handling.splitsParts = !isDownload }
        let mayAsk = !prepared.has("Range") && prepared.method != "HEAD"
        if handling.undoesCodings, !asksItself, mayAsk,
            !options.omittedDefaultHeaders.contains("Accept-Encoding"),
            !ContentCoding.accepted.isEmpty
        {
            prepared.replace(by: [.init(name: "Accept-Encoding", value: ContentCoding.accepted)])
        }
        return handling
    }

    func hop(_ id: HopID, didReceivePart fields: HTTPHeaderFields) -> BodyDisposition {
        locked.withLock { locked in
            guard let whole = locked.response as? HTTPURLResponse, let url = whole.url else {
                return .discard
            }
            let response = HTTPURLResponse(
                url: url,
                statusCode: whole.statusCode,
                httpVersion: whole.httpVersion,
                reasonPhrase: whole.reasonPhrase,
                headerFields: fields
            )
            locked.response = response
            let (disposition, actions) = locked.lifecycle.received(part: response, of: id)
            act(actions, &locked)
            return disposition
        }
    }
}
