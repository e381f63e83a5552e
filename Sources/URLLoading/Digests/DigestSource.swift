/// Who says what a body must come to.
///
/// Not in Foundation.
public enum DigestSource: String, Sendable, Hashable, CaseIterable {
    /// Whoever made the task.
    case caller
    /// The server, of what it sends in this one answer
    /// ([RFC 9530 §2](https://www.rfc-editor.org/rfc/rfc9530#section-2)).
    case contentDigest = "Content-Digest"
    /// The server, of the whole that it sends, or sends a part of
    /// ([RFC 9530 §3](https://www.rfc-editor.org/rfc/rfc9530#section-3)).
    case reprDigest = "Repr-Digest"
}
