import CurlMulti
import FoundationEssentials

/// One hop on the loop's thread: the head to its client, the body to its sink, the request's body
/// from its stream.
final class HopHandler: TransferHandler {
    /// What is taken of a body before anybody has decided about it, bytes: enough that most
    /// decisions never stop a transfer.
    private static let heldLimit = 256 << 10
    /// The delegate hears of what was sent no more often than this.
    private static let reportInterval: Duration = .milliseconds(100)

    private let id: HopID
    private let hop: HopRequest
    private let client: any HopClient
    private let control: CurlHop

    private var head: HopHead?
    private var isDecided = false
    private var sink: (any BodySink)?
    private var held: [UInt8] = []
    private var failure: URLError?
    private var startOver: DownloadStartOver?
    private var hadEnough = false
    /// How the transfer ended, while the decision is still to come.
    private var outcome: TransferOutcome?

    /// The server that the client was asked about.
    private var asked: (peer: PeerTrust, trust: ServerTrust)?

    private var supplied: Int64 = 0
    private var hasSuppliedAll = false
    private var reportedSent: Int64 = 0
    private var lastReport: ContinuousClock.Instant?

    init(_ id: HopID, _ hop: HopRequest, client: any HopClient, control: CurlHop) {
        self.id = id
        self.hop = hop
        self.client = client
        self.control = control
    }

    func didReceive(_ peer: PeerTrust) -> TrustDecision? {
        if asked?.peer != peer {
            let trust = ServerTrust(peer)
            asked = (peer, trust)
            // What was answered to a handshake that had to begin again holds for this one.
            guard control.trustGate.answer(about: trust) == nil else { return didReceive(peer) }
            guard let answer = client.hop(id, didReceive: trust) else { return nil }
            control.trustGate.set(answer, about: trust)
        }
        guard let asked else { return .refuse }
        return control.trustGate.answer(about: asked.trust).map { TrustDecision($0) }
    }

    func didReceive(_ head: ResponseHead) {
        guard self.head == nil else {
            failure = URLError(.badServerResponse, detail: "a second answer to one request")
            return control.cancel()
        }
        let head = HopHead(head)
        self.head = head
        decide(client.hop(id, didReceive: head))
    }

    func didReceive(_ bytes: UnsafeRawBufferPointer) -> ReceiveVerdict {
        guard failure == nil, !hadEnough else { return .stop }
        guard let sink else {
            guard held.count + bytes.count <= Self.heldLimit else { return .pause }
            held.append(contentsOf: bytes)
            return .taken
        }
        do throws(URLError) {
            switch try sink.take(bytes) {
            case .taken: return .taken
            case .full: return .pause
            case .enough:
                hadEnough = true
                return .stop
            }
        } catch {
            failure = error
            return .stop
        }
    }

    func supplyBody(_ space: UnsafeMutableRawBufferPointer) -> BodySupply {
        guard let body = hop.body else { return .end }
        do throws(URLError) {
            switch try body.read(into: space) {
            case .bytes(let count):
                supplied += Int64(count)
                return .bytes(count)
            case .end:
                hasSuppliedAll = true
                return .end
            case .waitForReadable(let descriptor): return .waitForReadable(descriptor)
            }
        } catch {
            failure = error
            return .stop
        }
    }

    func rewindBody(to offset: Int64) -> Bool {
        // libcurl sends again what a dying connection may have delivered.
        guard hop.request.isIdempotent || supplied == 0 else { return false }
        guard let body = hop.body, body.seek(to: offset) else { return false }
        supplied = offset
        hasSuppliedAll = false
        return true
    }

    func didTurn(sent: Int64) -> ContinuousClock.Instant? {
        reportSent(sent, isLast: false)
        guard failure == nil, let sink else { return nil }
        do throws(URLError) {
            try sink.turnEnded()
            return sink.nextTurn
        } catch {
            failure = error
            control.cancel()
            return nil
        }
    }

    func didWake(_ transfer: any TransferControl) {
        if let disposition = control.gate.take() { decide(disposition) }
        guard let outcome else { return transfer.resumeReceiving() }
        // It may have been woken for something else, while the decision is still out.
        if isDecided || failure != nil { finish(outcome, transfer) }
    }

    func didComplete(_ outcome: TransferOutcome, _ transfer: any TransferControl) {
        reportSent(outcome.metrics.requestBodyBytes, isLast: true)
        // A decision that is still out is waited for, unless the task is being cancelled.
        if head != nil, !isDecided, failure == nil, outcome.failure?.reason != .cancelled {
            self.outcome = outcome
        } else {
            finish(outcome, transfer)
        }
    }
}

extension HopHandler {
    private func decide(_ disposition: BodyDisposition) {
        do throws(URLError) {
            guard let sink = try makeSink(for: disposition) else { return }
            isDecided = true
            self.sink = sink
            guard !held.isEmpty else { return }
            defer { held = [] }
            // The held part is small: it goes on whole, whether there is room or not.
            let verdict = try held.withUnsafeBufferPointer { bytes throws(URLError) in
                try sink.take(UnsafeRawBufferPointer(bytes))
            }
            hadEnough = verdict == .enough
            // The next turn's end may be far: nothing more need come for this to be wanted.
            try sink.turnEnded()
        } catch {
            failure = error
            control.cancel()
        }
    }

