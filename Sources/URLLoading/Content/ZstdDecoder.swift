import CCodings

/// Undoes `zstd` ([RFC 8878](https://www.rfc-editor.org/rfc/rfc8878)): one frame or several.
final class ZstdDecoder: ContentDecoder {
    private var stream: ZstdStream
    private var isBetween = false

    init(_ library: CodingLibrary<shim_zstd>) throws(ContentError) {
        stream = try ZstdStream(library)
    }

    func decode(
        _ input: inout UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(ContentError) -> Int {
        // Asked without input it would say that the next frame is not whole.
        while !isBetween || !input.isEmpty {
            let (count, hasEnded) = try stream.decode(&input, into: output)
            isBetween = hasEnded
            if count > 0 || !hasEnded { return count }
        }
        return 0
    }

    func finish() throws(ContentError) {
        guard isBetween else { throw .endsInside("frame") }
    }
}

/// zstd's state while it decodes.
struct ZstdStream: ~Copyable {
    /// 8 MiB, all that a decoder has to have
    /// ([RFC 9659 §3](https://www.rfc-editor.org/rfc/rfc9659#section-3)).
    private static let greatestWindowLog: CInt = 23

    private let library: CodingLibrary<shim_zstd>
    private let context: OpaquePointer

    init(_ library: CodingLibrary<shim_zstd>) throws(ContentError) {
        self.library = library
        let context = withUnsafePointer(to: library.functions) {
            shim_zstd_create($0, Self.greatestWindowLog)
        }
        guard let context else { throw .noMemory }
        self.context = context
    }

    deinit {
        withUnsafePointer(to: library.functions) { shim_zstd_free($0, context) }
    }

    /// Decodes as much as there is, or as there is room for.
    ///
    /// - Returns: the bytes of output, and whether a frame has ended with them.
    mutating func decode(
        _ input: inout UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(ContentError) -> (count: Int, hasEnded: Bool) {
        var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
        var target = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        let result = withUnsafePointer(to: library.functions) {
            shim_zstd_decode($0, context, &target, &source)
        }
        input = UnsafeRawBufferPointer(rebasing: input.dropFirst(source.pos))
        let error = withUnsafePointer(to: library.functions) { shim_zstd_error($0, result) }
        if let error { throw .broken(error) }
        return (target.pos, result == 0)
    }
}
