/// A content coding that can be undone, by the name that
/// [RFC 9110 §8.4.1](https://www.rfc-editor.org/rfc/rfc9110#section-8.4.1) or IANA gives it.
enum ContentCoding: String, Sendable, CaseIterable {
    case gzip
    case deflate
    case br
    case zstd

    /// The coding of a name in any case; `nil` where it is none of these.
    init?(name: some StringProtocol) {
        let name = name.asciiLowercased
        self.init(rawValue: name == "x-gzip" ? "gzip" : name)
    }

    /// The library that undoes it.
    var library: String {
        switch self {
        case .gzip, .deflate: "libz.so.1"
        case .br: "libbrotlidec.so.1"
        case .zstd: "libzstd.so.1"
        }
    }

    /// `Accept-Encoding` for all that this process can undo; empty where that is nothing.
    ///
    /// A library that libcurl has not brought along is loaded, so that every edition says the same.
    static let accepted = allCases.filter(\.canBeUndone).map(\.rawValue).joined(separator: ", ")

    private var canBeUndone: Bool {
        switch self {
        case .gzip, .deflate: CodingLibraries.zlib != nil
        case .br: CodingLibraries.brotli != nil
        case .zstd: CodingLibraries.zstd != nil
        }
    }
}

/// What `Content-Encoding` says of a body, in the order in which it was done
/// ([RFC 9110 §8.4](https://www.rfc-editor.org/rfc/rfc9110#section-8.4)).
struct ContentCodings: Sendable, Equatable {
    /// No server that means well does more; each wants a window of its own.
    static let most = 3

    let names: [String]

    /// - Parameter fields: the response's; `nil` comes of those that name no coding.
    init?(_ fields: HTTPHeaderFields) {
        guard let text = fields["Content-Encoding"] else { return nil }
        let names = text.split(byte: UInt8(ascii: ","))
            .map { HTTPSyntax.trimmed($0).asciiLowercased }
            // `identity` has no business here, and `none` is a custom of some servers.
            .filter { !["", "identity", "none"].contains($0) }
        guard !names.isEmpty else { return nil }
        self.names = names
    }

    /// What undoes them, the last of it first.
    ///
    /// - Returns: the stage from which the body comes.
    /// - Throws: `cannotDecodeRawData` where one is unknown, or there are too many.
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

/// What is wrong with a coded body, in words that follow "the gzip body".
struct ContentError: Error, Equatable {
    let words: String

    /// The coding's own checks have failed, in its library's words.
    static func broken(_ words: UnsafePointer<CChar>?) -> ContentError {
        let reason = words.map { String(cString: $0) } ?? ""
        return ContentError(words: reason.isEmpty ? "is broken" : "is broken (\(reason))")
    }

    /// The body is over, and what holds its data is not.
    static func endsInside(_ part: String) -> ContentError {
        ContentError(words: "ends inside a \(part)")
    }

    /// There is more than the coding knows of.
    static let goesOn = ContentError(words: "continues with other data")
    /// There is no memory for a window.
    static let noMemory = ContentError(words: "needs more memory than is available")
}

/// Undoes one coding, piece by piece.
protocol ContentDecoder: AnyObject {
    /// Decodes as much as there is, or as there is room for.
    ///
    /// Where the output comes back full there may be more of it, also without more input.
    ///
    /// - Parameters:
    ///   - input: what was not decoded yet, at least one byte unless the last output was full; what
    ///     is decoded is taken off.
    ///   - output: where to, at least one byte.
    /// - Returns: the bytes of output.
    /// - Throws: where the input is not what it is called.
    func decode(
        _ input: inout UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(ContentError) -> Int

    /// Says that there is no more input, of which there was some.
    ///
    /// Throws where something is missing.
    func finish() throws(ContentError)
}

extension ContentCoding {
    /// - Returns: what undoes this coding; `nil` where its library is not there.
    /// - Throws: where there is no memory for it.
    func makeDecoder() throws(ContentError) -> (any ContentDecoder)? {
        switch self {
        case .gzip:
            try CodingLibraries.zlib.map { library throws(ContentError) in
                try GzipDecoder(library)
            }
        case .deflate: CodingLibraries.zlib.map { DeflateDecoder($0) }
        case .br:
            try CodingLibraries.brotli.map { library throws(ContentError) in
                try BrotliDecoder(library)
            }
        case .zstd:
            try CodingLibraries.zstd.map { library throws(ContentError) in
                try ZstdDecoder(library)
            }
        }
    }
}
