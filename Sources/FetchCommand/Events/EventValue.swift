import FoundationEssentials
import URLLoading

/// A value of an event, for text and for JSON.
enum EventValue: Sendable {
    case none
    case number(Int64)
    /// Bytes since the call before; those of several calls add up.
    case amount(Int64)
    /// A time in seconds, six digits behind the point.
    case seconds(microseconds: Int64)
    /// A time in milliseconds, three digits behind the point.
    case milliseconds(microseconds: Int64)
    /// Text from any source.
    ///
    /// Users and passwords of URLs are removed when it is written.
    case text(String)
    /// Text without secrets: our own, or a path of this machine.
    case plain(String)
    case flag(Bool)
    case list([EventValue])
    /// The same, each on a line of its own where it is for people.
    case lines([EventValue])
    /// An object with members; `summary` is its text form, without secrets.
    case object([EventMember], summary: String)

    /// The value as text, without secrets, but with control characters.
    var text: String {
        switch self {
        case .none: "nil"
        case .number(let number), .amount(let number): "\(number)"
        case .seconds(let microseconds): Self.decimal(microseconds)
        case .milliseconds(let microseconds): Self.decimal(milli: microseconds)
        case .text(let text): UserInfo.redacted(in: text)
        case .plain(let text): text
        case .flag(let flag): "\(flag)"
        case .list(let values), .lines(let values): values.map(\.text).joined(separator: ", ")
        case .object(_, let summary): summary
        }
    }

    /// Microseconds as seconds: `12.000345`.
    static func decimal(_ microseconds: Int64) -> String {
        let digits = String(1_000_000 + microseconds % 1_000_000).dropFirst()
        return "\(microseconds / 1_000_000).\(digits)"
    }

    /// Microseconds as milliseconds: `12.345`.
    private static func decimal(milli microseconds: Int64) -> String {
        let digits = String(1_000 + microseconds % 1_000).dropFirst()
        return "\(microseconds / 1_000).\(digits)"
    }
}

extension EventValue: ExpressibleByDictionaryLiteral {
    /// An object that is written as JSON alone.
    init(dictionaryLiteral members: (String, EventValue)...) {
        self = .object(members.map { EventMember($0, $1) }, summary: "")
    }
}

/// A value under its label.
struct EventMember: Sendable {
    let label: String
    var value: EventValue

    init(_ label: String, _ value: EventValue) {
        self.label = label
        self.value = value
    }
}

// Responses, requests and errors, their members under the names of their properties.
extension EventValue {
    static func response(_ response: URLResponse) -> EventValue {
        let url = EventMember("url", .url(response.url))
        let length = EventMember("expectedContentLength", .number(response.expectedContentLength))
        guard let response = response as? HTTPURLResponse else {
            return .object([url, length], summary: response.mimeType ?? "")
        }
        let age = response.storedAge.map { EventMember("storedAge", .number(Int64($0))) }
        return .object(
            [
                url,
                EventMember("statusCode", .number(Int64(response.statusCode))),
                EventMember("httpVersion", .text(response.httpVersion)),
                EventMember("reasonPhrase", .text(response.reasonPhrase)),
                length,
                EventMember("headerFields", .fields(response.headerFields)),
            ] + [age].compactMap(\.self),
            summary: UserInfo.redacted(in: HeadText.statusLine(response))
        )
    }

    static func request(_ request: URLRequest) -> EventValue {
        let method = request.httpMethod ?? "GET"
        let url = request.url
        return .object(
            [
                EventMember("url", .url(url)),
                EventMember("httpMethod", .text(method)),
                EventMember("headerFields", .fields(request.headerFields)),
            ],
            summary: "\(method) \(UserInfo.redacted(in: url?.absoluteString ?? ""))"
        )
    }

    /// `nil`, or the error by its name and number.
    static func error(_ error: (any Error)?) -> EventValue {
        guard let error else { return .none }
        let failure = error as? URLError ?? URLError(.unknown, detail: "\(error)")
        return .object(
            [
                EventMember("code", .number(Int64(failure.errorCode))),
                EventMember("name", .text("\(failure.code)")),
                EventMember("message", .plain(failure.code.redacted(failure.localizedDescription))),
                EventMember("failingURL", .url(failure.failingURL)),
            ],
            summary: failure.code.redacted(failure.description)
        )
    }

    static func url(_ url: URL?) -> EventValue {
        url.map { .text($0.absoluteString) } ?? .none
    }

    /// In their order, since a name may occur more than once.
    static func fields(_ header: HTTPHeaderFields) -> EventValue {
        .list(
            header.fields.map { field in
                let isSecret = Redaction.isSecret(header: field.name)
                let value =
                    isSecret ? Redaction.placeholder : UserInfo.redacted(in: field.value)
                return .object(
                    [
                        EventMember("name", .text(field.name)),
                        EventMember("value", .text(value)),
                    ],
                    summary: "\(field.name): \(value)"
                )
            }
        )
    }
}
