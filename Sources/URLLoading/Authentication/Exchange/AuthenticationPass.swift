import FoundationEssentials

/// What a task is let in with, and where that counts.
struct AuthenticationPass: Sendable {
    let space: URLProtectionSpace
    let proof: AuthenticationProof
    /// What it was made from; `nil` where nobody was asked.
    let credential: URLCredential?
    /// The URL that asked.
    let url: URL?
    /// Whether another request was let in with it.
    var isRemembered = false

    /// Whether it is known to count for a URL of the same origin.
    ///
    /// Basic's is what lies beside and below the URL that asked
    /// ([RFC 7617 §2.2](https://www.rfc-editor.org/rfc/rfc7617#section-2.2)), Digest's what its
    /// challenge says.
    func covers(_ target: URL) -> Bool {
        guard let url else { return false }
        switch proof {
        case .connection: return true
        case .digest(let exchange): return exchange.covers(target, challenged: url)
        case .field: return nearness(to: target) > 0
        }
    }

    /// How much of its path the folder of the URL that asked has in common with another URL, which
    /// lies in or below it; 0 where it does not.
    func nearness(to target: URL) -> Int {
        guard let path = url?.standardized.path(percentEncoded: true) else { return 0 }
        let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[...$0] } ?? "/"
        let wanted = target.standardized.path(percentEncoded: true)
        return (wanted.isEmpty ? "/" : wanted).startsWithBytes(of: folder) ? folder.utf8.count : 0
    }
}
