import FoundationEssentials
import URLLoading

/// A request and its response as an entry of [HAR
/// 1.2](http://www.softwareishard.com/blog/har-12-spec/).
///
/// It has no credentials, and of bodies only the sizes.
enum HAREntry {
    static func value(_ transaction: URLSessionTaskTransactionMetrics, task: Int) -> EventValue {
        let hop = transaction.hop
        let isSecure = transaction.request.url?.scheme?.lowercased() == "https"
        let timings = HARTimings(hop, isSecure: isSecure)
        let begun = EventMoment(wall: hop.begun)
        return object([
            "startedDateTime": .plain(begun.timestamp),
            "time": .milliseconds(microseconds: timings.total),
            "request": request(transaction.request, hop),
            "response": response(transaction),
            "cache": [:],
            "timings": value(timings),
            "serverIPAddress": hop.remoteAddress.map { .plain($0) },
            "connection": hop.localPort.map { .plain("\($0)") },
            "_task": .integer(task),
            "_fromCache": hop.resourceFetchType == .localCache ? .plain("disk") : nil,
            "_error": transaction.error.map { .text($0.code.redacted($0.description)) },
        ])
    }

    /// An object with the members that apply.
    fileprivate static func object(_ members: KeyValuePairs<String, EventValue?>) -> EventValue {
        let known = members.compactMap { name, value in value.map { EventMember(name, $0) } }
        return .object(known, summary: "")
    }

    private static func request(_ request: URLRequest, _ hop: HopMetrics) -> EventValue {
        let sent = Int64(hop.requestHead.count)
        let body: EventValue = [
            "mimeType": .text(request.headerFields["Content-Type"] ?? ""), "params": .list([]),
            "text": .plain(""), "comment": .plain("the body is not kept"),
        ]
        return object([
            "method": .text(request.httpMethod ?? "GET"),
            "url": .text(request.url?.absoluteString ?? ""),
            "httpVersion": .plain(version(hop)),
            "cookies": HARCookie.sent(request.headerFields),
            "headers": .fields(request.headerFields),
            "queryString": query(of: request.url),
            "postData": hop.requestBodyBytesBeforeEncoding > 0 ? body : nil,
            "headersSize": .number(sent > 0 ? sent : -1),
            "bodySize": .number(hop.requestBodyBytesBeforeEncoding),
        ])
    }

    private static func response(_ transaction: URLSessionTaskTransactionMetrics) -> EventValue {
        let hop = transaction.hop
        let response = transaction.response as? HTTPURLResponse
        let fields = response?.headerFields ?? HTTPHeaderFields()
        let isKnown = transaction.response != nil
        let sizes = (came: hop.responseBodyBytes, decoded: hop.responseBodyBytesAfterDecoding)
        let isCompressed = hop.resourceFetchType == .networkLoad && sizes.came != sizes.decoded
        let content = object([
            "size": .number(sizes.decoded),
            "mimeType": .text(fields["Content-Type"] ?? "x-unknown"),
            "compression": isCompressed ? .number(sizes.decoded - sizes.came) : nil,
        ])
        return [
            "status": .integer(response?.statusCode ?? 0),
            "statusText": .text(response?.reasonPhrase ?? ""),
            "httpVersion": .text(response?.httpVersion ?? version(hop)),
            "cookies": HARCookie.received(fields),
            "headers": .fields(fields),
            "content": content,
            "redirectURL": .text(fields.first("Location") ?? ""),
            "headersSize": .number(
                isKnown && hop.responseHeadBytes > 0 ? hop.responseHeadBytes : -1
            ),
            "bodySize": .number(isKnown ? sizes.came : -1),
        ]
    }

    private static func version(_ hop: HopMetrics) -> String {
        switch hop.networkProtocolName {
        case "h2": "HTTP/2"
        case let name?: name.uppercased()
        case nil: "unknown"
        }
    }

    /// The query's parameters, percent-decoded if the result is UTF-8.
    private static func query(of url: URL?) -> EventValue {
        let text = url?.query(percentEncoded: true) ?? ""
        return .list(
            text.split(byte: UInt8(ascii: "&")).map { part in
                let pair = part.split(atFirst: UInt8(ascii: "="))
                func decoded(_ text: Substring) -> EventValue {
                    .text(PercentCoding.decode(text) ?? String(text))
                }
                return ["name": decoded(pair?.before ?? part), "value": decoded(pair?.after ?? "")]
            }
        )
    }

