import CCodings

/// Undoes `deflate`: in zlib's wrapping, as
/// [RFC 9110 §8.4.1.2](https://www.rfc-editor.org/rfc/rfc9110#section-8.4.1.2) wants it, or bare, as
/// some servers send it.
///
/// The first two bytes tell: no compressor writes a bare block that begins as a wrapping does.
final class DeflateDecoder: ContentDecoder {
    private let library: CodingLibrary<shim_zlib>
    private var stream: InflateStream?
    /// The first byte, until the second has come.
    private var first: UInt8?
    private var hasEnded = false

    init(_ library: CodingLibrary<shim_zlib>) {
        self.library = library
    }

    func decode(
        _ input: inout UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(ContentFlaw) -> Int {
        guard !hasEnded else {
            guard input.isEmpty else { throw .goesOn }
            return 0
        }
        if stream == nil {
            guard try begin(&input) else { return 0 }
        }
        return try inflate(&input, into: output)
    }

    /// Finds out how the data is wrapped.
    ///
    /// - Returns: whether that is known.
    private func begin(_ input: inout UnsafeRawBufferPointer) throws(ContentFlaw) -> Bool {
        var header = [first].compactMap(\.self)
        header += input.prefix(2 - header.count)
        guard header.count == 2 else {
            first = header.first
            input = UnsafeRawBufferPointer(rebasing: input.dropFirst(input.count))
            return false
        }
        // RFC 1950 §2.2: the method is 8, and the two are a multiple of 31.
        let isWrapped = header[0] & 0x0F == 8 && (Int(header[0]) << 8 | Int(header[1])) % 31 == 0
        stream = try InflateStream(library, isWrapped ? .zlib : .raw)
        guard let first else { return true }
        // It has come by itself, and is too little to come to anything.
        var nothing: UInt8 = 0
        try withUnsafeBytes(of: first) { byte throws(ContentFlaw) in
            try withUnsafeMutableBytes(of: &nothing) { none throws(ContentFlaw) in
                var byte = byte
                _ = try inflate(&byte, into: none)
            }
        }
        return true
    }

    private func inflate(
        _ input: inout UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(ContentFlaw) -> Int {
        guard let (count, hasEnded) = try stream?.decode(&input, into: output) else { return 0 }
        self.hasEnded = hasEnded
        return count
    }

    func finish() throws(ContentFlaw) {
        guard hasEnded else { throw .endsInside("stream") }
    }
}
