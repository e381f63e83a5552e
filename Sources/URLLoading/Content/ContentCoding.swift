/// A content coding that we can decode, by its name in [RFC 9110
/// §8.4.1](https://www.rfc-editor.org/rfc/rfc9110#section-8.4.1) or at IANA.
enum ContentCoding: String, Sendable, CaseIterable {
    case gzip
    case deflate
    case br
    case zstd

    /// The coding with a name in any case; `nil` where it is not supported.
    init?(name: some StringProtocol) {
        let name = name.asciiLowercased
        self.init(rawValue: name == "x-gzip" ? "gzip" : name)
    }

    /// The library that decodes it.
    var library: String {
        switch self {
        case .gzip, .deflate: "libz.so.1"
        case .br: "libbrotlidec.so.1"
        case .zstd: "libzstd.so.1"
        }
    }

    /// `Accept-Encoding` with all codings that this process can decode; empty: none.
    ///
    /// We load a library here that libcurl has not loaded, so that every edition sends the same field.
    static let accepted = allCases.filter(\.canBeUndone).map(\.rawValue).joined(separator: ", ")

    private var canBeUndone: Bool {
        switch self {
        case .gzip, .deflate: CodingLibraries.zlib != nil
        case .br: CodingLibraries.brotli != nil
        case .zstd: CodingLibraries.zstd != nil
        }
    }
}

/// The content codings of a body, in the order in which they were applied ([RFC 9110
/// §8.4](https://www.rfc-editor.org/rfc/rfc9110#section-8.4)).
struct ContentCodings: Sendable, Equatable {
    /// The most codings of a body; each needs memory for a window, and no proper server uses more.
    static let most = 3

    let names: [String]

    /// The codings of a response; `nil` where its fields name none.
    init?(_ fields: HTTPHeaderFields) {
        guard let text = fields["Content-Encoding"] else { return nil }
        let names = text.split(byte: UInt8(ascii: ","))
            .map { HTTPSyntax.trimmed($0).asciiLowercased }
            // The RFC does not allow `identity` here, and some servers send `none`.
            .filter { !["", "identity", "none"].contains($0) }
        guard !names.isEmpty else { return nil }
        self.names = names
    }

    /// The decoding stages: the first takes the body, and the last yields the decoded body.
    ///
    /// The first decodes the coding that was applied last. Throws `cannotDecodeRawData` where a coding is
    /// unknown, or there are too many.
    func makeStages() throws(URLError) -> (first: DecodingStage, last: DecodingStage) {
        guard names.count <= Self.most, let outermost = names.last else {
            let words = "\(names.count) content codings are applied to the body"
            throw URLError(.cannotDecodeRawData, detail: words)
        }
        let first = try DecodingStage(Self.coding(outermost), after: nil)
        var last = first
        for name in names.dropLast().reversed() {
            last = try DecodingStage(Self.coding(name), after: last)
        }
        return (first, last)
    }

    private static func coding(_ name: String) throws(URLError) -> ContentCoding {
        if let coding = ContentCoding(name: name) { return coding }
        let known = ContentCoding.allCases.map(\.rawValue).joined(separator: ", ")
        throw URLError(
            .cannotDecodeRawData,
            detail: "the body is encoded as \"\(name)\", and the supported codings are \(known)"
        )
    }
}

extension HTTPURLResponse {
    /// Whether the content codings of the body, if there are any, can be decoded.
    package var hasKnownCodings: Bool {
        ContentCodings(headerFields)?.names.allSatisfy { ContentCoding(name: $0) != nil } ?? true
    }
}

/// An error in a coded body, as text that follows "the gzip body".
struct ContentError: Error, Equatable {
    let words: String

    /// The library reported an error; the text is the library's.
    static func broken(_ words: UnsafePointer<CChar>?) -> ContentError {
        let reason = words.map { String(cString: $0) } ?? ""
        return ContentError(words: reason.isEmpty ? "is broken" : "is broken (\(reason))")
    }

    /// The body ended before the coded data.
    static func endsInside(_ part: String) -> ContentError {
        ContentError(words: "ends inside a \(part)")
    }

    /// Bytes follow after the end of the coded data.
    static let trailingData = ContentError(words: "continues with other data")
    /// No memory for a window.
    static let noMemory = ContentError(words: "needs more memory than is available")
}

/// Decodes one coding, in pieces.
protocol ContentDecoder: AnyObject {
    /// Decodes as much input as the output has room for, and removes the decoded bytes from the input.
    ///
    /// If the output is full, more output may follow even without further input. Otherwise the input must
    /// have at least one byte. Returns the number of output bytes.
    func decode(
        _ input: inout UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(ContentError) -> Int

    /// Ends the input, of at least one byte; throws where the coded data is incomplete.
    func finish() throws(ContentError)
}

extension ContentCoding {
    /// A decoder; `nil` where the library is missing.
    func makeDecoder() throws(ContentError) -> (any ContentDecoder)? {
        switch self {
        case .gzip: try CodingLibraries.zlib.map(GzipDecoder.init)
        case .deflate: CodingLibraries.zlib.map(DeflateDecoder.init)
        case .br: try CodingLibraries.brotli.map(BrotliDecoder.init)
        case .zstd: try CodingLibraries.zstd.map(ZstdDecoder.init)
        }
    }
}
