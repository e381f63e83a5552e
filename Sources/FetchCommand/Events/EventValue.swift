import FoundationEssentials
import URLLoading

/// A value of an event, with a text form and a JSON form.
enum EventValue: Sendable {
    case none
    case number(Int64)
    /// Bytes since the previous call; merged calls add them.
    case amount(Int64)
    /// A time in seconds, written with six decimals.
    case seconds(microseconds: Int64)
    /// A time in milliseconds, written with three decimals.
    case milliseconds(microseconds: Int64)
    /// Text from any source; users and passwords in URLs are removed when it is written.
    case text(String)
    /// Text without secrets: the command's own, or a path of this machine.
    case plain(String)
    case flag(Bool)
    case list([EventValue])
    /// A list whose text form has one line for each value.
    case lines([EventValue])
    /// An object with members; `summary` is its text form, which has no secrets.
    case object([EventMember], summary: String)

    /// The value as text, without secrets, but possibly with control characters.
    var text: String {
        switch self {
        case .none: "nil"
        case .number(let number), .amount(let number): "\(number)"
        case .seconds(let microseconds): Self.decimal(microseconds)
        case .milliseconds(let microseconds): Self.decimal(microseconds, per: 1_000)
        case .text(let text): UserInfo.redacted(in: text)
        case .plain(let text): text
        case .flag(let flag): "\(flag)"
        case .list(let values), .lines(let values): values.map(\.text).joined(separator: ", ")
        case .object(_, let summary): summary
        }
    }

    /// Converts microseconds to seconds, as `12.000345`, or to a unit of that many microseconds.
    static func decimal(_ microseconds: Int64, per unit: Int64 = 1_000_000) -> String {
        let digits = String(unit + microseconds % unit).dropFirst()
        return "\(microseconds / unit).\(digits)"
    }
}

extension EventValue: ExpressibleByDictionaryLiteral {
    /// An object that has only a JSON form.
    init(dictionaryLiteral members: (String, EventValue)...) {
        self = .object(members.map { EventMember($0, $1) }, summary: "")
    }
}

struct EventMember: Sendable {
    let label: String
    var value: EventValue

    init(_ label: String, _ value: EventValue) {
        self.label = label
        self.value = value
    }
}

// Responses, requests and errors; their members have the names of the library's properties.
extension EventValue {
    static func response(_ response: URLResponse) -> EventValue {
        let url = EventMember("url", .url(response.url))
        let length = EventMember("expectedContentLength", .number(response.expectedContentLength))
        guard let response = response as? HTTPURLResponse else {
            return .object([url, length], summary: response.mimeType ?? "")
        }
        let age = response.storedAge.map { EventMember("storedAge", .integer($0)) }
        return .object(
            [
                url,
                EventMember("statusCode", .integer(response.statusCode)),
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

    /// The error by its code, name and message; JSON `null` for `nil`.
    static func error(_ error: (any Error)?) -> EventValue {
        guard let error else { return .none }
        let failure = error as? URLError ?? URLError(.unknown, detail: "\(error)")
        return .object(
            [
                EventMember("code", .integer(failure.errorCode)),
                EventMember("name", .text("\(failure.code)")),
                EventMember("message", .plain(failure.code.redacted(failure.localizedDescription))),
                EventMember("failingURL", .url(failure.failingURL)),
            ],
            summary: failure.code.redacted(failure.description)
        )
    }

    static func text(_ text: String?) -> EventValue { text.map { .text($0) } ?? .none }

    static func plain(_ text: String?) -> EventValue { text.map { .plain($0) } ?? .none }

    static func integer(_ number: Int?) -> EventValue { number.map { .number(Int64($0)) } ?? .none }

    static func url(_ url: URL?) -> EventValue { .text(url?.absoluteString) }

    /// The fields in their order, as a list, because a name may occur more than once.
    static func fields(_ header: HTTPHeaderFields) -> EventValue {
        .list(
            header.fields.map { field in
                let value = field.shownValue
                return .object(
                    [EventMember("name", .text(field.name)), EventMember("value", .text(value))],
                    summary: "\(field.name): \(value)"
                )
            }
        )
    }
}
