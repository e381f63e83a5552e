// Text that a server or a file has written is compared and cut as bytes. Swift's own `==`,
// `hasPrefix`, `split` and `lowercased` go by characters: they take U+212A for K, U+037E for a
// semicolon, and a comma with a combining mark behind it for no comma; an index that follows from
// such a comparison may be none of the text.
extension StringProtocol {
    /// Whether two texts have the same bytes.
    package func hasBytes(of other: some StringProtocol) -> Bool {
        utf8.elementsEqual(other.utf8)
    }

    /// Whether the text begins with the bytes of another.
    package func startsWithBytes(of prefix: some StringProtocol) -> Bool {
        utf8.starts(with: prefix.utf8)
    }

    /// Whether the text ends with the bytes of another.
    package func endsWithBytes(of suffix: some StringProtocol) -> Bool {
        let count = suffix.utf8.count
        return utf8.count >= count && utf8.suffix(count).elementsEqual(suffix.utf8)
    }

    /// The text with the letters a to z in upper case, and no other changed.
    package var asciiUppercased: String {
        String(
            decoding: utf8.map { (0x61...0x7A).contains($0) ? $0 & 0xDF : $0 },
            as: UTF8.self
        )
    }

    /// The text with the letters A to Z in lower case, and no other changed.
    package var asciiLowercased: String {
        guard utf8.contains(where: { (0x41...0x5A).contains($0) }) else { return String(self) }
        return String(
            decoding: utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 },
            as: UTF8.self
        )
    }
}

extension StringProtocol where SubSequence == Substring {
    /// The parts of the text between the places where an ASCII byte stands.
    package func split(
        byte separator: UInt8,
        maxSplits: Int = .max,
        omittingEmptySubsequences: Bool = true
    ) -> [Substring] {
        Substring(self).utf8.split(
            separator: separator,
            maxSplits: maxSplits,
            omittingEmptySubsequences: omittingEmptySubsequences
        ).map { Substring($0) }
    }

    /// A host without the brackets of an address.
    package var unbracketed: String {
        guard startsWithBytes(of: "["), endsWithBytes(of: "]"), utf8.count > 1 else {
            return String(self)
        }
        return String(Substring(Substring(self).utf8.dropFirst().dropLast()))
    }

    /// The text without the bytes of another at its beginning; `nil` where it has others there.
    package func droppingBytes(of prefix: some StringProtocol) -> Substring? {
        guard startsWithBytes(of: prefix) else { return nil }
        return Substring(Substring(self).utf8.dropFirst(prefix.utf8.count))
    }
}
