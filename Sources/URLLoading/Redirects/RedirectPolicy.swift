import FoundationEssentials

/// Decides which request follows a redirect, by the rules of
/// [RFC 9110 §15.4](https://www.rfc-editor.org/rfc/rfc9110#section-15.4) and of the Fetch standard.
enum RedirectPolicy {
    /// The request that a redirect leads to.
    struct Proposal {
        var request: URLRequest
        /// Whether the next request has the body again.
        var keepsBody: Bool
        /// The dropped values, which belong only to the old origin.
        var dropped: [OriginCrossing.Dropped] = []

        /// The body of the proposed request.
        var ownBody: TaskBody { TaskBody(request) }

        /// Replaces the request by one of the delegate.
        ///
        /// The new request keeps the old body only if the delegate kept the method and set no other body.
        mutating func replace(by own: URLRequest) {
            let isSameMethod = (own.httpMethod ?? "GET") == (request.httpMethod ?? "GET")
            let isSameBody =
                own.httpBody == request.httpBody && own.httpBodyStream === request.httpBodyStream
            let bringsBody = own.httpBody != nil || own.httpBodyStream != nil
            keepsBody = keepsBody && isSameMethod && (isSameBody || !bringsBody)
            request = own
            if !keepsBody, isSameBody {
                request.httpBody = nil
                request.httpBodyStream = nil
            }
        }
    }

    /// The request that follows a response; `nil` where the response is not a redirect.
    ///
    /// A POST remains a POST after the statuses of `keepingPost`. Throws `redirectToNonExistentLocation`
    /// where the target is not a URL, and `unsupportedURL` where it is not an HTTP URL.
    static func proposal(
        after response: HTTPURLResponse,
        to request: URLRequest,
        secretHeaders: [String] = [],
        keepingPost: Set<Int> = []
    ) throws(URLError) -> Proposal? {
        guard RedirectRules.isRedirect(response.statusCode),
            let location = response.headerFields.first("Location"), !location.isEmpty,
            let current = request.url
        else { return nil }
        let target = try target(location, from: current)
        var next = request
        next.url = target
        // The request target belongs to the old URL.
        next.httpRequestTarget = nil
        let becomesGet = RedirectRules.becomesGet(
            request.httpMethod ?? "GET",
            after: response.statusCode,
            keepingPost: keepingPost
        )
        if becomesGet {
            next.httpMethod = "GET"
            next.httpBody = nil
            next.httpBodyStream = nil
            RedirectRules.dropContentFields(&next.headerFields)
        }
        let crossing = OriginCrossing(from: current, to: target)
        var dropped = crossing.strip(&next.headerFields, secretHeaders: secretHeaders)
        if !crossing.isSameOrigin, current.user() != nil { dropped.append(.userInfo) }
        return Proposal(request: next, keepsBody: !becomesGet, dropped: dropped)
    }

    /// The request that a program's protocol continues with, without values that belong only to the old
    /// origin.
    ///
    /// Throws `unsupportedURL` where the target is a local URL, because a protocol may forward a server's
    /// redirect, and `redirectToNonExistentLocation` where there is no URL.
    static func proposal(
        of own: URLRequest,
        after request: URLRequest,
        secretHeaders: [String]
    ) throws(URLError) -> Proposal {
        guard let target = own.url, let current = request.url else {
            throw URLError(.redirectToNonExistentLocation, detail: "the redirect has no URL")
        }
        if let kind = LocalAddress(target) {
            throw URLError(
                .unsupportedURL,
                detail: "redirects to a \(kind.rawValue) URL are not followed",
                failingURL: current
            )
        }
        var next = own
        // A request target that the protocol did not change belongs to the old URL.
        if target != current, own.httpRequestTarget == request.httpRequestTarget {
            next.httpRequestTarget = nil
        }
        let dropped = OriginCrossing(from: current, to: target)
            .strip(&next.headerFields, secretHeaders: secretHeaders)
        return Proposal(request: next, keepsBody: false, dropped: dropped)
    }

    /// A target for display, without its user and password in any form.
    private static func shown(_ location: String) -> String {
        guard let at = location.utf8.lastIndex(of: UInt8(ascii: "@")) else { return location }
        return "(redacted)" + location[at...]
    }

    /// Resolves by [RFC 3986 §5](https://www.rfc-editor.org/rfc/rfc3986#section-5).
    ///
    /// The new URL inherits the fragment (RFC 9110 §10.2.2), and within one origin the user and password. It
    /// ignores user and password in a server's redirect.
    private static func target(_ location: String, from base: URL) throws(URLError) -> URL {
        let url = URLReference.url(location, relativeTo: base)?.absoluteURL
        if let scheme = url?.scheme?.lowercased(), !["http", "https"].contains(scheme) {
            throw URLError(
                .unsupportedURL,
                detail:
                    "the redirect leads to a scheme other than http and https: \(shown(location))",
                failingURL: base
            )
        }
        func invalid() -> URLError {
            URLError(
                .redirectToNonExistentLocation,
                detail: "the redirect's target is not a URL: \(shown(location))",
                failingURL: base
            )
        }
        guard let url, var parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
            Origin(url) != nil, (try? PreparedRequest.target(url)) != nil
        else { throw invalid() }
        if let host = parts.percentEncodedHost {
            // libcurl knows no longer name, and no address of a later version of IP.
            guard host.utf8.count <= 255, !host.asciiLowercased.startsWithBytes(of: "[v") else {
                throw invalid()
            }
            if host.utf8.contains(UInt8(ascii: "%")) {
                parts.percentEncodedHost = CanonicalHost.name(host)
            }
        }
        let before = URLComponents(url: base, resolvingAgainstBaseURL: true)
        let isSameOrigin = OriginCrossing(from: base, to: parts.url ?? url).isSameOrigin
        parts.percentEncodedUser = isSameOrigin ? before?.percentEncodedUser : nil
        parts.percentEncodedPassword = isSameOrigin ? before?.percentEncodedPassword : nil
        if parts.percentEncodedFragment == nil {
            parts.percentEncodedFragment = before?.percentEncodedFragment
        }
        guard let target = parts.url else { throw invalid() }
        return target
    }
}
