import FoundationEssentials
import URLLoading

/// A request and its answer, as [HAR 1.2](http://www.softwareishard.com/blog/har-12-spec/) has them.
///
/// No credential is in it, and no body: of bodies it has the sizes.
enum HAREntry {
    static func value(
        _ transaction: URLSessionTaskTransactionMetrics,
        task: Int
    ) -> EventValue {
        let hop = transaction.hop
        let isSecure = transaction.request.url?.scheme?.lowercased() == "https"
        let timings = HARTimings(hop, isSecure: isSecure)
        var members = [
            EventMember(
                "startedDateTime",
                .plain(EventMoment(wall: hop.begun, monotonic: 0).timestamp)
            ),
            EventMember("time", .milliseconds(microseconds: timings.total)),
            EventMember("request", request(transaction.request, hop)),
            EventMember("response", response(transaction)),
            EventMember("cache", .object([], summary: "")),
            EventMember("timings", value(timings)),
        ]
        if let address = hop.remoteAddress {
            members.append(EventMember("serverIPAddress", .plain(address)))
        }
        if let port = hop.localPort { members.append(EventMember("connection", .plain("\(port)"))) }
        members.append(EventMember("_task", .number(Int64(task))))
        if hop.fetchType == .localCache {
            members.append(EventMember("_fromCache", .plain("disk")))
        }
        if let error = transaction.error {
            let words = error.code.redacted(error.description)
            members.append(EventMember("_error", .text(words)))
        }
        return .object(members, summary: "")
    }

    private static func request(_ request: URLRequest, _ hop: HopMetrics) -> EventValue {
        let sent = Int64(hop.requestHead.count)
        var members = [
            EventMember("method", .text(request.httpMethod ?? "GET")),
            EventMember("url", .text(request.url?.absoluteString ?? "")),
            EventMember("httpVersion", .plain(version(hop))),
            EventMember("cookies", HARCookie.sent(request.headerFields)),
            EventMember("headers", .fields(request.headerFields)),
            EventMember("queryString", query(of: request.url)),
        ]
        if hop.requestBodyBytesBeforeEncoding > 0 {
            let type = request.headerFields["Content-Type"] ?? ""
            members.append(
                EventMember(
                    "postData",
                    .object(
                        [
                            EventMember("mimeType", .text(type)), EventMember("params", .list([])),
                            EventMember("text", .plain("")),
                            EventMember("comment", .plain("the body is not kept")),
                        ],
                        summary: ""
                    )
                )
            )
        }
        members += [
            EventMember("headersSize", .number(sent > 0 ? sent : -1)),
            EventMember("bodySize", .number(hop.requestBodyBytesBeforeEncoding)),
        ]
        return .object(members, summary: "")
    }

    private static func response(_ transaction: URLSessionTaskTransactionMetrics) -> EventValue {
        let hop = transaction.hop
        let response = transaction.response as? HTTPURLResponse
        let fields = response?.headerFields ?? HTTPHeaderFields()
        let isKnown = transaction.response != nil
        let sizes = (came: hop.responseBodyBytes, decoded: hop.responseBodyBytesAfterDecoding)
        var content = [
            EventMember("size", .number(sizes.decoded)),
            EventMember("mimeType", .text(fields["Content-Type"] ?? "x-unknown")),
        ]
        if hop.fetchType == .networkLoad, sizes.came != sizes.decoded {
            content.append(EventMember("compression", .number(sizes.decoded - sizes.came)))
        }
        let members = [
            EventMember("status", .number(Int64(response?.statusCode ?? 0))),
            EventMember("statusText", .text(response?.reasonPhrase ?? "")),
            EventMember("httpVersion", .text(response?.httpVersion ?? version(hop))),
            EventMember("cookies", HARCookie.received(fields)),
            EventMember("headers", .fields(fields)),
            EventMember("content", .object(content, summary: "")),
            EventMember("redirectURL", .text(fields.first("Location") ?? "")),
            EventMember(
                "headersSize",
                .number(isKnown && hop.responseHeadBytes > 0 ? hop.responseHeadBytes : -1)
            ),
            EventMember("bodySize", .number(isKnown ? sizes.came : -1)),
        ]
        return .object(members, summary: "")
    }

    private static func version(_ hop: HopMetrics) -> String {
        switch hop.networkProtocolName {
        case "h2": "HTTP/2"
        case let name?: name.uppercased()
        case nil: "unknown"
        }
    }

    /// The query's parts, percent-decoded where that gives text.
    private static func query(of url: URL?) -> EventValue {
        let text = url?.query(percentEncoded: true) ?? ""
        return .list(
            text.split(byte: UInt8(ascii: "&")).map { part in
                let pair = part.split(atFirst: UInt8(ascii: "="))
                func decoded(_ text: Substring) -> EventValue {
                    .text(PercentCoding.decode(text) ?? String(text))
                }
                return .object(
                    [
                        EventMember("name", decoded(pair?.before ?? part)),
                        EventMember("value", decoded(pair?.after ?? "")),
                    ],
                    summary: ""
                )
            }
        )
    }

    private static func value(_ timings: HARTimings) -> EventValue {
        func member(_ label: String, _ time: Int64?) -> EventMember {
            EventMember(label, time.map { .milliseconds(microseconds: $0) } ?? .number(-1))
        }
        return .object(
            [
                member("blocked", timings.blocked), member("dns", timings.nameLookup),
                member("connect", timings.connect), member("ssl", timings.secureConnect),
                member("send", timings.send), member("wait", timings.wait),
                member("receive", timings.receive),
            ],
            summary: ""
        )
    }
}
