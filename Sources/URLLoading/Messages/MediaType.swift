/// A `Content-Type` taken apart
/// ([RFC 9110 §8.3.1](https://www.rfc-editor.org/rfc/rfc9110#section-8.3.1)).
package struct MediaType {
    /// `type/subtype` in lower case; `nil` where it is not of that form.
    let essence: String?
    /// The `charset` parameter in lower case, as Foundation gives it.
    let charset: String?

    init(_ text: String) {
        let parts = text.split(byte: UInt8(ascii: ";"), omittingEmptySubsequences: false)
            .map { HTTPSyntax.trimmed($0) }
        let type = parts.first?.asciiLowercased ?? ""
        essence = type.split(byte: UInt8(ascii: "/")).count == 2 ? type : nil
        charset =
            parts.dropFirst().lazy
            .map { $0.split(byte: UInt8(ascii: "="), maxSplits: 1).map { HTTPSyntax.trimmed($0) } }
            .first { $0.count == 2 && $0[0].asciiLowercased == "charset" }
            .map { $0[1].asciiLowercased.unicodeScalars }
            .map { scalars in String(String.UnicodeScalarView(scalars.filter { $0 != "\"" })) }
    }
}
