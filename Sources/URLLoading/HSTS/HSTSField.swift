/// A `Strict-Transport-Security` field
/// ([RFC 6797 §6.1](https://www.rfc-editor.org/rfc/rfc6797#section-6.1)).
struct HSTSField: Hashable {
    /// How long it holds, seconds; 0: not any more.
    let maximumAge: Int64
    /// Whether it holds for the hosts below this one too.
    let includesSubdomains: Bool

    /// More than this is for ever: a hundred years, in seconds.
    private static let longestAge: Int64 = 100 * 365 * 86_400

    /// Reads a field's value; `nil` where it is none: without an age, or with a directive twice.
    init?(_ value: String) {
        var age: Int64?
        var includesSubdomains = false
        var seen: Set<String> = []
        for directive in value.split(byte: UInt8(ascii: ";")) {
            let parts = directive.split(byte: UInt8(ascii: "="), maxSplits: 1)
                .map { HTTPSyntax.trimmed($0) }
            guard let name = parts.first?.asciiLowercased, !name.isEmpty else { continue }
            guard name.utf8.allSatisfy(HTTPSyntax.isTokenByte), seen.insert(name).inserted else {
                return nil
            }
            switch name {
            case "max-age":
                guard parts.count == 2, let seconds = Self.seconds(parts[1]) else { return nil }
                age = seconds
            case "includesubdomains":
                guard parts.count == 1 else { return nil }
                includesSubdomains = true
            default: break
            }
        }
        guard let age else { return nil }
        maximumAge = age
        self.includesSubdomains = includesSubdomains
    }

    private static func seconds(_ text: Substring) -> Int64? {
        var digits = text
        if digits.utf8.count > 1, digits.startsWithBytes(of: "\""), digits.endsWithBytes(of: "\"") {
            digits = Substring(digits.utf8.dropFirst().dropLast())
        }
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return min(Int64(digits) ?? longestAge, longestAge)
    }
}
