import URLLoading

/// A list of checksums as sha256sum(1) and similar tools write it, or a file with one checksum.
struct ChecksumList: Equatable, Sendable {
    struct Entry: Equatable, Sendable {
        /// The path as the list spells it.
        let name: String
        let digest: BodyDigest
    }

    /// The largest list, in bytes.
    static let sizeLimit = 1 << 20

    private(set) var entries: [Entry] = []
    /// The indices of the entries with each last component, which every match shares.
    private var indices: [ExactText: [Int]] = [:]
    /// The only checksum of a file without names.
    private(set) var unnamed: BodyDigest?

    /// Why a file has no checksum.
    enum LookupError: Error, Equatable {
        /// No entry has the file's name.
        case noEntry(String)
        /// Several entries match, and their digests differ.
        case ambiguous(String)
        case isEmpty(String)

        /// The reason, to be printed after the list's name.
        var words: String {
            switch self {
            case .noEntry(let name): "has no checksum for \(Printable.text(name))"
            case .ambiguous(let name):
                "has several checksums for \(Printable.text(name))"
            case .isEmpty:
                "contains no checksums"
            }
        }
    }

    /// Parses a list.
    ///
    /// Comments, empty lines and other lines, such as those of a signature, are ignored, as in
    /// `sha256sum --check`. The carriage return of `CRLF` is not part of the name.
    init(_ bytes: some Sequence<UInt8>) {
        var bare: [BodyDigest] = []
        let text = Array(bytes).withoutByteOrderMark
        for line in text.split(separator: UInt8(ascii: "\n")) {
            guard let read = ChecksumLine(line) else { continue }
            if let name = read.name {
                entries.append(Entry(name: name, digest: read.digest))
            } else {
                bare.append(read.digest)
            }
        }
        for (index, entry) in entries.enumerated() {
            if let last = Self.parts(entry.name).last { indices[last, default: []].append(index) }
        }
        if entries.isEmpty, bare.count == 1 { unnamed = bare[0] }
    }

    /// Finds the checksum of a file by the URL's path, percent-decoded, and by the local file name.
    ///
    /// An entry matches if the path of the URL ends with its name; the longest match is used, which
    /// distinguishes `arm/tool` and `x86/tool`. Next, the last components of both are compared, and
    /// then the entry's last component and the local file name. Of several algorithms, the
    /// strongest is used.
    func expected(path: String, name: String?) throws(LookupError) -> ExpectedDigest {
        if let unnamed { return ExpectedDigest(unnamed) }
        let path = Self.parts(path)
        if let last = path.last {
            let fit = { (parts: [ExactText]) in
                path.suffix(parts.count).elementsEqual(parts) ? parts.count : 0
            }
            if let found = try best(of: last, fit) { return found }
            if let found = try best(of: last) { return found }
        }
        if let name, let found = try best(of: ExactText(name)) { return found }
        let shown = path.last?.text ?? name ?? "/"
        throw entries.isEmpty ? .isEmpty(shown) : .noEntry(shown)
    }

    /// The checksum of the entries with this last component and the highest `fit`.
    private func best(
        of name: ExactText,
        _ fit: ([ExactText]) -> Int = { _ in 1 }
    ) throws(LookupError) -> ExpectedDigest? {
        let fits = indices[name, default: []].map { index in
            (entry: entries[index], fit: fit(Self.parts(entries[index].name)))
        }
        guard let most = fits.map(\.fit).max(), most > 0 else { return nil }
        let found = fits.filter { $0.fit == most }.map(\.entry.digest)
        guard let expected = ExpectedDigest(Array(Set(found))) else { return nil }
        guard expected.digests.count == 1 else { throw .ambiguous(name.text) }
        return expected
    }

    private static func parts(_ path: String) -> [ExactText] {
        path.split(byte: UInt8(ascii: "/")).filter { $0 != "." }.map { ExactText($0) }
    }
}

/// One line of a list of checksums.
///
/// sha256sum(1) writes `HEX  NAME` and `HEX *NAME`; BSD's tools and `--tag` write
/// `SHA256 (NAME) = HEX`. The line begins with a backslash if the name contains escapes: a
/// backslash before `n`, `r` or a backslash.
struct ChecksumLine {
    /// `nil` for a checksum alone.
    let name: String?
    let digest: BodyDigest

    /// `nil` if the line has another form, or names an unknown algorithm.
    init?(_ bytes: ArraySlice<UInt8>) {
        var line = bytes
        if line.last == 0x0D { line.removeLast() }
        line = line.drop { $0 == 0x20 || $0 == 0x09 }
        // No file name contains a NUL.
        guard !line.isEmpty, line.first != UInt8(ascii: "#"), !line.contains(0) else { return nil }
        let isEscaped = line.first == UInt8(ascii: "\\")
        if isEscaped { line.removeFirst() }
        guard let read = Self.plain(line) ?? Self.tagged(line) else { return nil }
        digest = read.digest
        guard let given = read.name else {
            name = nil
            return
        }
        guard let bytes = isEscaped ? Self.unescaped(given) : Array(given), !bytes.isEmpty else {
            return nil
        }
        name = String(decoding: bytes, as: UTF8.self)
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
        // One blank, or `*` for binary mode; BSD's -r has neither.
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
        // `cksum --base64` writes base64 in place of hexadecimal.
        guard
            let digest = BodyDigest(algorithm, hex: value) ?? BodyDigest(algorithm, base64: value)
        else { return nil }
        return (line[(open + 1)..<close], digest)
    }

    /// The name without escapes; `nil` if a backslash precedes another character.
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
