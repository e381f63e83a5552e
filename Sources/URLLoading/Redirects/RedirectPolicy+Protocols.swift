import FoundationEssentials

extension RedirectPolicy {
    /// The request with which a program's own protocol continues.
    ///
    /// - Parameters:
    ///   - own: what the protocol wants loaded.
    ///   - request: what it was asked.
    ///   - secretHeaders: names of fields that are treated as credentials.
    /// - Returns: the proposal, without what belongs to the origin that is left.
    /// - Throws: `redirectToNonExistentLocation` without a URL; `unsupportedURL` where it leads to
    ///   what this machine has itself: a protocol may forward what a server says.
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
        // A field that was only left in place belongs to the old URL.
        if target != current, own.httpRequestTarget == request.httpRequestTarget {
            next.httpRequestTarget = nil
        }
        let dropped = OriginCrossing(from: current, to: target)
            .strip(&next.headerFields, secretHeaders: secretHeaders)
        return Proposal(request: next, keepsBody: false, dropped: dropped)
    }
}
