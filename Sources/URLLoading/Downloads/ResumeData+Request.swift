import FoundationEssentials

extension ResumeData {
    /// What it takes to go on with the body of an answer; `nil` where that could not be done for
    /// certain: without a strong validator, or where the server says that it sends no ranges.
    init?(_ request: URLRequest, _ fields: HTTPHeaderFields, totalBytes: Int64?) {
        guard let url = Self.address(of: request), let validator = EntityValidator(fields),
            fields.first("Accept-Ranges")?.asciiLowercased != "none"
        else { return nil }
        self.init(
            url: url,
            fields: request.headerFields.fields.filter { !RedirectPolicy.isCredential($0.name) },
            validator: validator,
            receivedBytes: 0,
            totalBytes: totalBytes,
            file: .temporary(""),
            identity: nil
        )
    }

    /// A request's URL as resume data has it: without user, password and fragment.
    package static func address(of request: URLRequest) -> String? {
        guard let url = request.url else { return nil }
        let text = url.absoluteString
        if PlainURL(text) != nil { return text }
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
            return nil
        }
        parts.percentEncodedUser = nil
        parts.percentEncodedPassword = nil
        parts.fragment = nil
        return parts.string
    }

    /// Whether it speaks of what a URL names, as ``address(of:)`` has it.
    ///
    /// A link that is signed for a time has another query each time. Under a strong tag, by which the
    /// rest is asked for, that makes no difference.
    package func isOf(_ other: String) -> Bool {
        if url.utf8.elementsEqual(other.utf8) { return true }
        guard case .entityTag? = validator else { return false }
        return Self.withoutQuery(url).elementsEqual(Self.withoutQuery(other))
    }

    private static func withoutQuery(_ url: String) -> Substring.UTF8View {
        url.utf8.prefix { $0 != UInt8(ascii: "?") }
    }

    /// The request that it was made from, without what it leaves out.
    var request: URLRequest? {
        guard let url = URL(string: url) else { return nil }
        var request = URLRequest(url: url)
        for field in fields { request.headerFields.add(field.value, to: field.name) }
        return request
    }
}

extension URLRequest {
    /// The request without the questions that are answered by there being a body: the rest of that
    /// is asked for without them.
    var withoutAnsweredConditions: URLRequest {
        var request = self
        for name in ["If-None-Match", "If-Modified-Since"] { request.headerFields[name] = nil }
        return request
    }

    /// Whether the answer, as a file, could be continued by asking for its rest: a plain GET for
    /// the whole of something.
    var isContinuable: Bool {
        let conditions = [
            "Range", "If-Range", "If-Match", "If-None-Match", "If-Modified-Since",
            "If-Unmodified-Since",
        ]
        return (httpMethod ?? "GET") == "GET" && httpBody == nil && httpBodyStream == nil
            && httpRequestTarget == nil && conditions.allSatisfy { headerFields[$0] == nil }
    }
}
