import CCodings

/// Undoes `zstd` ([RFC 8878](https://www.rfc-editor.org/rfc/rfc8878)): one frame or several.
final class ZstdDecoder: ContentDecoder {
    private var stream: ZstdStream
    private var isBetween = false

    init(_ library: CodingLibrary<shim_zstd>) throws(ContentFlaw) {
        stream = try ZstdStream(library)
    }

    func decode(
        _ input: inout UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(ContentFlaw) -> Int {
        // Asked without input it would say that the next frame is not whole.
        while !isBetween || !input.isEmpty {
            let (count, hasEnded) = try stream.decode(&input, into: output)
            isBetween = hasEnded
            if count > 0 || !hasEnded { return count }
        }
        return 0
    }

    func finish() throws(ContentFlaw) {
        guard isBetween else { throw .endsInside("frame") }
    }
}
