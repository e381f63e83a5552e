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
    private static func transaction(_ one: URLSessionTaskTransactionMetrics) -> EventValue {
        func text(_ text: String?) -> EventValue { text.map(EventValue.plain) ?? .none }
        func port(_ port: Int?) -> EventValue { port.map { .number(Int64($0)) } ?? .none }
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
            "networkProtocolName": text(one.networkProtocolName),
            "isProxyConnection": .flag(one.isProxyConnection),
            "isReusedConnection": .flag(one.isReusedConnection),
            "localAddress": text(one.localAddress),
            "localPort": port(one.localPort),
            "remoteAddress": text(one.remoteAddress),
            "remotePort": port(one.remotePort),
            "negotiatedTLSProtocolVersion": text(one.negotiatedTLSProtocolVersion.map { "\($0)" }),
            "negotiatedTLSCipherSuite": text(one.negotiatedTLSCipherSuite?.description),
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
        date.map { .plain(EventMoment($0).timestamp) } ?? .none
    }
}
