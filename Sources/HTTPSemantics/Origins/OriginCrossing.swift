public import FoundationEssentials

/// The step from one URL to another, and what may be sent along.
///
/// Only this type decides that.
///
/// A credential belongs to the origin that it was given for. Within the origin everything is sent. Nothing
/// that is secret, or that describes the origin, is sent to another one.
public struct OriginCrossing: Sendable, Equatable {
    /// Something that was not sent along, for an event.
    public enum Dropped: Sendable, Hashable {
        /// A header field, as the caller spelled it; its value is secret.
        case field(String)
        /// The user and password in the URL.
        case userInfo
    }

    /// The fields that always belong to the origin they were given for.
    public static let credentials = ["Authorization", "Cookie", "Proxy-Authorization"]

    /// Whether both URLs are of one origin.
    public let staysHome: Bool
    /// Whether the step leaves TLS.
    public let isDowngrade: Bool

    /// The step from one URL to the other; a URL of another scheme is an origin of its own.
    public init(from one: URL, to other: URL) {
        let home = Origin(one)
        let target = Origin(other)
        staysHome = home != nil && home == target
        isDowngrade = home?.scheme == "https" && target?.scheme != "https"
    }

    /// Whether a field is of the credential kind: by its name, or because the caller calls it secret.
    public static func isCredential(_ name: String, secretHeaders: [String] = []) -> Bool {
        credentials.contains { HTTPHeaderFields.areSame($0, name) }
            || secretHeaders.contains { HTTPHeaderFields.areSame($0, name) }
    }

    /// Removes the fields that must not cross.
    ///
    /// `Host` belongs to its origin. `Referer` does not leave TLS ([RFC 9110
    /// §10.1.3](https://www.rfc-editor.org/rfc/rfc9110#section-10.1.3)).
    ///
    /// - Parameters:
    ///   - fields: a request's own.
    ///   - secretHeaders: names of further fields of the credential kind.
    /// - Returns: what was taken, each name once, in the order of the fields.
    public func strip(_ fields: inout HTTPHeaderFields, secretHeaders: [String] = []) -> [Dropped] {
        guard !staysHome else { return [] }
        var dropped: [Dropped] = []
        // Removing a name removes all of its values, so the loop sees each name once.
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

/// How a redirect changes a request's method and body ([RFC 9110
/// §15.4](https://www.rfc-editor.org/rfc/rfc9110#section-15.4), and the [Fetch
/// standard](https://fetch.spec.whatwg.org/#http-redirect-fetch)).
public enum RedirectRules {
    /// Whether a status is a redirect to another URL.
    public static func isRedirect(_ status: Int) -> Bool {
        [301, 302, 303, 307, 308].contains(status)
    }

    /// Whether the next request is a GET without the body of the one before.
    ///
    /// - Parameters:
    ///   - method: the request's method.
    ///   - status: the response's status.
    ///   - keepingPost: the statuses after which a POST stays one.
    /// - Returns: `false` where method and body stay as they are.
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

    /// Removes the fields that describe a body which is not sent again.
    public static func dropContentFields(_ fields: inout HTTPHeaderFields) {
        for field in fields.fields
        where field.name.asciiLowercased.startsWithBytes(of: "content-") {
            fields[field.name] = nil
        }
    }
}
