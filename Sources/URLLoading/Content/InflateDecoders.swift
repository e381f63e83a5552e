import CCodings

/// Decodes gzip ([RFC 1952](https://www.rfc-editor.org/rfc/rfc1952)): one or more members, and padding
/// zeros after the last, as on tapes and from some servers.
///
/// Other bytes after a member are an error, as in gzip(1); browsers ignore them.
final class GzipDecoder: ContentDecoder {
    private enum Place {
        case inside
        case between
        case padding
    }

    private var stream: InflateStream
    private var place = Place.inside

    init(_ library: CodingLibrary<shim_zlib>) throws(ContentError) {
        stream = try InflateStream(library, .gzip)
    }

    func decode(
        _ input: inout UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(ContentError) -> Int {
        while true {
            switch place {
            case .inside:
                let (count, hasEnded) = try stream.decode(&input, into: output)
                if hasEnded { place = .between }
                if count > 0 || input.isEmpty { return count }
                // Another member may follow an empty one.
                guard hasEnded else { return 0 }
            case .between:
                guard let first = input.first else { return 0 }
                guard first == 0x1F || first == 0 else { throw .trailingData }
                place = first == 0 ? .padding : .inside
                if first != 0 { stream.reset() }
            case .padding:
                guard input.allSatisfy({ $0 == 0 }) else { throw .trailingData }
                input = UnsafeRawBufferPointer(rebasing: input.dropFirst(input.count))
                return 0
            }
        }
    }

    func finish() throws(ContentError) {
        if case .inside = place { throw .endsInside("member") }
    }
}

/// Decodes `deflate`: with zlib's header, as [RFC 9110
/// §8.4.1.2](https://www.rfc-editor.org/rfc/rfc9110#section-8.4.1.2) requires, or raw, as some servers
/// send it.
///
/// The first two bytes decide: no compressor writes a raw block that begins like a header.
final class DeflateDecoder: ContentDecoder {
    private let library: CodingLibrary<shim_zlib>
    private var stream: InflateStream?
    /// The first byte, until the second has arrived.
    private var first: UInt8?
    private var hasEnded = false

    init(_ library: CodingLibrary<shim_zlib>) {
        self.library = library
    }

    func decode(
        _ input: inout UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(ContentError) -> Int {
        guard !hasEnded else {
            guard input.isEmpty else { throw .trailingData }
            return 0
        }
        if stream == nil {
            guard try begin(&input) else { return 0 }
        }
        return try inflate(&input, into: output)
    }

    /// Detects whether the data has zlib's header; returns whether that is known.
    private func begin(_ input: inout UnsafeRawBufferPointer) throws(ContentError) -> Bool {
        var header = [first].compactMap(\.self)
        header += input.prefix(2 - header.count)
        guard header.count == 2 else {
            first = header.first
            input = UnsafeRawBufferPointer(rebasing: input.dropFirst(input.count))
            return false
        }
        // RFC 1950 §2.2: the method is 8, and the two bytes as a number are a multiple of 31.
        let isWrapped = header[0] & 0x0F == 8 && (Int(header[0]) << 8 | Int(header[1])) % 31 == 0
        stream = try InflateStream(library, isWrapped ? .zlib : .raw)
        guard let first else { return true }
        // The first byte arrived alone; we decode it first, without any output.
        var nothing: UInt8 = 0
        try withUnsafeBytes(of: first) { byte throws(ContentError) in
            try withUnsafeMutableBytes(of: &nothing) { none throws(ContentError) in
                var byte = byte
                _ = try inflate(&byte, into: none)
            }
        }
        return true
    }

    private func inflate(
        _ input: inout UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(ContentError) -> Int {
        guard let (count, hasEnded) = try stream?.decode(&input, into: output) else { return 0 }
        self.hasEnded = hasEnded
        return count
    }

    func finish() throws(ContentError) {
        guard hasEnded else { throw .endsInside("stream") }
    }
}

/// zlib's state for inflating.
struct InflateStream: ~Copyable {
    /// The format of the deflated bytes, as zlib's number for the largest window.
    enum Wrapping: CInt {
        case gzip = 31
        case zlib = 15
        case raw = -15
    }

    private let library: CodingLibrary<shim_zlib>
    /// zlib stores this address, so it must not change.
    private let stream: UnsafeMutablePointer<z_stream>

    init(_ library: CodingLibrary<shim_zlib>, _ wrapping: Wrapping) throws(ContentError) {
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

    /// Inflates as much input as the output has room for.
    mutating func decode(
        _ input: inout UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(ContentError) -> (count: Int, hasEnded: Bool) {
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
        case Z_NEED_DICT: throw ContentError(words: "needs an unknown dictionary")
        case Z_MEM_ERROR: throw .noMemory
        default: throw .broken(stream.pointee.msg)
        }
    }

    /// Restarts, for data in the same format.
    mutating func reset() {
        _ = withUnsafePointer(to: library.functions) { shim_inflate_reset($0, stream) }
    }
}
