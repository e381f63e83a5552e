/// A strong validator, which identifies one version of a server's file with certainty ([RFC 9110
/// §8.8.1](https://www.rfc-editor.org/rfc/rfc9110#section-8.8.1)).
package enum EntityValidator: Sendable, Hashable {
    /// A strong entity tag, with its quotes.
    case entityTag(String)
    /// The date of the last modification, as the server wrote it.
    case lastModified(String)

    /// How many seconds `Last-Modified` must lie before `Date` for the date to identify one version
    /// ([RFC 7232 §2.2.2](https://www.rfc-editor.org/rfc/rfc7232#section-2.2.2)).
    private static let settledAfter = 60

    /// The validator of a response; `nil` where the response has no strong one.
    ///
    /// A date does not replace a weak tag: a client that has a tag must not use the date ([RFC 9110
    /// §13.1.5](https://www.rfc-editor.org/rfc/rfc9110#section-13.1.5)).
    package init?(_ fields: HTTPHeaderFields) {
        if let tag = fields.first("ETag") {
            guard Self.isStrongTag(tag) else { return nil }
            self = .entityTag(tag)
            return
        }
        guard let modified = fields.first("Last-Modified"),
            let changed = HTTPDate.seconds(modified),
            let sent = fields.first("Date").flatMap({ HTTPDate.seconds($0) }),
            sent - changed >= Self.settledAfter
        else { return nil }
        self = .lastModified(modified)
    }

    /// The validator from stored resume data; `nil` where the text is not a valid one.
    init?(entityTag: String?, lastModified: String?) {
        switch (entityTag, lastModified) {
        case (let tag?, nil) where Self.isStrongTag(tag): self = .entityTag(tag)
        case (nil, let date?) where HTTPDate.seconds(date) != nil: self = .lastModified(date)
        default: return nil
        }
    }

    package static func == (one: EntityValidator, other: EntityValidator) -> Bool {
        switch (one, other) {
        case (.entityTag, .entityTag), (.lastModified, .lastModified):
            one.text.hasBytes(of: other.text)
        default: false
        }
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ExactText(text))
    }

    /// The value of an `If-Range` field.
    package var text: String {
        switch self {
        case .entityTag(let text), .lastModified(let text): text
        }
    }

    /// Whether a response has another validator.
    ///
    /// A partial response may omit the field.
    package func isContradicted(by fields: HTTPHeaderFields) -> Bool {
        isStated(by: fields) == false
    }

    /// Whether a response states this validator; `nil` if it states none of this kind.
    func isStated(by fields: HTTPHeaderFields) -> Bool? {
        switch self {
        case .entityTag(let tag): fields.first("ETag")?.hasBytes(of: tag)
        case .lastModified(let date): fields.first("Last-Modified")?.hasBytes(of: date)
        }
    }

    /// Whether a text is an entity tag, strong or weak, and therefore safe in a header field.
    package static func isTag(_ text: String) -> Bool {
        guard text.startsWithBytes(of: "W/") else { return isStrongTag(text) }
        return isStrongTag(String(Substring(text.utf8.dropFirst(2))))
    }

    /// Quotes around visible characters, none of them a quote
    /// ([RFC 9110 §8.8.3](https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3)).
    private static func isStrongTag(_ text: String) -> Bool {
        guard text.utf8.count >= 2, text.utf8.first == 0x22, text.utf8.last == 0x22 else {
            return false
        }
        return text.utf8.dropFirst().dropLast().allSatisfy { $0 > 0x20 && $0 != 0x22 && $0 != 0x7F }
    }
}

/// The validator fields of a response without a strong validator.
///
/// They are too weak for `If-Range`, but reveal that a second response, shortly after the first, has
/// another version of the file.
package struct WeakValidators: Sendable, Equatable {
    private let entityTag: ExactText?
    private let lastModified: ExactText?

    package init(_ fields: HTTPHeaderFields) {
        entityTag = fields.first("ETag").map { ExactText($0) }
        lastModified = fields.first("Last-Modified").map { ExactText($0) }
    }

    func isContradicted(by fields: HTTPHeaderFields) -> Bool {
        let other = WeakValidators(fields)
        return (other.entityTag != nil && other.entityTag != entityTag)
            || (other.lastModified != nil && other.lastModified != lastModified)
    }
}
