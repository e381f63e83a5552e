import CurlMulti
import FoundationEssentials
import Synchronization

/// One hop on the loop's thread: passes the response to its body router, and reads the request's body.
final class HopHandler: TransferHandler {
    /// The shortest time between two reports of sent bytes.
    private static let reportInterval: Duration = .milliseconds(100)

    private let id: HopID
    private let hop: HopRequest
    private let client: any HopClient
    private let control: CurlHop

    private let bodyRouter: BodyRouter
    /// The outcome of a transfer that ended before the client decided.
    private var outcome: TransferOutcome?
    /// A second look-up, which finds out whether a host name is permanently unknown.
    private var lookUp: HostQuery?
    private let began = MonotonicInstant.now

    /// The server that the hop has asked its client about.
    private var asked: (peer: PeerTrust, trust: ServerTrust)?

    /// Whether a byte of the body may have been read.
    private var hasReadBody = false
    private var supplied: Int64 = 0
    private var hasSuppliedAll = false
    /// libcurl's last count of the body's bytes.
    private var sent: Int64 = 0
    private var reportedSent: Int64 = 0
    private var lastReport: MonotonicInstant?

    init(_ id: HopID, _ hop: HopRequest, client: any HopClient, control: CurlHop) {
        self.id = id
        self.hop = hop
        self.client = client
        self.control = control
        bodyRouter = BodyRouter(
            id,
            hop.responseContext,
            client: client,
            control: control.response,
            wakeSoon: { control.wake() },
            stop: { control.cancel() }
        )
    }

    func didReceive(_ peer: PeerTrust) -> TrustDecision? {
        if let asked, asked.peer == peer { return control.disposition(about: asked.trust) }
        let trust = ServerTrust(peer)
        asked = (peer, trust)
        // A repeated handshake uses the earlier decision.
        if let earlier = control.disposition(about: trust) { return earlier }
        let disposition = client.hop(id, didReceive: trust)
        if let disposition { control.note(disposition, about: trust) }
        return disposition
    }

    func didReceive(interim head: ResponseHead) {
        client.hop(id, didReceiveInformational: HopHead(head))
    }

    func didReceive(_ head: ResponseHead, sent: Int64) {
        self.sent = sent
        reportSent(isLast: true)
        bodyRouter.receive(HopHead(head))
    }

    func didReceive(_ bytes: UnsafeRawBufferPointer) -> ReceiveVerdict {
        switch bodyRouter.take(bytes) {
        case .taken: .taken
        case .full: .pause
        case .enough: .stop
        }
    }

    func supplyBody(_ space: UnsafeMutableRawBufferPointer) -> BodySupply {
        guard let body = hop.body else { return .end }
        hasReadBody = true
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
            bodyRouter.fail(error)
            return .stop
        }
    }

    func rewindBody(to offset: Int64, wasRefused: Bool) -> Bool {
        // libcurl sends again although the request may have reached the server over the failed connection.
        guard hop.request.isIdempotent || supplied == 0 || wasRefused else { return false }
        guard let body = hop.body, body.seek(to: offset) else { return false }
        supplied = offset
        hasSuppliedAll = false
        return true
    }

    func didIterate(sent: Int64) -> MonotonicInstant? {
        self.sent = sent
        let nextReport = reportSent(isLast: false)
        let next = bodyRouter.iterationEnded()
        guard let nextReport else { return next }
        return next.map { min($0, nextReport) } ?? nextReport
    }

    func didTrace(_ kind: TraceKind, _ bytes: UnsafeRawBufferPointer) {
        let kind: URLSessionTaskTrace.Kind =
            switch kind {
            case .note: .note
            case .sent: .sent
            case .received: .received
            }
        client.hop(id, didTrace: URLSessionTaskTrace(kind, Data(bytes)))
    }

    func didWake(_ transfer: any TransferControl) {
        bodyRouter.wake()
        guard let outcome else {
            if bodyRouter.isSettled || bodyRouter.awaitsDecision { transfer.resumeReceiving() }
            return
        }
        // The wake may have another cause, while the decision is still pending.
        if mayFinish || control.response.isCancelled.load(ordering: .acquiring) {
            finish(outcome, transfer)
        }
    }

    func didComplete(_ outcome: TransferOutcome, _ transfer: any TransferControl) {
        sent = outcome.requestBodyBytes
        reportSent(isLast: true)
        bodyRouter.askIfLeft()
        // The hop waits for a pending decision and for room for buffered bytes, unless the task cancels it.
        if let name = unresolvedName(outcome) {
            let limit = hop.lookUpLimit(after: .now - began)
            lookUp = HostQuery(name, hop.family, limit: limit) { [control] in control.wake() }
        }
        if !mayFinish, outcome.failure?.reason != .cancelled {
            self.outcome = outcome
        } else {
            finish(outcome, transfer)
        }
    }
}

extension HopHandler {
    /// Whether no decision, buffered byte or look-up is pending.
    private var mayFinish: Bool {
        guard let lookUp else { return bodyRouter.isSettled }
        return bodyRouter.isSettled && lookUp.result != nil
    }

    /// The host name that could not be resolved, if that was the failure, and there is a network.
    private func unresolvedName(_ outcome: TransferOutcome) -> String? {
        guard let failure = outcome.failure, !failure.hasNoPath else { return nil }
        let name: String? =
            switch failure.reason {
            case .curl(.cannotResolveHost) where hop.proxy.map { !$0.scheme.isHTTP } ?? true:
                URL(string: hop.request.url)?.host()
            case .curl(.cannotResolveProxy), .curl(.cannotResolveHost): hop.proxy?.host
            default: nil
            }
        return name.map(CanonicalHost.name)
    }