    private func makeSink(for disposition: BodyDisposition) throws(URLError) -> (any BodySink)? {
        let length = head?.bodyLength(hop.request.method)
        switch disposition {
        case .hold: return nil
        case .discard: return DiscardingSink()
        case .collect: return CollectingSink(expecting: length.map { Int(clamping: $0) })
        case .deliver:
            return DeliveringSink(control.window) { [client, id] in client.hop(id, didReceive: $0) }
        case .write(let destination, nil):
            let file = try PartFile(destination, temporaryFolder: control.temporaryFolder)
            let record = resumeData(length).map { data in
                DownloadRecord(data, file, isTemporary: destination == .temporary)
            }
            return FileSink(file, .whole(length: length), record: record, report: reportWritten)
        case .write(let destination, let continuation?):
            return try continued(destination, continuation)
        }
    }

    /// What it would take to go on with this answer.
    private func resumeData(_ length: Int64?) -> ResumeData? {
        guard let head, head.status == 200, let request = hop.continuable else { return nil }
        return ResumeData(request, head.fields, totalBytes: length)
    }

    private func continued(
        _ destination: DownloadDestination,
        _ continuation: BodyDisposition.Continuation
    ) throws(URLError) -> any BodySink {
        let point = continuation.point
        var data = point.data
        let offset: Int64
        switch continuation {
        case .nothing: offset = data.receivedBytes
        case .rest(_, _, let total):
            offset = point.start
            data.totalBytes = total
        }
        let file = try PartFile(
            destination,
            continuing: point,
            at: offset,
            temporaryFolder: control.temporaryFolder
        )
        guard let file else {
            startOver = .partialFileChanged
            control.cancel()
            return DiscardingSink()
        }
        // Bytes that were only compared are known by what this answer is known by.
        data.validator = data.validator ?? head.flatMap { EntityValidator($0.fields) }
        let record =
            data.validator == nil
            ? nil
            : DownloadRecord(data, file, isTemporary: destination == .temporary, base: offset)
        guard case .rest(_, let range, let total) = continuation else {
            return CompleteFileSink(WrittenFile(file: file, count: offset, record: record))
        }
        client.hop(id, didResumeAt: offset, total: total)
        return FileSink(
            file,
            .part(range, isLast: range.upperBound + 1 == total),
            record: record,
            report: reportWritten
        )
    }

    private func reportWritten(_ total: Int64) {
        client.hop(id, didWrite: total)
    }

    /// Over HTTP/1.1 the engine counts the frames of a chunked body too, so the smaller of its
    /// count and ours is what has left for certain.
    private func reportSent(_ sent: Int64, isLast: Bool) {
        guard hop.body != nil else { return }
        let total = min(sent, supplied)
        guard total > reportedSent else { return }
        let now = ContinuousClock.now
        let isDue = lastReport.map { now - $0 >= Self.reportInterval } ?? true
        guard isLast || isDue else { return }
        lastReport = now
        reportedSent = total
        client.hop(id, didSend: total)
    }

    private func finish(_ outcome: TransferOutcome, _ transfer: any TransferControl) {
        self.outcome = nil
        var end = HopEnd()
        end.error = failure ?? error(of: outcome)
        end.proxyHead = outcome.failure?.connectHead.flatMap(proxyResponse)
        do throws(URLError) {
            try sink?.finish(&end)
        } catch {
            end.error = end.error ?? error
        }
        end.startOver = startOver
        if case .clientCertificateWanted(let issuers)? = outcome.failure?.reason, failure == nil {
            end.wantedIdentity = WantedIdentity(issuers: issuers.map { Data($0) })
        }
        // What cannot be continued goes before anybody hears of the end, unless it was there before.
        if end.error != nil, let file = end.file, file.record == nil {
            file.file.close(keeping: file.file.isContinued)
            end.file = nil
        }
        sink = nil
        client.hop(id, didEnd: end)
        transfer.release()
    }

    private func proxyResponse(_ head: ResponseHead) -> HTTPURLResponse? {
        guard let url = URL(string: hop.request.url) else { return nil }
        let head = HopHead(head)
        return HTTPURLResponse(
            url: url,
            statusCode: head.status,
            httpVersion: head.httpVersion,
            reasonPhrase: head.reason,
            headerFields: head.fields
        )
    }

    private func error(of outcome: TransferOutcome) -> URLError? {
        if let failure = outcome.failure {
            if hadEnough { return nil }
            guard failure.reason == .curl(.sendFailedRewind), !hop.request.isIdempotent else {
                return URLError(failure, proxy: hop.proxy)
            }
            return URLError(
                .networkConnectionLost,
                detail:
                    "it ended while the body was sent, and \(hop.request.method) is not repeated"
            )
        }
        // libcurl takes a head without its last line for an answer.
        guard head != nil else {
            return URLError(.networkConnectionLost, detail: "the connection ended in the head")
        }
        // An answer that came before the whole body had left accepts what it has not seen.
        guard hop.body != nil, let head, head.status < 300 else { return nil }
        let sent = min(outcome.metrics.requestBodyBytes, supplied)
        let isWhole = hop.body?.contentLength.map { sent >= $0 } ?? hasSuppliedAll
        guard !isWhole else { return nil }
        let length = hop.body?.contentLength.map { " of \($0)" } ?? ""
        return URLError(
            .networkConnectionLost,
            detail: "the server answered \(head.status) after \(sent)\(length) bytes of the body"
        )
    }
}

extension HopHead {
    init(_ head: ResponseHead) {
        var fields = HTTPHeaderFields()
        for field in head.fields { fields.add(field.value, to: field.name) }
        self.init(
            status: head.status,
            httpVersion: "HTTP/\(head.version)",
            reason: head.reason,
            fields: fields
        )
    }
}
