/// The field by which a server says how long it wants to be left alone
/// ([RFC 9110 §10.2.3](https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3)).
package enum RetryAfter {
    /// What an answer asks for; nil where it asks for nothing that can be read.
    ///
    /// - Parameters:
    ///   - fields: of the answer.
    ///   - now: seconds since 1970, where the answer itself has no `Date`.
    /// - Returns: the wait; not below 0.
    package static func wait(_ fields: HTTPHeaderFields, now: Double) -> Duration? {
        guard let text = fields["Retry-After"] else { return nil }
        return wait(text, date: fields["Date"], now: now)
    }

    /// What a value asks for: seconds, or a moment by the server's own clock, which may be wrong.
    package static func wait(_ text: String, date: String?, now: Double) -> Duration? {
        let text = HTTPSyntax.trimmed(text)
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            // More than any number can say is more than anybody waits.
            return .seconds(min(Int64(text) ?? .max, 1 << 32))
        }
        guard let moment = HTTPDate.seconds(String(text), now: now) else { return nil }
        let present = date.flatMap { HTTPDate.seconds($0, now: now) }.map(Double.init) ?? now
        return .seconds(min(max(0, Double(moment) - present), Double(1 << 32)))
    }
}
