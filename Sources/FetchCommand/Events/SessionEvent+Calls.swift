import FoundationEssentials
import URLLoading

// Calls with arguments that are made in several steps.
extension SessionEvent {
    /// The result of the comparison of a body with a digest.
    static func didCheckDigest(_ task: URLSessionTask, _ finding: DigestFinding) -> SessionEvent {
        let source: DigestSource
        let outcome: String
        var expected: ExpectedDigest?
        var actual: BodyDigest?
        var reason: String?
        switch finding {
        case .matches(let party, let digest):
            (source, outcome) = (party, "matches")
            (expected, actual) = (ExpectedDigest(digest), digest)
        case .differs(let mismatch):
            (source, outcome) = (mismatch.source, "differs")
            (expected, actual) = (mismatch.expected, mismatch.actual)
        case .unusable(let party, let why):
            (source, outcome, reason) = (party, "unusable", why)
        }
        return SessionEvent(
            .didCheckDigest,
            task,
            [
                "source": .plain(source.rawValue),
                "finding": .plain(outcome),
                "expected": .plain(expected.map { "\($0)" }),
                "actual": .plain(actual.map { "\($0)" }),
                "reason": .plain(reason),
            ],
            method: "urlSession(_:task:didCheckDigest:)"
        )
    }

    /// A challenge with its disposition; created once the disposition is known.
    static func didReceiveChallenge(
        _ task: URLSessionTask,
        _ challenge: URLAuthenticationChallenge,
        _ decision: ChallengeDisposition,
        method: String
    ) -> SessionEvent {
        SessionEvent(
            .didReceiveChallenge,
            task,
            [
                "protectionSpace": .space(challenge.protectionSpace),
                "hasProposedCredential": .flag(challenge.proposedCredential != nil),
                "previousFailureCount": .integer(challenge.previousFailureCount),
                "disposition": .text(name(decision.disposition)),
                "source": .text(decision.source?.rawValue),
            ],
            method: method
        )
    }

    private static func name(_ disposition: URLSession.AuthChallengeDisposition) -> String {
        switch disposition {
        case .useCredential: "useCredential"
        case .performDefaultHandling: "performDefaultHandling"
        case .cancelAuthenticationChallenge: "cancelAuthenticationChallenge"
        case .rejectProtectionSpace: "rejectProtectionSpace"
        }
    }
}

extension EventValue {
    fileprivate static func space(_ space: URLProtectionSpace) -> EventValue {
        let method = AuthenticationMethod.name(space.authenticationMethod)
        return .object(
            [
                EventMember("host", .text(space.host)),
                EventMember("port", .integer(space.port)),
                EventMember("protocol", .text(space.protocol)),
                EventMember("proxyType", .text(space.proxyType)),
                EventMember("realm", .text(space.realm)),
                EventMember("authenticationMethod", .text(space.authenticationMethod)),
                EventMember("serverTrust", space.serverTrust.map(trust) ?? .none),
            ],
            summary: "\(method ?? space.authenticationMethod) for \(space.shown)"
        )
    }

    private static func trust(_ trust: ServerTrust) -> EventValue {
        let own = trust.certificates.first
        return .object(
            [
                EventMember("isTrusted", .flag(trust.isTrusted)),
                EventMember("reasons", .list(trust.reasons.map { .text($0.words) })),
                EventMember("subject", .text(own?.subject)),
                EventMember("issuer", .text(own?.issuer)),
                EventMember("publicKeyPin", .text(own?.publicKeyPin)),
            ],
            summary: trust.isTrusted ? "trusted" : "not trusted"
        )
    }
}

extension EventValue {
    static func metrics(_ metrics: URLSessionTaskMetrics) -> KeyValuePairs<String, EventValue> {
        let duration = Int64(clamping: metrics.taskInterval.duration * 1e6)
        return [
            "taskDuration": .seconds(microseconds: duration),
            "redirectCount": .integer(metrics.redirectCount),
            "taskStartDate": .date(metrics.taskInterval.start),
            "transactionMetrics": .lines(metrics.transactionMetrics.map(EventValue.transaction)),
        ]
    }

