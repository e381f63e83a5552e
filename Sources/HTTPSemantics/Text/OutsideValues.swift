// Text that a server or a file has written is compared and cut as bytes. Swift's own `==`,
// `hasPrefix`, `split` and `lowercased` go by characters. They take U+212A for K and U+037E for a
// semicolon, and miss a comma with a combining mark behind it. An index that follows from such a
// comparison may be none of the text. They are of this package alone: a program that imports the
// library keeps its own names on the standard types.
extension StringProtocol {
    /// Whether two texts have the same bytes.
    @inlinable package func hasBytes(of other: some StringProtocol) -> Bool {
        // Bytes in a row are compared at once; nearly every text has them so.
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

    /// The text with the letters a to z in upper case, and no other changed.
    @inlinable package var asciiUppercased: String {
        String(
            decoding: utf8.map { (0x61...0x7A).contains($0) ? $0 & 0xDF : $0 },
            as: UTF8.self
        )
    }

    /// The text with the letters A to Z in lower case, and no other changed.
    @inlinable package var asciiLowercased: String {
        guard utf8.contains(where: { (0x41...0x5A).contains($0) }) else { return String(self) }
        return String(
            decoding: utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 },
            as: UTF8.self
        )
    }
}

extension StringProtocol {
    /// Whether the text is one digit or more, and nothing else: no sign, which `Int` would take.
    @inlinable package var isDigits: Bool { !isEmpty && utf8.allSatisfy(\.isDigit) }
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

    /// Whether it is a space, a tab or an end of a line.
    @inlinable package var isSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }

    /// The same with A to Z in lower case.
    @inlinable package var asciiLowercased: UInt8 {
        (0x41...0x5A).contains(self) ? self | 0x20 : self
    }

    /// Whether it is a hexadecimal digit in lower case.
    @inlinable package var isLowerHex: Bool { isDigit || (0x61...0x66).contains(self) }

    /// What it stands for as a hexadecimal digit in either case; `nil` where it is none.
    @inlinable package var hexValue: UInt8? {
        switch self {
        case 0x30...0x39: self - 0x30
        case 0x41...0x46, 0x61...0x66: (self | 0x20) - 0x57
        default: nil
        }
    }
}

extension BidirectionalCollection<UInt8> {
    /// The bytes without those of a kind at both ends.
    @inlinable package func trimming(_ isCut: (UInt8) -> Bool) -> SubSequence {
        let rest = drop(while: isCut)
        guard let last = rest.lastIndex(where: { !isCut($0) }) else { return self[endIndex...] }
        return self[rest.startIndex...last]
    }
}

extension StringProtocol where SubSequence == Substring {
    /// The parts of the text between the places where an ASCII byte is.
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
    @inlinable package var unbracketed: String {
        guard startsWithBytes(of: "["), endsWithBytes(of: "]"), utf8.count > 1 else {
            return String(self)
        }
        return String(Substring(Substring(self).utf8.dropFirst().dropLast()))
    }

    /// The text without the bytes of another at its beginning; `nil` where it has others there.
    @inlinable package func droppingBytes(of prefix: some StringProtocol) -> Substring? {
        guard startsWithBytes(of: prefix) else { return nil }
        return Substring(Substring(self).utf8.dropFirst(prefix.utf8.count))
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether both have the same bytes.
    ///
    /// Not `elementsEqual`, whose iterators take ten times as long.
    @inlinable package func hasBytes(of other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for place in 0..<count where self[place] != other[place] { return false }
        return true
    }
}

extension Substring {
    /// Without its percent-encoding ([RFC 3986 §2.1](https://www.rfc-editor.org/rfc/rfc3986#section-2.1));
    /// `nil` where that is broken, or not UTF-8.
    package var percentDecoded: String? {
        percentDecodedBytes.flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// The bytes without their percent-encoding; `nil` where a percent sign begins no escape.
    package var percentDecodedBytes: [UInt8]? {
        let hasStray = utf8.indices.contains {
            utf8[$0] == UInt8(ascii: "%") && utf8[$0...].dropFirst().escape == nil
        }
        return hasStray ? nil : utf8.percentDecoded
    }
}

extension Substring.UTF8View {
    /// The bytes without their percent-encoding; a percent sign that begins no escape stays.
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

    /// The byte that the two hexadecimal digits at the beginning stand for; `nil` where there are none.
    package var escape: UInt8? {
        guard let high = first?.hexValue, let low = dropFirst().first?.hexValue else { return nil }
        return high << 4 | low
    }
}

/// A text that is equal to another only where its bytes are, as a key of dictionaries and sets.
///
/// A `String` is also equal to one that only looks the same, such as U+212A and K.
public struct ExactText: Sendable, Hashable, Comparable {
    /// The text.
    public let text: String

    /// Takes a text as it is.
    public init(_ text: some StringProtocol) {
        self.text = String(text)
    }

    /// Takes the bytes of a text in UTF-8.
    public init(_ bytes: some Sequence<UInt8>) {
        text = String(decoding: Array(bytes), as: UTF8.self)
    }

    /// Whether both have the same bytes.
    public static func == (one: ExactText, other: ExactText) -> Bool {
        one.text.hasBytes(of: other.text)
    }

    /// Whether the one's bytes come before the other's.
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

// Numbers that a server or a file has written may be anything: no sum, product or conversion of them
// may trap. What does not fit becomes the nearest number that does.
extension FixedWidthInteger {
    /// The sum, or the nearest number there is.
    @inlinable package func adding(clamping other: Self) -> Self {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? (other < 0 ? .min : .max) : sum
    }

    /// The difference, or the nearest number there is.
    @inlinable package func subtracting(clamping other: Self) -> Self {
        let (difference, overflows) = subtractingReportingOverflow(other)
        return overflows ? (other < 0 ? .max : .min) : difference
    }

    /// The product, or the nearest number there is.
    @inlinable package func multiplied(clamping other: Self) -> Self {
        let (product, overflows) = multipliedReportingOverflow(by: other)
        return overflows ? ((self < 0) == (other < 0) ? .max : .min) : product
    }

    /// The number without what is behind its point, or the nearest there is; 0 for what is no number.
    @inlinable package init(clamping number: Double) {
        self =
            Self(exactly: number.rounded(.towardZero))
            ?? (number > 0 ? .max : number < 0 ? .min : 0)
    }
}

extension FixedWidthInteger {
    /// The number in lower-case hex, with as many digits as its type has; it is not negative.
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
