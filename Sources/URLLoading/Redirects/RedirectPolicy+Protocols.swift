import FoundationEssentials

extension RedirectPolicy {
    /// The request that a program's protocol continues with, without values that belong only to the old
    /// origin.
    ///
    /// Throws `unsupportedURL` where the target is a local URL, because a protocol may forward a server's
    /// redirect.
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
}