    /// Reports the sent bytes of the body, at once or when a report is due; returns the moment of the next
    /// one.
    ///
    /// libcurl has certainly sent the smaller of its count and ours: over HTTP/1.1 libcurl's count includes
    /// the frames of a chunked body.
    @discardableResult
    private func reportSent(isLast: Bool) -> MonotonicInstant? {
        guard hop.body != nil else { return nil }
        let total = min(sent, supplied)
        guard total > reportedSent else { return nil }
        let now = MonotonicInstant.now
        if !isLast, let lastReport, now - lastReport < Self.reportInterval {
            return lastReport + Self.reportInterval
        }
        lastReport = now
        reportedSent = total
        client.hop(id, didSend: total)
        return nil
    }

    private func finish(_ outcome: TransferOutcome, _ transfer: any TransferControl) {
        self.outcome = nil
        let end = HopEnd()
        end.error = error(of: outcome)
        end.leavesBody = !hasReadBody
        end.proxyHead = outcome.failure?.connectHead.flatMap(proxyResponse)
        if case .clientCertificateWanted(let issuers)? = outcome.failure?.reason,
            bodyRouter.failure == nil
        {
            end.wantedIssuers = issuers.map { Data($0) }
        }
        if end.hasFailed { end.absence = absence(outcome) }
        end.metrics = metrics(outcome.metrics)
        let rest = outcome.restOfHeads
        if !rest.isEmpty { end.restOfHeads = Data(rest) }
        if !outcome.trailers.isEmpty { end.trailers = HTTPHeaderFields(separate: outcome.trailers) }
        bodyRouter.finish(end)
        if let lookUp, lookUp.result != .unknown, end.error?.code == .cannotFindHost {
            end.error?.code = .dnsLookupFailed
        }
        end.error?.failedRequest = FailedRequest(outcome)
        if let split = bodyRouter.responseContext.split {
            split.firstEnded(end)
        } else {
            client.hop(id, didEnd: end)
        }
        transfer.release()
    }

    /// The engine's metrics with what only the hop knows.
    private func metrics(_ measured: HopMetrics?) -> HopMetrics? {
        guard var metrics = measured else { return nil }
        metrics.resourceFetchType = .networkLoad
        metrics.requestBodyBytesBeforeEncoding = supplied
        if supplied == 0 { metrics.requestEnd = metrics.requestStart }
        metrics.isProxyConnection = hop.proxy != nil
        return metrics
    }

    /// The reason why the hop sent no request, if it had no network.
    private func absence(_ outcome: TransferOutcome) -> NetworkAbsence? {
        guard let failure = outcome.failure, supplied == 0, bodyRouter.failure == nil
        else { return nil }
        // A router's error does not say whether one host or its network is missing. A client that waits
        // for one waits for the other, too.
        if failure.hasNoPath { return .noPath }
        return lookUp?.result.map { .noName($0) }
    }

    private func proxyResponse(_ head: ResponseHead) -> HTTPURLResponse? {
        URL(string: hop.request.url).map { HTTPURLResponse($0, HopHead(head)) }
    }

    private func error(of outcome: TransferOutcome) -> URLError? {
        if let failure = outcome.failure {
            if bodyRouter.hadEnough { return nil }
            guard failure.reason == .curl(.sendFailedRewind), !hop.request.isIdempotent else {
                return URLError(failure, proxy: hop.proxy)
            }
            let words =
                "the connection ended while the body was sent, and \(hop.request.method) cannot be repeated"
            return URLError(.networkConnectionLost, detail: words)
        }
        // libcurl accepts a head without its final empty line.
        guard bodyRouter.head != nil else {
            return URLError(.networkConnectionLost, detail: "the connection ended in the header")
        }
        // An early success response does not cover a body that the server has not received.
        guard hop.body != nil, !outcome.serverStoppedBody, let head = bodyRouter.head,
            head.status < 300
        else { return nil }
        let sent = min(outcome.requestBodyBytes, supplied)
        let isWhole = hop.body?.contentLength.map { sent >= $0 } ?? hasSuppliedAll
        guard !isWhole else { return nil }
        let length = hop.body?.contentLength.map { " of \($0)" } ?? ""
        let words =
            "the server responded with status \(head.status) after \(sent)\(length) bytes of the body"
        return URLError(.networkConnectionLost, detail: words)
    }
}

extension FailedRequest {
    fileprivate init(_ outcome: TransferOutcome) {
        mayHaveReachedServer = outcome.mayHaveReachedServer
        systemError = Int32(clamping: outcome.failure?.systemError ?? 0)
        proxyStatus = outcome.failure?.refusedStatus
    }
}

extension HopHead {
    init(_ head: borrowing ResponseHead) {
        self.init(
            status: head.status,
            httpVersion: "HTTP/" + head.version,
            reason: head.reason,
            fields: HTTPHeaderFields(separate: head.fields),
            cookies: head.cookies
        )
        if !head.raw.isEmpty { raw = Data(head.raw) }
    }

    /// Parses stored heads; `nil` where they are malformed or incomplete.
    static func read(_ bytes: UnsafeRawBufferPointer) -> [HopHead]? {
        ResponseHeadParser.heads(bytes)?.map { HopHead($0) }
    }
}
