import FoundationEssentials

/// The content of a credential file: JSON, and versioned.
///
///     {
///       "credentials" : [
///         {
///           "key" : {
///             "host" : "h.example", "port" : 443, "protocol" : "https", "realm" : "r",
///             "method" : "NSURLAuthenticationMethodHTTPBasic"
///           },
///           "password" : "…", "user" : "…"
///         }
///       ],
///       "format" : "URLLoading credentials", "version" : 1
///     }
///
/// The credential that was saved last stands first.
struct CredentialList: Sendable, Equatable {
    /// The version that is written, and the only one that is read.
    static let version = 1
    private static let format = "URLLoading credentials"

    private(set) var credentials: [StoredCredential] = []

    init() {}

    private struct Header: Codable {
        var format: String
        var version: Int
    }

    private struct Body: Codable {
        var format = CredentialList.format
        var version = CredentialList.version
        var credentials: [Entry]
    }

    private struct Entry: Codable {
        var key: CredentialKey
        var user: String
        var password: String
    }

    /// What is wrong with a content, in words without the content's.
    struct Flaw: Error {
        let words: String
    }

    /// Reads the content.
    init(_ data: Data) throws(Flaw) {
        let decoder = JSONDecoder()
        guard let header = try? decoder.decode(Header.self, from: data),
            header.format == Self.format
        else { throw Flaw(words: "it is not this library's") }
        guard header.version == Self.version else {
            throw Flaw(words: "it is of version \(header.version), and \(Self.version) is known")
        }
        guard let body = try? decoder.decode(Body.self, from: data) else {
            throw Flaw(words: "something in it is missing, or of the wrong kind")
        }
        credentials = body.credentials.map {
            StoredCredential(key: $0.key, user: $0.user, password: Secret($0.password))
        }
    }

    /// The content to write.
    func encoded() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        let entries = credentials.map {
            Entry(key: $0.key, user: $0.user, password: $0.password.text)
        }
        return try encoder.encode(Body(credentials: entries)) + Data("\n".utf8)
    }

    /// Puts a credential first, in the place of its user's for the same key.
    mutating func save(_ credential: StoredCredential) {
        _ = remove(user: credential.user, for: credential.key)
        credentials.insert(credential, at: 0)
    }

    /// Whether there was one.
    mutating func remove(user: String, for key: CredentialKey) -> Bool {
        let count = credentials.count
        credentials.removeAll { $0.user.hasBytes(of: user) && $0.key == key }
        return credentials.count < count
    }
}
