import URLLoading

/// A list of checksums, as sha256sum(1) and its siblings write it, or the one checksum that a file
/// holds by itself.
struct ChecksumList: Equatable, Sendable {
    /// A line of it.
    struct Entry: Equatable, Sendable {
        /// The path as the list has it.
        let name: String
        let digest: BodyDigest
    }

    /// Bytes of a list that are read at the most.
    static let sizeLimit = 1 << 20

    private(set) var entries: [Entry] = []
    /// A checksum without a name, where there is just one, and nothing else.
    private(set) var alone: BodyDigest?

    /// Why a file gets none of the checksums.
    enum Lack: Error, Equatable {
        /// Nothing has such a name.
        case noEntry(String)
        /// Several have, and they differ.
        case ambiguous(String)
        /// There is none of any file.
        case isEmpty(String)

        /// In words, to be read behind the list's own name.
        var words: String {
            switch self {
            case .noEntry(let name): "has no checksum of \(Printable.text(name))"
            case .ambiguous(let name):
                "has several checksums of \(Printable.text(name)), of different files"
            case .isEmpty(let name):
                "has no checksum of \(Printable.text(name)), nor of anything else"
            }
        }
    }

    /// Reads a list, of which not one line need be of any use.
    ///
    /// Comments, empty lines and lines that mean something else, such as a signature's, are passed
    /// over, as `sha256sum --check` does. Of `CRLF` the carriage return is none of the name.
    init(_ bytes: some Sequence<UInt8>) {
        var bare: [BodyDigest] = []
        for line in Array(bytes).split(separator: UInt8(ascii: "\n")) {
            switch ChecksumLine(line) {
            case .entry(let name, let digest): entries.append(Entry(name: name, digest: digest))
            case .bare(let digest): bare.append(digest)
            case nil: break
            }
        }
        if entries.isEmpty, bare.count == 1 { alone = bare[0] }
    }

    /// Finds what a file must come to.
    ///
    /// An entry is a file's where the path of the URL ends in it; the longest such counts, so that
    /// `arm/tool` and `x86/tool` are told apart. Then one whose own last part is the URL's, and at
    /// last the same for the name that the file is given here. Of several functions the strongest
    /// counts.
    ///
    /// - Parameters:
    ///   - path: the URL's, percent-decoded.
    ///   - name: the file's own; `nil` where it has none.
    /// - Returns: the checksum.
    /// - Throws: why there is none.
    func expected(path: String, name: String?) throws(Lack) -> ExpectedDigest {
        if let alone { return ExpectedDigest(alone) }
        let path = Self.parts(path)
        if let last = path.last {
            if let found = try best(of: last.text, { Self.isEnd($0, of: path) ? $0.count : 0 }) {
                return found
            }
            if let found = try best(of: last.text, { $0.last == last ? 1 : 0 }) { return found }
        }
        if let name, let found = try best(of: name, { $0.last == ExactText(name) ? 1 : 0 }) {
            return found
        }
        let shown = path.last?.text ?? name ?? "/"
        throw entries.isEmpty ? .isEmpty(shown) : .noEntry(shown)
    }

    /// What the entries come to that fit best.
    private func best(
        of name: String,
        _ fit: ([ExactText]) -> Int
    ) throws(Lack) -> ExpectedDigest? {
        let fits = entries.map { (entry: $0, fit: fit(Self.parts($0.name))) }
        guard let most = fits.map(\.fit).max(), most > 0 else { return nil }
        let found = fits.filter { $0.fit == most }.map(\.entry.digest)
        guard let expected = ExpectedDigest(Array(Set(found))) else { return nil }
        guard expected.digests.count == 1 else { throw .ambiguous(name) }
        return expected
    }

    private static func parts(_ path: String) -> [ExactText] {
        path.split(byte: UInt8(ascii: "/")).filter { $0 != "." }.map { ExactText($0) }
    }

    private static func isEnd(_ parts: [ExactText], of path: [ExactText]) -> Bool {
        parts.count <= path.count && parts == Array(path.suffix(parts.count))
    }
}
