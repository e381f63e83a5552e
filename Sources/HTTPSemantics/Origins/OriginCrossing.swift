public import FoundationEssentials

/// Decides which parts of a request may cross from one URL to another; no other type decides that.
///
/// A credential is for the origin that the caller gave it for. Within the origin, a request keeps all
/// its parts. No part that is secret, or that describes the origin, may cross to another origin.
public struct OriginCrossing: Sendable, Equatable {
    /// A part that did not cross, for an event.
    public enum Dropped: Sendable, Hashable {
        /// A header field, as the caller spelled it; its value is secret.
        case field(String)
        /// The user and password in the URL.
        case userInfo
    }

    /// The fields that are always for the origin that the caller gave them for.
    public static let credentials = ["Authorization", "Cookie", "Proxy-Authorization"]

    /// Whether both URLs have one origin.
    public let isSameOrigin: Bool
    /// Whether the step is from TLS to a URL without it.
    public let isDowngrade: Bool

    /// Makes the step from one URL to another; any URL of another scheme has a different origin.
    public init(from one: URL, to other: URL) {
        let origin = Origin(one)
        let target = Origin(other)
        isSameOrigin = origin != nil && origin == target
        isDowngrade = origin?.scheme == "https" && target?.scheme != "https"
    }

    /// The same, under the name of version 1.0.
    @available(*, deprecated, renamed: "isSameOrigin")
    public var staysHome: Bool { isSameOrigin }

    /// Whether a field is a credential: by its name, or because the caller calls it secret.
    public static func isCredential(_ name: String, secretHeaders: [String] = []) -> Bool {
        credentials.contains { HTTPHeaderFields.areSame($0, name) }
            || secretHeaders.contains { HTTPHeaderFields.areSame($0, name) }
    }

    /// Removes the fields that must not cross.
    ///
    /// `Host` is for its origin. `Referer` must not leave TLS ([RFC 9110
    /// §10.1.3](https://www.rfc-editor.org/rfc/rfc9110#section-10.1.3)).
    ///
    /// - Parameters:
    ///   - fields: a request's own fields.
    ///   - secretHeaders: the names of more fields that are credentials.
    /// - Returns: the removed parts, each name once, in the order of the fields.
    public func strip(_ fields: inout HTTPHeaderFields, secretHeaders: [String] = []) -> [Dropped] {
        guard !isSameOrigin else { return [] }
        var dropped: [Dropped] = []
        // The removal of a name removes all of its values, so the loop sees each name once.
        for field in fields.fields where fields[field.name] != nil {
            guard mustStay(field.name, secretHeaders) else { continue }
            fields[field.name] = nil
            dropped.append(.field(field.name))
        }
        return dropped
    }

    private func mustStay(_ name: String, _ secretHeaders: [String]) -> Bool {
        Self.isCredential(name, secretHeaders: secretHeaders)
            || HTTPHeaderFields.areSame(name, "Host")
            || (isDowngrade && HTTPHeaderFields.areSame(name, "Referer"))
    }
}

/// Changes a request's method and body after a redirect.
///
/// See [RFC 9110 §15.4](https://www.rfc-editor.org/rfc/rfc9110#section-15.4), and the [Fetch
/// standard](https://fetch.spec.whatwg.org/#http-redirect-fetch).
public enum RedirectRules {
    /// Whether a status is a redirect to another URL.
    public static func isRedirect(_ status: Int) -> Bool {
        [301, 302, 303, 307, 308].contains(status)
    }

    /// Whether the next request is a GET without the previous request's body.
    ///
    /// - Parameters:
    ///   - method: the request's method.
    ///   - status: the response's status.
    ///   - keepingPost: the statuses after which a POST remains a POST.
    /// - Returns: `false` if method and body remain unchanged.
    public static func becomesGet(
        _ method: String,
        after status: Int,
        keepingPost: Set<Int> = []
    ) -> Bool {
        switch status {
        case let status where method == "POST" && keepingPost.contains(status): false
        case 303: method != "GET" && method != "HEAD"
        case 301, 302: method == "POST"
        default: false
        }
    }

    /// Removes the fields that describe a body which the next request does not have.
    public static func dropContentFields(_ fields: inout HTTPHeaderFields) {
        for field in fields.fields where describesContent(field.name) { fields[field.name] = nil }
    }

    /// Whether a field describes the body of its message ([RFC 9110
    /// §15.4](https://www.rfc-editor.org/rfc/rfc9110#section-15.4)).
    public static func describesContent(_ name: String) -> Bool {
        let name = name.asciiLowercased
        return name.startsWithBytes(of: "content-")
            || ["digest", "repr-digest", "last-modified"].contains { name.hasBytes(of: $0) }
    }
}
