import FoundationEssentials
import URLLoading

extension EventValue {
    static func metrics(_ metrics: URLSessionTaskMetrics) -> KeyValuePairs<String, EventValue> {
        let duration = Int64(clamping: metrics.taskInterval.duration * 1e6)
        return [
            "taskDuration": .seconds(microseconds: duration),
            "redirectCount": .number(Int64(metrics.redirectCount)),
            "taskStartDate": .date(metrics.taskInterval.start),
            "transactionMetrics": .lines(metrics.transactionMetrics.map(EventValue.transaction)),
        ]
    }

    /// The metrics of a request and its response; members have the names of the properties.
    private static func transaction(
        _ transaction: URLSessionTaskTransactionMetrics
    ) -> EventValue {
        .object(
            messages(transaction) + moments(transaction) + connection(transaction)
                + counts(transaction),
            summary: summary(transaction)
        )
    }

    private static func messages(_ one: URLSessionTaskTransactionMetrics) -> [EventMember] {
        [
            EventMember("request", .request(one.request)),
            EventMember("response", one.response.map(EventValue.response) ?? .none),
            EventMember("resourceFetchType", .plain("\(one.resourceFetchType)")),
        ]
    }

    private static func moments(_ one: URLSessionTaskTransactionMetrics) -> [EventMember] {
        [
            EventMember("fetchStartDate", .date(one.fetchStartDate)),
            EventMember("domainLookupStartDate", .date(one.domainLookupStartDate)),
            EventMember("domainLookupEndDate", .date(one.domainLookupEndDate)),
            EventMember("connectStartDate", .date(one.connectStartDate)),
            EventMember("secureConnectionStartDate", .date(one.secureConnectionStartDate)),
            EventMember("secureConnectionEndDate", .date(one.secureConnectionEndDate)),
            EventMember("connectEndDate", .date(one.connectEndDate)),
            EventMember("requestStartDate", .date(one.requestStartDate)),
            EventMember("requestEndDate", .date(one.requestEndDate)),
            EventMember("responseStartDate", .date(one.responseStartDate)),
            EventMember("responseEndDate", .date(one.responseEndDate)),
        ]
    }

    private static func connection(_ one: URLSessionTaskTransactionMetrics) -> [EventMember] {
        func text(_ text: String?) -> EventValue { text.map(EventValue.plain) ?? .none }
        func port(_ port: Int?) -> EventValue { port.map { .number(Int64($0)) } ?? .none }
        return [
            EventMember("networkProtocolName", text(one.networkProtocolName)),
            EventMember("isProxyConnection", .flag(one.isProxyConnection)),
            EventMember("isReusedConnection", .flag(one.isReusedConnection)),
            EventMember("localAddress", text(one.localAddress)),
            EventMember("localPort", port(one.localPort)),
            EventMember("remoteAddress", text(one.remoteAddress)),
            EventMember("remotePort", port(one.remotePort)),
            EventMember(
                "negotiatedTLSProtocolVersion",
                text(one.negotiatedTLSProtocolVersion.map { "\($0)" })
            ),
            EventMember(
                "negotiatedTLSCipherSuite",
                text(one.negotiatedTLSCipherSuite?.description)
            ),
        ]
    }

    private static func counts(_ one: URLSessionTaskTransactionMetrics) -> [EventMember] {
        [
            EventMember(
                "countOfRequestHeaderBytesSent",
                .number(one.countOfRequestHeaderBytesSent)
            ),
            EventMember("countOfRequestBodyBytesSent", .number(one.countOfRequestBodyBytesSent)),
            EventMember(
                "countOfRequestBodyBytesBeforeEncoding",
                .number(one.countOfRequestBodyBytesBeforeEncoding)
            ),
            EventMember(
                "countOfResponseHeaderBytesReceived",
                .number(one.countOfResponseHeaderBytesReceived)
            ),
            EventMember(
                "countOfResponseBodyBytesReceived",
                .number(one.countOfResponseBodyBytesReceived)
            ),
            EventMember(
                "countOfResponseBodyBytesAfterDecoding",
                .number(one.countOfResponseBodyBytesAfterDecoding)
            ),
        ]
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
        date.map { .plain(EventMoment($0).timestamp) } ?? .none
    }
}
