import CCodings

/// Decodes `zstd` ([RFC 8878](https://www.rfc-editor.org/rfc/rfc8878)): one or more frames.
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
        // Without input, zstd would report that the next frame is incomplete.
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

/// zstd's state for decoding.
struct ZstdStream: ~Copyable {
    /// 8 MiB, which every decoder must support ([RFC 9659
    /// §3](https://www.rfc-editor.org/rfc/rfc9659#section-3)).
    private static let maximumWindowLog: CInt = 23

    private let library: CodingLibrary<shim_zstd>
    private let context: OpaquePointer

    init(_ library: CodingLibrary<shim_zstd>) throws(ContentError) {
        self.library = library
        let context = withUnsafePointer(to: library.functions) {
            shim_zstd_create($0, Self.maximumWindowLog)
        }
        guard let context else { throw .noMemory }
        self.context = context
    }

    deinit {
        withUnsafePointer(to: library.functions) { shim_zstd_free($0, context) }
    }

    /// Decodes as much input as the output has room for.
    ///
    /// - Returns: the number of output bytes, and whether a frame has ended.
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
