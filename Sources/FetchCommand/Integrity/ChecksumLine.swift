import URLLoading

/// A line of a list of checksums.
///
/// `HEX  NAME` and `HEX *NAME`, as sha256sum(1) writes them; `SHA256 (NAME) = HEX`, as BSD's tools
/// and `--tag` do; and before either a backslash, where one in the name stands before `n`, `r` or
/// another.
enum ChecksumLine: Equatable {
    case entry(name: String, BodyDigest)
    /// A checksum alone.
    case bare(BodyDigest)

    /// `nil` where it is none of these, or by a function that nobody knows.
    init?(_ bytes: ArraySlice<UInt8>) {
        var line = bytes
        if line.last == 0x0D { line.removeLast() }
        line = line.drop { $0 == 0x20 || $0 == 0x09 }
        // No name has a NUL; what has is something else.
        guard !line.isEmpty, line.first != UInt8(ascii: "#"), !line.contains(0) else { return nil }
        let isEscaped = line.first == UInt8(ascii: "\\")
        if isEscaped { line.removeFirst() }
        guard let read = Self.plain(line) ?? Self.tagged(line) else { return nil }
        guard let name = read.name else {
            self = .bare(read.digest)
            return
        }
        guard let name = isEscaped ? Self.unescaped(name) : Array(name), !name.isEmpty else {
            return nil
        }
        self = .entry(name: String(decoding: name, as: UTF8.self), read.digest)
    }

    private typealias Reading = (name: ArraySlice<UInt8>?, digest: BodyDigest)

    private static func plain(_ line: ArraySlice<UInt8>) -> Reading? {
        let digits = line.prefix { $0 != 0x20 && $0 != 0x09 }
        guard let algorithm = ChecksumText.algorithm(ofDigits: digits.count),
            let digest = BodyDigest(algorithm, hex: String(decoding: digits, as: UTF8.self))
        else { return nil }
        var rest = line[digits.endIndex...]
        if rest.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { return (nil, digest) }
        rest.removeFirst()
        // One blank, or the sign for binary; BSD's -r has neither.
        if rest.first == 0x20 || rest.first == UInt8(ascii: "*") { rest.removeFirst() }
        return (rest, digest)
    }

    private static func tagged(_ line: ArraySlice<UInt8>) -> Reading? {
        guard let open = line.firstIndex(of: UInt8(ascii: "(")),
            let close = line.lastIndex(of: UInt8(ascii: ")")), close > open
        else { return nil }
        let tag = line[..<open].filter { $0 != 0x20 }
        let rest = line[(close + 1)...].drop { $0 == 0x20 }
        guard rest.first == UInt8(ascii: "="), tag.count <= 8,
            let algorithm = ChecksumText.algorithm(String(decoding: tag, as: UTF8.self))
        else { return nil }
        let value = String(decoding: rest.dropFirst().filter { $0 != 0x20 }, as: UTF8.self)
        // cksum --base64 writes that.
        guard
            let digest = BodyDigest(algorithm, hex: value) ?? BodyDigest(algorithm, base64: value)
        else { return nil }
        return (line[(open + 1)..<close], digest)
    }

    /// `nil` where a backslash stands before anything else.
    private static func unescaped(_ name: ArraySlice<UInt8>) -> [UInt8]? {
        var plain: [UInt8] = []
        var rest = name
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                plain.append(byte)
                continue
            }
            switch rest.popFirst() {
            case UInt8(ascii: "n"): plain.append(0x0A)
            case UInt8(ascii: "r"): plain.append(0x0D)
            case UInt8(ascii: "\\"): plain.append(byte)
            default: return nil
            }
        }
        return plain
    }
}
