import Glibc

// We compare and split text from a server or a file as bytes. Swift's own `==`, `hasPrefix`, `split` and
// `lowercased` use characters. They treat U+212A as K and U+037E as a semicolon, and miss a comma before a
// combining mark. An index from such a comparison may be invalid in the text. These methods are visible in
// this package alone: a program that imports the library sees no new names on the standard types.
extension StringProtocol {
    /// Whether two texts have the same bytes.
    @inlinable package func hasBytes(of other: some StringProtocol) -> Bool {
        // We compare contiguous bytes at once; nearly every text has them.
        let isSame = utf8.withContiguousStorageIfAvailable { own in
            other.utf8.withContiguousStorageIfAvailable { own.hasBytes(of: $0) }
        }
        return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
    }

    /// Whether the text begins with the bytes of another.
    @inlinable package func startsWithBytes(of prefix: some StringProtocol) -> Bool {
        let begins = utf8.withContiguousStorageIfAvailable { own in
            prefix.utf8.withContiguousStorageIfAvailable {
                UnsafeBufferPointer(rebasing: own.prefix($0.count)).hasBytes(of: $0)
            }
        }
        return (begins ?? nil) ?? utf8.starts(with: prefix.utf8)
    }

    /// Whether the text ends with the bytes of another.
    @inlinable package func endsWithBytes(of suffix: some StringProtocol) -> Bool {
        let count = suffix.utf8.count
        guard utf8.count >= count else { return false }
        let ends = utf8.withContiguousStorageIfAvailable { own in
            suffix.utf8.withContiguousStorageIfAvailable {
                UnsafeBufferPointer(rebasing: own.suffix(count)).hasBytes(of: $0)
            }
        }
        return (ends ?? nil) ?? utf8.suffix(count).elementsEqual(suffix.utf8)
    }

    /// The text with the letters a to z in upper case; all others remain unchanged.
    @inlinable package var asciiUppercased: String {
        String(decoding: utf8.map { (0x61...0x7A).contains($0) ? $0 & 0xDF : $0 }, as: UTF8.self)
    }

    /// The text with the letters A to Z in lower case; all others remain unchanged.
    @inlinable package var asciiLowercased: String {
        guard utf8.contains(where: { (0x41...0x5A).contains($0) }) else { return String(self) }
        return String(
            decoding: utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 },
            as: UTF8.self
        )
    }
}

extension StringProtocol {
    /// Whether the text consists of one or more digits; it may have no sign, which `Int` would accept.
    @inlinable package var isDigits: Bool { !isEmpty && utf8.allSatisfy(\.isDigit) }

    /// The text itself; `nil` if it is empty.
    @inlinable package var nonEmpty: Self? { isEmpty ? nil : self }
}

extension UInt8 {
    /// Whether it is one of `0` to `9`.
    @inlinable package var isDigit: Bool { (0x30...0x39).contains(self) }

    /// Whether it is a letter of ASCII.
    @inlinable package var isLetter: Bool { (0x61...0x7A).contains(self | 0x20) }

    /// Whether it is a letter or a digit of ASCII.
    @inlinable package var isAlphanumeric: Bool { isLetter || isDigit }

    /// Whether it is a space or a tab.
    @inlinable package var isBlank: Bool { self == 0x20 || self == 0x09 }

    /// Whether it is CR or LF.
    @inlinable package var isLineEnd: Bool { self == 0x0D || self == 0x0A }

    /// Whether it is a space, a tab or an end of a line.
    @inlinable package var isSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }

    /// The byte, with A to Z in lower case.
    @inlinable package var asciiLowercased: UInt8 {
        (0x41...0x5A).contains(self) ? self | 0x20 : self
    }

    /// Whether it is a hexadecimal digit in lower case.
    @inlinable package var isLowerHex: Bool { isDigit || (0x61...0x66).contains(self) }

    /// The value of a hexadecimal digit in either case; `nil` if the byte is not one.
    @inlinable package var hexValue: UInt8? {
        switch self {
        case 0x30...0x39: self - 0x30
        case 0x41...0x46, 0x61...0x66: (self | 0x20) - 0x57
        default: nil
        }
    }
}

extension BidirectionalCollection<UInt8> {
    /// The bytes without those at both ends that match a condition.
    @inlinable package func trimming(_ isCut: (UInt8) -> Bool) -> SubSequence {
        let rest = drop(while: isCut)
        guard let last = rest.lastIndex(where: { !isCut($0) }) else { return self[endIndex...] }
        return self[rest.startIndex...last]
    }
}

