import CCodings

/// Decodes `zstd` ([RFC 8878](https://www.rfc-editor.org/rfc/rfc8878)): one or more frames.
final class ZstdDecoder: ContentDecoder {
    /// 8 MiB, which every decoder must support ([RFC 9659
    /// §3](https://www.rfc-editor.org/rfc/rfc9659#section-3)).
    private static let maximumWindowLog: CInt = 23

    private let library: CodingLibrary<shim_zstd>
    private let context: OpaquePointer
    private var isBetween = false

    init(_ library: CodingLibrary<shim_zstd>) throws(ContentError) {
        self.library = library
        let context = withUnsafePointer(to: library.functions) {
            shim_zstd_create($0, ZstdDecoder.maximumWindowLog)
        }
        guard let context else { throw .noMemory }
        self.context = context
    }

    deinit {
        withUnsafePointer(to: library.functions) { shim_zstd_free($0, context) }
    }

    func decode(
        _ input: inout UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(ContentError) -> Int {
        // Without input, zstd would report that the next frame is incomplete.
        while !isBetween || !input.isEmpty {
            let count = try decodeOnce(&input, into: output)
            if count > 0 || !isBetween { return count }
        }
        return 0
    }

    func finish() throws(ContentError) {
        guard isBetween else { throw .endsInside("frame") }
    }

    /// Decodes as much input as the output has room for, up to the end of a frame.
    private func decodeOnce(
        _ input: inout UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(ContentError) -> Int {
        var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
        var target = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        let result = withUnsafePointer(to: library.functions) {
            shim_zstd_decode($0, context, &target, &source)
        }
        input = UnsafeRawBufferPointer(rebasing: input.dropFirst(source.pos))
        let error = withUnsafePointer(to: library.functions) { shim_zstd_error($0, result) }
        if let error { throw .broken(error) }
        isBetween = result == 0
        return target.pos
    }
}
