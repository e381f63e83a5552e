/// A `Content-Type` taken apart
/// ([RFC 9110 §8.3.1](https://www.rfc-editor.org/rfc/rfc9110#section-8.3.1)).
struct MediaType {
    /// `type/subtype` in lower case; `nil` where it is not of that form.
    let essence: String?
    /// The `charset` parameter in lower case, as Foundation gives it.
    let charset: String?

    init(_ text: String) {
        let parts = text.split(separator: ";", omittingEmptySubsequences: false).map(Self.trimmed)
        let type = parts.first?.lowercased() ?? ""
        essence = type.split(separator: "/").count == 2 ? type : nil
        charset =
            parts.dropFirst().lazy
            .map { $0.split(separator: "=", maxSplits: 1).map(Self.trimmed) }
            .first { $0.count == 2 && $0[0].lowercased() == "charset" }
            .map { $0[1].filter { $0 != "\"" }.lowercased() }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}
