import FoundationEssentials
import URLLoading

// Answers, requests and errors, their members under the names of their properties.
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

    /// In their order, since a name may stand more than once.
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
