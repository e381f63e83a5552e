import Glibc
import URLLoading

/// Environment variables in the value of a `-H`: `env:NAME` is replaced by the variable's value, so
/// that no secret is on the command line.
///
/// NAME has capital letters, digits and `_`. Other text, such as a tag `env:prod`, is not changed.
enum HeaderVariables {
    private static let prefix = Array("env:".utf8)

    static func isUsed(in text: Substring) -> Bool {
        !places(Array(text.utf8)).isEmpty
    }

    /// The text with all variables replaced.
    ///
    /// Throws if a variable is not set, is empty, or has bytes that no field may contain.
    static func resolved(_ text: Substring, _ value: FlagValue) throws(UsageError) -> String {
        let bytes = Array(text.utf8)
        let places = places(bytes)
        guard !places.isEmpty else { return String(text) }
        var resolved: [UInt8] = []
        var end = 0
        for place in places {
            resolved += bytes[end..<place.lowerBound]
            end = place.upperBound
            let name = String(decoding: bytes[place].dropFirst(prefix.count), as: UTF8.self)
            guard let found = getenv(name), found.pointee != 0 else {
                throw value.invalidSecret(
                    "there is no environment variable \(name)",
                    hint: "env:\(name) is replaced by the value of that variable"
                )
            }
            resolved += UnsafeRawBufferPointer(start: found, count: strlen(found))
        }
        resolved += bytes[end...]
        guard let result = String(validating: resolved, as: UTF8.self) else {
            throw value.invalidSecret("a variable's value is not UTF-8")
        }
        return result
    }

    /// The ranges of the variables, including the prefix.
    private static func places(_ bytes: [UInt8]) -> [Range<Int>] {
        var places: [Range<Int>] = []
        var start = 0
        while start + prefix.count < bytes.count {
            let isVariable =
                bytes[start...].starts(with: prefix)
                && (start == 0 || !isWordByte(bytes[start - 1]))
            let name =
                isVariable
                ? bytes[(start + prefix.count)...].prefix(while: isWordByte) : bytes[..<0]
            guard isName(name) else {
                start += 1
                continue
            }
            places.append(start..<name.endIndex)
            start = name.endIndex
        }
        return places
    }

    private static func isName(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first, !first.isDigit
        else { return false }
        return !bytes.contains { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
    }

    /// Whether a byte may be part of a name.
    private static func isWordByte(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric || byte == UInt8(ascii: "_")
    }
}