    private static func value(_ timings: HARTimings) -> EventValue {
        func time(_ time: Int64?) -> EventValue {
            time.map { .milliseconds(microseconds: $0) } ?? .number(-1)
        }
        return [
            "blocked": time(timings.blocked), "dns": time(timings.nameLookup),
            "connect": time(timings.connect), "ssl": time(timings.secureConnect),
            "send": time(timings.send), "wait": time(timings.wait),
            "receive": time(timings.receive),
        ]
    }
}

/// The phases of a request and its response, in microseconds; `nil` for a phase that did not occur.
///
/// The phases are contiguous, so they add up to the total. A failed phase lasts until the failure,
/// and later phases do not occur.
struct HARTimings: Equatable {
    /// The time before the name look-up, and between the connection and the request.
    let blocked: Int64
    let nameLookup: Int64?
    /// Includes the TLS handshake, as HAR 1.2 specifies.
    let connect: Int64?
    let secureConnect: Int64?
    let send: Int64
    let wait: Int64
    let receive: Int64

    var total: Int64 { blocked + (nameLookup ?? 0) + (connect ?? 0) + send + wait + receive }

    init(_ hop: HopMetrics, isSecure: Bool) {
        let isSent = hop.resourceFetchType == .networkLoad
        let isNew = isSent && !hop.isReusedConnection
        var clock = Clock(hop)
        nameLookup = isNew ? clock.phase(until: hop.nameLookup) : nil
        let plain = isNew ? clock.phase(until: hop.connect) : nil
        secureConnect = isNew && isSecure ? clock.phase(until: hop.secureConnect) : nil
        let secure = secureConnect ?? 0
        connect = plain.map { $0 + secure }
        let waited = hop.waited + (isSent ? clock.phase(until: hop.requestStart) ?? 0 : 0)
        blocked = waited
        send = isSent ? clock.phase(until: hop.requestEnd) ?? 0 : 0
        wait = clock.phase(until: hop.responseStart) ?? 0
        receive = clock.phase(until: hop.end) ?? 0
    }

    /// Iterates over the hop's times, up to the last one that was reached.
    private struct Clock {
        private let end: Int64
        /// The last time reached before the end.
        private let furthest: Int64
        private var now: Int64 = 0
        private var isOver = false

        init(_ hop: HopMetrics) {
            end = hop.end
            furthest = [
                hop.nameLookup, hop.connect, hop.secureConnect, hop.requestStart, hop.requestEnd,
                hop.responseStart,
            ].reduce(0, max)
        }

        /// - Parameter moment: the phase's end; 0 if it was not reached, or not recorded.
        /// - Returns: the phase's duration; `nil` if the hop ended before it.
        mutating func phase(until moment: Int64) -> Int64? {
            guard !isOver else { return nil }
            if moment == 0, now < furthest { return 0 }
            isOver = moment == 0
            let before = now
            now = moment == 0 ? end : max(now, min(moment, end))
            return now - before
        }
    }
}

/// A cookie of a request or a response, as HAR 1.2 describes it, without its value.
enum HARCookie {
    /// The cookies of `Cookie` ([RFC 6265
    /// §4.2](https://www.rfc-editor.org/rfc/rfc6265#section-4.2)).
    static func sent(_ fields: HTTPHeaderFields) -> EventValue {
        let pairs = fields["Cookie"]?.split(byte: UInt8(ascii: ";")) ?? []
        return .list(pairs.map { object(SetCookieField($0)) })
    }

    /// The cookies of the `Set-Cookie` fields, with their attributes ([RFC 6265
    /// §4.1](https://www.rfc-editor.org/rfc/rfc6265#section-4.1)).
    static func received(_ fields: HTTPHeaderFields) -> EventValue {
        let texts = fields.fields.filter { HTTPHeaderFields.areSame($0.name, "Set-Cookie") }
        return .list(texts.map { object(SetCookieField($0.value[...])) })
    }

    private static func object(_ cookie: SetCookieField) -> EventValue {
        let attributes = cookie.attributes
        let end = attributes["expires"].flatMap(CookieDate.seconds).map { seconds in
            EventMoment(Date(timeIntervalSince1970: TimeInterval(seconds)))
        }
        return HAREntry.object([
            "name": .text(cookie.name),
            "value": .plain(Redaction.placeholder),
            "path": attributes["path"].map { .text($0) },
            "domain": attributes["domain"].map { .text($0) },
            "secure": attributes["secure"].map { _ in .flag(true) },
            "httpOnly": attributes["httponly"].map { _ in .flag(true) },
            "expires": end.map { .plain($0.timestamp) },
        ])
    }
}
