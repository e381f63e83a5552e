import FoundationEssentials

/// A request as it is written down: all that is sent, secrets too, since it may have to be sent again
/// by a process that nobody can ask.
struct StoredRequest: Codable, Hashable, Sendable {
    var url: String
    var method: String?
    /// Names and values.
    var fields: [[String]]
    /// The idle time-out, microseconds; 0: none; `nil`: the session's.
    var timeout: Int64?
    var handlesCookies: Bool

    /// Writes a request down; `nil` where it has no URL.
    init?(_ request: URLRequest) {
        guard let url = request.url?.absoluteString else { return nil }
        self.url = url
        method = request.ownMethod
        fields = request.headerFields.fields.map { [$0.name, $0.value] }
        handlesCookies = request.httpShouldHandleCookies
        timeout = request.ownTimeout.map { own in
            Duration(timeout: own).map { Int64($0 / .microseconds(1)) } ?? 0
        }
    }

    /// The request; `nil` where what was written down is none.
    var request: URLRequest? {
        guard let url = URL(string: url) else { return nil }
        var request = URLRequest(url: url)
        request.httpMethod = method
        for field in fields {
            guard field.count == 2 else { return nil }
            request.headerFields.add(field[1], to: field[0])
        }
        request.httpShouldHandleCookies = handlesCookies
        if let timeout { request.timeoutInterval = Double(timeout) / 1e6 }
        return request
    }
}
