/// The head of an answer as it is written down.
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
