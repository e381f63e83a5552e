import FoundationEssentials

/// A request as it is written down: all that is sent, secrets too, since it may have to be sent again
/// by a process whose program has ended.
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

/// A response's head as it is stored.
struct StoredResponse: Codable, Hashable, Sendable {
    /// Where it came from, behind all redirects.
    var url: String
    var status: Int
    var httpVersion: String?
    /// Names and values.
    var fields: [[String]]
}

extension StoredResponse {
    /// Whether its status is that of an error.
    var isError: Bool { status >= 400 }
}

extension StoredResponse {
    /// The response as a program sees it; `nil` where what was stored is none.
    var urlResponse: HTTPURLResponse? {
        guard let url = URL(string: url) else { return nil }
        var header = HTTPHeaderFields()
        for field in fields where field.count == 2 { header.add(field[1], to: field[0]) }
        return HTTPURLResponse(
            url: url,
            statusCode: status,
            httpVersion: httpVersion,
            headerFields: header
        )
    }
}

extension StoredResponse {
    /// When what was sent was last changed, seconds since 1970, as the server says.
    var lastModified: Int64? {
        let field = fields.last {
            $0.count == 2 && HTTPHeaderFields.areSame($0[0], "Last-Modified")
        }
        return field.flatMap { HTTPDate.seconds($0[1]) }.map(Int64.init)
    }

    /// Records a response's head.
    init(_ response: HTTPURLResponse) {
        self.init(
            url: response.url?.absoluteString ?? "",
            status: response.statusCode,
            httpVersion: response.httpVersion,
            fields: response.headerFields.fields.map { [$0.name, $0.value] }
        )
    }
}

/// An error as it is written down.
struct StoredError: Codable, Hashable, Error {
    /// Foundation's number.
    var code: Int
    var detail: String
    var url: String?
    /// What it takes to continue the download, where that can be done.
    var resumeData: Data?

    init(_ error: URLError) {
        code = error.errorCode
        detail = error.detail
        url = error.failingURL?.absoluteString
        resumeData = error.downloadTaskResumeData
    }

    /// The error; a code that this build does not know keeps its number.
    var urlError: URLError {
        var error = URLError(
            URLError.Code(rawValue: code),
            detail: detail,
            failingURL: url.flatMap { URL(string: $0) }
        )
        error.downloadTaskResumeData = resumeData
        return error
    }
}
