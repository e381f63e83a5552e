import FoundationEssentials

/// What a redirect makes of a request: the rules of
/// [RFC 9110 §15.4](https://www.rfc-editor.org/rfc/rfc9110#section-15.4) and of the Fetch standard.
enum RedirectPolicy {
    /// The request a redirect asks for.
    struct Proposal {
        var request: URLRequest
        /// Whether the body is to be sent again.
        var keepsBody: Bool
        /// What of the request belonged to its origin and stayed there.
        var dropped: [OriginCrossing.Dropped] = []

        /// The body that the request brings along.
        var ownBody: TaskBody { TaskBody(request) }

        /// Goes on with a request of the delegate's.
        ///
        /// The body goes along only where the method does, and the delegate brought no other.
        mutating func replace(by own: URLRequest) {
            let isSameMethod = (own.httpMethod ?? "GET") == (request.httpMethod ?? "GET")
            let isSameBody =
                own.httpBody == request.httpBody && own.httpBodyStream === request.httpBodyStream
            let bringsBody = own.httpBody != nil || own.httpBodyStream != nil
            keepsBody = keepsBody && isSameMethod && (isSameBody || !bringsBody)
            if !keepsBody, isSameBody {
                request = own
                request.httpBody = nil
                request.httpBodyStream = nil
            } else {
                request = own
            }
        }
    }

    /// Whether a field belongs to the origin it was given for.
    static func isCredential(_ name: String) -> Bool {
        OriginCrossing.isCredential(name)
    }

    /// The request that follows a response; `nil` where the response is no redirect.
    ///
    /// - Parameters:
    ///   - response: the response.
    ///   - request: what was asked.
    ///   - secretHeaders: names of fields that are treated as credentials.
    ///   - keepingPost: the statuses after which a POST stays one.
    /// - Returns: the proposal.
    /// - Throws: `redirectToNonExistentLocation` where the target is no URL, and `unsupportedURL`
    ///   where it is none of HTTP's.
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
        // It spoke of the URL that is left.
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
        if !crossing.staysHome, current.user() != nil { dropped.append(.userInfo) }
        return Proposal(request: next, keepsBody: !becomesGet, dropped: dropped)
    }

    /// Whether what was given for one URL may be sent to the other: only to the same origin.
    static func mayCarryCredentials(from one: URL, to other: URL) -> Bool {
        OriginCrossing(from: one, to: other).staysHome
    }

    /// A target as it may be shown, however strangely its user and password are written.
    private static func shown(_ location: String) -> String {
        guard let at = location.utf8.lastIndex(of: UInt8(ascii: "@")) else { return location }
        return "(redacted)" + location[at...]
    }

    /// Resolves by [RFC 3986 §5](https://www.rfc-editor.org/rfc/rfc3986#section-5).
    ///
    /// A fragment is inherited (RFC 9110 §10.2.2), the user and password within one origin only.
    /// Those that a server writes into its redirect never count.
    private static func target(_ location: String, from base: URL) throws(URLError) -> URL {
        let url = URL(string: location, relativeTo: base)?.absoluteURL
        if let scheme = url?.scheme?.lowercased(), !["http", "https"].contains(scheme) {
            throw URLError(
                .unsupportedURL,
                detail:
                    "the redirect leads to a scheme other than http and https: \(shown(location))",
                failingURL: base
            )
        }
        let error = URLError(
            .redirectToNonExistentLocation,
            detail: "the redirect's target is not a URL: \(shown(location))",
            failingURL: base
        )
        guard let url, var parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
            Origin(url) != nil, (try? PreparedRequest.target(url)) != nil
        else { throw error }
        if let host = parts.percentEncodedHost, host.utf8.contains(UInt8(ascii: "%")) {
            parts.percentEncodedHost = CanonicalHost.name(host)
        }
        let before = URLComponents(url: base, resolvingAgainstBaseURL: true)
        let staysHome = mayCarryCredentials(from: base, to: parts.url ?? url)
        parts.percentEncodedUser = staysHome ? before?.percentEncodedUser : nil
        parts.percentEncodedPassword = staysHome ? before?.percentEncodedPassword : nil
        if parts.percentEncodedFragment == nil {
            parts.percentEncodedFragment = before?.percentEncodedFragment
        }
        guard let target = parts.url else { throw error }
        return target
    }
}
