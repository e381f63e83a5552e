import FoundationEssentials
import Synchronization

/// A hop that requests a part of the file, and checks the response before it writes the first byte.
final class PartHop: HopClient {
    private struct State {
        var head: HopHead?
        /// Why the response is unusable.
        var limit: DownloadSplitLimit?
    }

    private let split: SplitDownload
    private let opening: SplitDownload.Opening
    private let request: PreparedRequest
    private let state = Mutex(State())

    init(_ split: SplitDownload, _ opening: SplitDownload.Opening, _ request: PreparedRequest) {
        self.split = split
        self.opening = opening
        self.request = request
    }

    func hop(_ id: HopID, didReceive trust: ServerTrust) -> TrustDecision? {
        split.client.hop(id, recalls: trust)
    }

    func hop(_ id: HopID, didReceive head: HopHead) -> BodyDisposition {
        let part = part(of: head)
        state.withLock { state in
            state.head = head
            if case .failure(let refusal) = part { state.limit = refusal.limit }
        }
        guard case .success(let part) = part,
            split.began(opening.number, reach: part.upperBound + 1)
        else { return .discard }
        let (number, download) = (opening.number, opening.work.download)
        let start = part.lowerBound
        return .fill(SplitStream(split: split, number: number, download: download, start: start))
    }

    /// Why a response is not the requested part.
    private struct Refusal: Error {
        let limit: DownloadSplitLimit
    }

    /// The range of a response, if it is the requested range of the same version of the file.
    private func part(of head: HopHead) -> Result<ClosedRange<Int64>, Refusal> {
        let isSame = opening.work.validator.isStated(by: head.fields) == true
        switch head.status {
        case 206: break
        case 200, 203:
            return .failure(Refusal(limit: isSame ? .rangesNotSupported : .entityChanged))
        case 412, 416: return .failure(Refusal(limit: .entityChanged))
        default: return .failure(Refusal(limit: .refused(head.status)))
        }
        guard isSame,
            opening.work.download.withResumeData({ $0?.isRecoded(by: head.fields) }) != true
        else { return .failure(Refusal(limit: .entityChanged)) }
        let text = head.fields["Content-Range"] ?? "no Content-Range"
        guard case .bytes(let part, let length) = ContentRange(text),
            part.lowerBound == opening.range.lowerBound,
            part.upperBound < opening.range.upperBound
        else { return .failure(Refusal(limit: .unexpectedRange(text))) }
        guard length == opening.work.allocator.total else {
            return .failure(Refusal(limit: .entityChanged))
        }
        return .success(part)
    }

    /// Not called: a request for a part always uses HTTP.
    func hop(_ id: HopID, didReceive response: URLResponse) -> BodyDisposition { .discard }

    func hop(_ id: HopID, didReceive data: Data) {}

    func hop(_ id: HopID, didSend total: Int64) {}

    func hop(_ id: HopID, didResumeAt offset: Int64, total: Int64?) {}

    func hop(_ id: HopID, didWrite total: Int64) {}

    func hop(_ id: HopID, didEnd end: HopEnd) {
        let state = state.withLock { $0 }
        split.client.hop(id, didEndPart: end, request, state.head)
        split.ended(opening.number, end, failure(state, end), asked: wait(state))
    }

    /// How long the server asks the client to wait, in its `Retry-After` field.
    private func wait(_ state: State) -> Duration? {
        guard case .refused? = state.limit, let fields = state.head?.fields else { return nil }
        return RetryAfter.wait(fields, now: Date.now.timeIntervalSince1970)
    }

    private func failure(
        _ state: State,
        _ end: HopEnd
    ) -> (limit: DownloadSplitLimit, error: URLError)? {
        if let limit = state.limit {
            let words = "a part of the file was requested, and \(limit)"
            // A refusal may be temporary, so its error allows a retry.
            let isRefusal = if case .refused = limit { true } else { false }
            let code: URLError.Code = isRefusal ? .networkConnectionLost : .badServerResponse
            return (limit, URLError(code, detail: words))
        }
        if end.wantedIssuers != nil {
            let error = URLError(.clientCertificateRequired)
            return (.failed(error.code), error)
        }
        return end.error.map { (.failed($0.code), $0) }
    }
}
