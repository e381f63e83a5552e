import CCodings

/// Decodes `br` ([RFC 7932](https://www.rfc-editor.org/rfc/rfc7932)): one stream, without trailing bytes.
///
/// A window has up to 16 MiB: large windows are disabled.
final class BrotliDecoder: ContentDecoder {
    private let library: CodingLibrary<shim_brotli>
    private let state: OpaquePointer
    private var hasEnded = false

    init(_ library: CodingLibrary<shim_brotli>) throws(ContentError) {
        self.library = library
        let state = withUnsafePointer(to: library.functions) { shim_brotli_create($0) }
        guard let state else { throw .noMemory }
        self.state = state
    }

    deinit {
        withUnsafePointer(to: library.functions) { shim_brotli_destroy($0, state) }
    }

    func decode(
        _ input: inout UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(ContentError) -> Int {
        guard !hasEnded else {
            guard input.isEmpty else { throw .trailingData }
            return 0
        }
        var left = input.count
        var next = input.assumingMemoryBound(to: UInt8.self).baseAddress
        var room = output.count
        var space = output.assumingMemoryBound(to: UInt8.self).baseAddress
        let result = withUnsafePointer(to: library.functions) {
            shim_brotli_decode($0, state, &left, &next, &room, &space)
        }
        input = UnsafeRawBufferPointer(rebasing: input.suffix(left))
        switch result {
        case BROTLI_DECODER_RESULT_SUCCESS: hasEnded = true
        case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT, BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT: break
        default:
            throw .broken(withUnsafePointer(to: library.functions) { shim_brotli_error($0, state) })
        }
        return output.count - room
    }

    func finish() throws(ContentError) {
        guard hasEnded else { throw .endsInside("stream") }
    }
}
