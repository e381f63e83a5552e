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
    ) throws(ContentFlaw) -> Int

    /// Says that there is no more input, of which there was some.
    ///
    /// Throws where something is missing.
    func finish() throws(ContentFlaw)
}

extension ContentCoding {
    /// - Returns: what undoes this coding; `nil` where its library is not there.
    /// - Throws: where there is no memory for it.
    func makeDecoder() throws(ContentFlaw) -> (any ContentDecoder)? {
        switch self {
        case .gzip:
            try CodingLibraries.zlib.map { library throws(ContentFlaw) in
                try GzipDecoder(library)
            }
        case .deflate: CodingLibraries.zlib.map { DeflateDecoder($0) }
        case .br:
            try CodingLibraries.brotli.map { library throws(ContentFlaw) in
                try BrotliDecoder(library)
            }
        case .zstd:
            try CodingLibraries.zstd.map { library throws(ContentFlaw) in
                try ZstdDecoder(library)
            }
        }
    }
}