    /// The metrics of a request and its response; members have the names of the properties.
    private static func transaction(_ one: URLSessionTaskTransactionMetrics) -> EventValue {
        let members: KeyValuePairs<String, EventValue> = [
            "request": .request(one.request),
            "response": one.response.map(EventValue.response) ?? .none,
            "resourceFetchType": .plain("\(one.resourceFetchType)"),
            "fetchStartDate": .date(one.fetchStartDate),
            "domainLookupStartDate": .date(one.domainLookupStartDate),
            "domainLookupEndDate": .date(one.domainLookupEndDate),
            "connectStartDate": .date(one.connectStartDate),
            "secureConnectionStartDate": .date(one.secureConnectionStartDate),
            "secureConnectionEndDate": .date(one.secureConnectionEndDate),
            "connectEndDate": .date(one.connectEndDate),
            "requestStartDate": .date(one.requestStartDate),
            "requestEndDate": .date(one.requestEndDate),
            "responseStartDate": .date(one.responseStartDate),
            "responseEndDate": .date(one.responseEndDate),
            "networkProtocolName": .plain(one.networkProtocolName),
            "isProxyConnection": .flag(one.isProxyConnection),
            "isReusedConnection": .flag(one.isReusedConnection),
            "localAddress": .plain(one.localAddress),
            "localPort": .integer(one.localPort),
            "remoteAddress": .plain(one.remoteAddress),
            "remotePort": .integer(one.remotePort),
            "negotiatedTLSProtocolVersion":
                .plain(one.negotiatedTLSProtocolVersion.map { "\($0)" }),
            "negotiatedTLSCipherSuite": .plain(one.negotiatedTLSCipherSuite?.description),
            "countOfRequestHeaderBytesSent": .number(one.countOfRequestHeaderBytesSent),
            "countOfRequestBodyBytesSent": .number(one.countOfRequestBodyBytesSent),
            "countOfRequestBodyBytesBeforeEncoding":
                .number(one.countOfRequestBodyBytesBeforeEncoding),
            "countOfResponseHeaderBytesReceived": .number(one.countOfResponseHeaderBytesReceived),
            "countOfResponseBodyBytesReceived": .number(one.countOfResponseBodyBytesReceived),
            "countOfResponseBodyBytesAfterDecoding":
                .number(one.countOfResponseBodyBytesAfterDecoding),
        ]
        return .object(members.map { EventMember($0.key, $0.value) }, summary: summary(one))
    }

    /// `GET http://h/ 200, http/1.1, 10.0.0.1:80 (new), first byte after 0.012 s, 512 B in 0.034 s`.
    private static func summary(_ one: URLSessionTaskTransactionMetrics) -> String {
        let status = (one.response as? HTTPURLResponse).map { "\($0.statusCode)" } ?? "no response"
        var parts = ["\(EventValue.request(one.request).text) \(status)"]
        if one.resourceFetchType != .networkLoad { parts.append("\(one.resourceFetchType)") }
        if let name = one.networkProtocolName { parts.append(name) }
        if let version = one.negotiatedTLSProtocolVersion { parts.append("\(version)") }
        if let address = one.remoteAddress, let port = one.remotePort {
            let host = address.contains(":") ? "[\(address)]" : address
            let via = one.isProxyConnection ? "proxy " : ""
            parts.append("\(via)\(host):\(port) \(one.isReusedConnection ? "reused" : "new")")
        }
        let start = one.hop.waited
        if one.hop.responseStart > 0 {
            parts.append("first byte after \(seconds(start + one.hop.responseStart))")
        }
        let bytes = one.countOfResponseBodyBytesReceived
        parts.append("\(ByteText.size(bytes)) in \(seconds(start + one.hop.end))")
        return parts.joined(separator: ", ")
    }

    private static func seconds(_ microseconds: Int64) -> String {
        "\(decimal(microseconds).dropLast(3)) s"
    }

    /// A date in the format of the member `time`.
    private static func date(_ date: Date?) -> EventValue {
        .plain(date.map { EventMoment($0).timestamp })
    }
}
