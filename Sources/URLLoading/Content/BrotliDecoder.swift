import CCodings

/// Undoes `br` ([RFC 7932](https://www.rfc-editor.org/rfc/rfc7932)): one stream, and nothing after.
final class BrotliDecoder: ContentDecoder {
    private var stream: BrotliStream
    private var hasEnded = false

    init(_ library: CodingLibrary<shim_brotli>) throws(ContentFlaw) {
        stream = try BrotliStream(library)
    }

    func decode(
        _ input: inout UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(ContentFlaw) -> Int {
        guard !hasEnded else {
            guard input.isEmpty else { throw .goesOn }
            return 0
        }
        let (count, hasEnded) = try stream.decode(&input, into: output)
        self.hasEnded = hasEnded
        return count
    }

    func finish() throws(ContentFlaw) {
        guard hasEnded else { throw .endsInside("stream") }
    }
}
