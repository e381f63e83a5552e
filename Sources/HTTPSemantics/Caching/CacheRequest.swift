import FoundationEssentials

/// The key of a stored response: scheme, host, port, path and query of a URL, and its user.
///
/// Fragment, user and password of the URL are not part of it. All stored responses are for GET (and
/// HEAD), so the method is not part of it either.
public struct CacheKey: Sendable, Hashable {
    /// The URL in its normal form.
    public let url: String
    /// A digest of the request's credential; `nil` if it had none.
    ///
    /// This exceeds RFC 9111, which lets a private cache serve one user's responses to another. Here a
    /// command line may name both users.
    public let credential: String?

    /// Parses an absolute URL; `nil` if its scheme is not HTTP or HTTPS, or its port is no number.
    public init?(_ url: String, credential: String? = nil) {
        let bytes = url.utf8
        let scheme = Substring(bytes.prefix { $0 != UInt8(ascii: ":") }).asciiLowercased
        guard scheme == "http" || scheme == "https",
            bytes.dropFirst(scheme.utf8.count).starts(with: "://".utf8)
        else { return nil }
        let rest = bytes.dropFirst(scheme.utf8.count + 3).prefix { $0 != UInt8(ascii: "#") }
        let end =
            rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
        var authority = rest[..<end]
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
            authority = authority[at...].dropFirst()
        }
        // A colon in brackets is of an IPv6 address.
        let host = authority.lastIndex(of: UInt8(ascii: "]")) ?? authority.startIndex
        if let colon = authority[host...].firstIndex(of: UInt8(ascii: ":")) {
            let port = authority[colon...].dropFirst()
            guard port.allSatisfy(\.isDigit) else { return nil }
            let standard = scheme == "https" ? "443" : "80"
            if port.isEmpty || Substring(port).hasBytes(of: standard) {
                authority = authority[..<colon]
            }
        }
        guard !authority.isEmpty else { return nil }
        let path = Substring(rest[end...])
        let slash = path.startsWithBytes(of: "/") ? "" : "/"
        self.url = "\(scheme)://\(Substring(authority).asciiLowercased)\(slash)\(path)"
        self.credential = credential
    }

    /// Whether both keys have the same bytes.
    public static func == (one: CacheKey, other: CacheKey) -> Bool {
        one.url.hasBytes(of: other.url) && one.credential == other.credential
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ExactText(url))
        hasher.combine(credential)
    }
}

/// The parts of a request that matter to a cache.
public struct CacheRequest: Sendable {
    /// The key of the response.
    public let key: CacheKey
    /// The method, as we send it.
    public let method: String
    /// The request's fields.
    public let fields: HTTPHeaderFields

    /// Takes the parts of a request that matter to a cache; `nil` if its scheme is not HTTP or HTTPS.
    ///
    /// - Parameters:
    ///   - url: an absolute URL.
    ///   - method: the method.
    ///   - fields: the request's fields.
    ///   - credential: a digest of the request's credential; `nil` if there is none.
    public init?(url: String, method: String, fields: HTTPHeaderFields, credential: String?) {
        guard let key = CacheKey(url, credential: credential) else { return nil }
        self.key = key
        self.method = method
        self.fields = fields
    }

    /// Whether the request changes nothing on the server ([RFC 9110
    /// §9.2.1](https://www.rfc-editor.org/rfc/rfc9110#section-9.2.1)).
    public var isSafe: Bool { ["GET", "HEAD", "OPTIONS", "TRACE"].contains(method) }

    /// Whether the caller requests parts or sets conditions: such a request bypasses the cache.
    public var bypassesCache: Bool {
        let names = [
            "Range", "If-Range", "If-Match", "If-None-Match", "If-Modified-Since",
            "If-Unmodified-Since",
        ]
        return fields.fields.contains { field in
            names.contains { HTTPHeaderFields.areSame($0, field.name) }
        }
    }

    /// The same, under the name of version 1.0.
    @available(*, deprecated, renamed: "bypassesCache")
    public var isSpecial: Bool { bypassesCache }

    /// Whether the cache may respond with a stored response.
    public var mayBeServed: Bool { (method == "GET" || method == "HEAD") && !bypassesCache }
}

/// Finds the stored responses that a response to an unsafe request invalidates ([RFC 9111
/// §4.4](https://www.rfc-editor.org/rfc/rfc9111#section-4.4)).
public enum CacheInvalidation {
    /// The keys to remove: the target's, and those of `Location` and `Content-Location` on the same origin.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - status: the response's status.
    ///   - fields: the response's fields.
    /// - Returns: the keys; none if the request was safe, or has failed.
    public static func keys(
        _ request: CacheRequest,
        status: Int,
        fields: HTTPHeaderFields
    ) -> [CacheKey] {
        guard !request.isSafe, (200..<400).contains(status) else { return [] }
        var urls = [request.key.url]
        if let target = URL(string: request.key.url) {
            for name in ["Location", "Content-Location"] {
                guard let text = fields.first(name),
                    let other = URLReference.url(text, relativeTo: target)?.absoluteURL
                        .standardized,
                    Origin(other) != nil, Origin(other) == Origin(target)
                else { continue }
                urls.append(other.absoluteString)
            }
        }
        // A response that the cache stored without a user is as outdated as one for this user.
        let credentials = request.key.credential.map { [$0, nil] } ?? [nil]
        return urls.flatMap { url in
            credentials.compactMap { CacheKey(url, credential: $0) }
        }
    }
}