extension StringProtocol where SubSequence == Substring {
    /// Splits the text at each occurrence of an ASCII byte.
    @inlinable package func split(
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
    @inlinable package var withoutBrackets: String {
        guard startsWithBytes(of: "["), endsWithBytes(of: "]"), utf8.count > 1 else {
            return String(self)
        }
        return String(Substring(Substring(self).utf8.dropFirst().dropLast()))
    }

    /// The text without a prefix, compared as bytes; `nil` if the text begins differently.
    @inlinable package func droppingBytes(of prefix: some StringProtocol) -> Substring? {
        guard startsWithBytes(of: prefix) else { return nil }
        return Substring(Substring(self).utf8.dropFirst(prefix.utf8.count))
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether both buffers have the same bytes.
    ///
    /// The iterators of `elementsEqual` take ten times as long.
    @usableFromInline
    package func hasBytes(of other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard count == other.count else { return false }
        guard let own = baseAddress, let other = other.baseAddress else { return true }
        return memcmp(own, other, count) == 0
    }
}

extension Substring {
    /// Decodes percent-encoding; `nil` if it is malformed, or not UTF-8 ([RFC 3986
    /// §2.1](https://www.rfc-editor.org/rfc/rfc3986#section-2.1)).
    package var percentDecoded: String? {
        percentDecodedBytes.flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// Decodes percent-encoding to bytes; `nil` if a percent sign begins no escape.
    package var percentDecodedBytes: [UInt8]? {
        let hasStray = utf8.indices.contains {
            utf8[$0] == UInt8(ascii: "%") && utf8[$0...].dropFirst().escape == nil
        }
        return hasStray ? nil : utf8.percentDecoded
    }
}

extension Substring.UTF8View {
    /// Decodes percent-encoding to bytes; a percent sign that begins no escape remains.
    package var percentDecoded: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        var rest = self
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let value = rest.escape {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }

    /// The byte that two hexadecimal digits at the beginning encode; `nil` if there are none.
    package var escape: UInt8? {
        guard let high = first?.hexValue, let low = dropFirst().first?.hexValue else { return nil }
        return high << 4 | low
    }
}

/// A text for keys of dictionaries and sets, equal to another only if both have the same bytes.
///
/// A `String` is also equal to one that only looks the same, such as U+212A and K.
public struct ExactText: Sendable, Hashable, Comparable {
    /// The text.
    public let text: String

    /// Takes a text unchanged.
    public init(_ text: some StringProtocol) {
        self.text = String(text)
    }

    /// Takes the bytes of a text in UTF-8.
    public init(_ bytes: some Sequence<UInt8>) {
        text = String(decoding: Array(bytes), as: UTF8.self)
    }

    /// Whether both texts have the same bytes.
    public static func == (one: ExactText, other: ExactText) -> Bool {
        one.text.hasBytes(of: other.text)
    }

    /// Whether one text's bytes precede the other's.
    public static func < (one: ExactText, other: ExactText) -> Bool {
        one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xFF as UInt8)
    }
}

// A server or a file may write any number, but no sum, product or conversion of it may trap. A result
// that does not fit becomes the nearest number that does.
extension FixedWidthInteger {
    /// The sum, or the nearest number that fits.
    @inlinable package func adding(clamping other: Self) -> Self {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? (other < 0 ? .min : .max) : sum
    }

    /// The difference, or the nearest number that fits.
    @inlinable package func subtracting(clamping other: Self) -> Self {
        let (difference, overflows) = subtractingReportingOverflow(other)
        return overflows ? (other < 0 ? .max : .min) : difference
    }

    /// Converts a number without its fraction, or to the nearest one that fits; not-a-number becomes 0.
    @inlinable package init(clamping number: Double) {
        self =
            Self(exactly: number.rounded(.towardZero))
            ?? (number > 0 ? .max : number < 0 ? .min : 0)
    }
}

extension FixedWidthInteger {
    /// The number that a text writes with digits alone; `nil` if it has none or a sign, or does not fit.
    @inlinable package init?(digits text: some StringProtocol) {
        guard text.utf8.allSatisfy(\.isDigit) else { return nil }
        self.init(text, radix: 10)
    }

    /// The number in lower-case hex, with all digits of its type; it must not be negative.
    package var hexText: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: Self.bitWidth / 4 - digits.utf8.count) + digits
    }
}

extension Collection<UInt8> {
    /// The bytes in lower-case hex.
    package var hexText: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(unsafeUninitializedCapacity: count * 2) { space in
            for (index, byte) in enumerated() {
                space[index * 2] = digits[Int(byte >> 4)]
                space[index * 2 + 1] = digits[Int(byte & 15)]
            }
            return count * 2
        }
    }
}

extension Collection<UInt8> {
    /// The bytes without the byte order mark that some editors write before UTF-8 text.
    @inlinable package var withoutByteOrderMark: SubSequence {
        starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self[...]
    }
}
