import CCodings

/// zlib's state while it inflates.
struct InflateStream: ~Copyable {
    /// How the deflated bytes are wrapped, in zlib's numbers for the largest window.
    enum Wrapping: CInt {
        case gzip = 31
        case zlib = 15
        case raw = -15
    }

    private let library: CodingLibrary<shim_zlib>
    /// zlib keeps the address.
    private let stream: UnsafeMutablePointer<z_stream>

    init(_ library: CodingLibrary<shim_zlib>, _ wrapping: Wrapping) throws(ContentFlaw) {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let status = withUnsafePointer(to: library.functions) {
            shim_inflate_init($0, stream, wrapping.rawValue)
        }
        guard status == Z_OK else {
            stream.deallocate()
            throw .noMemory
        }
        self.library = library
        self.stream = stream
    }

    deinit {
        withUnsafePointer(to: library.functions) { shim_inflate_end($0, stream) }
        stream.deallocate()
    }

    /// Inflates as much as there is, or as there is room for.
    ///
    /// - Returns: the bytes of output, and whether the data has ended.
    mutating func decode(
        _ input: inout UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(ContentFlaw) -> (count: Int, hasEnded: Bool) {
        let part = UnsafeRawBufferPointer(rebasing: input.prefix(Int(CInt.max)))
        let bytes = part.assumingMemoryBound(to: Bytef.self).baseAddress
        stream.pointee.next_in = bytes.map { UnsafeMutablePointer(mutating: $0) }
        stream.pointee.avail_in = uInt(part.count)
        stream.pointee.next_out = output.assumingMemoryBound(to: Bytef.self).baseAddress
        stream.pointee.avail_out = uInt(output.count)
        let status = withUnsafePointer(to: library.functions) { shim_inflate($0, stream) }
        let taken = part.count - Int(stream.pointee.avail_in)
        input = UnsafeRawBufferPointer(rebasing: input.dropFirst(taken))
        let count = output.count - Int(stream.pointee.avail_out)
        switch status {
        case Z_OK, Z_BUF_ERROR: return (count, false)
        case Z_STREAM_END: return (count, true)
        case Z_NEED_DICT: throw ContentFlaw(words: "wants a dictionary that nobody has")
        case Z_MEM_ERROR: throw .noMemory
        default: throw .broken(stream.pointee.msg)
        }
    }

    /// Begins again, for what is wrapped in the same way.
    mutating func reset() {
        _ = withUnsafePointer(to: library.functions) { shim_inflate_reset($0, stream) }
    }
}
