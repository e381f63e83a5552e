import FoundationEssentials

/// What an answer to an unsafe request makes worthless
/// ([RFC 9111 §4.4](https://www.rfc-editor.org/rfc/rfc9111#section-4.4)).
enum CacheInvalidation {
    /// The keys of what must go: the target's, and those of `Location` and `Content-Location` on
    /// the same origin.
    static func keys(_ request: CacheRequest, _ head: HopHead) -> [CacheKey] {
        guard !request.isSafe, (200..<400).contains(head.status) else { return [] }
        var urls = [request.key.url]
        if let target = URL(string: request.key.url) {
            for name in ["Location", "Content-Location"] {
                guard let text = head.fields.first(name),
                    let other = URL(string: text, relativeTo: target)?.absoluteURL.standardized,
                    Origin(other) != nil, Origin(other) == Origin(target)
                else { continue }
                urls.append(other.absoluteString)
            }
        }
        // What was stored for nobody in particular is as outdated as what was stored for this one.
        let credentials = request.key.credential.map { [$0, nil] } ?? [nil]
        return urls.flatMap { url in
            credentials.compactMap { CacheKey(url, credential: $0) }
        }
    }
}
