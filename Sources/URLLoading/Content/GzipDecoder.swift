import CCodings

/// Undoes gzip ([RFC 1952](https://www.rfc-editor.org/rfc/rfc1952)): one member or several, and
/// zeros after the last, with which tapes and some servers fill up a block.
///
/// What else follows a member is a flaw, as gzip(1) says too, where browsers look away.
final class GzipDecoder: ContentDecoder {
    private enum Place {
        case inside
        case between
        case padding
    }

    private var stream: InflateStream
    private var place = Place.inside

    init(_ library: CodingLibrary<shim_zlib>) throws(ContentFlaw) {
        stream = try InflateStream(library, .gzip)
    }

    func decode(
        _ input: inout UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(ContentFlaw) -> Int {
        while true {
            switch place {
            case .inside:
                let (count, hasEnded) = try stream.decode(&input, into: output)
                if hasEnded { place = .between }
                if count > 0 || input.isEmpty { return count }
                // A member of no bytes may be followed by another.
                guard hasEnded else { return 0 }
            case .between:
                guard let first = input.first else { return 0 }
                guard first == 0x1F || first == 0 else { throw .goesOn }
                place = first == 0 ? .padding : .inside
                if first != 0 { stream.reset() }
            case .padding:
                guard input.allSatisfy({ $0 == 0 }) else { throw .goesOn }
                input = UnsafeRawBufferPointer(rebasing: input.dropFirst(input.count))
                return 0
            }
        }
    }

    func finish() throws(ContentFlaw) {
        if case .inside = place { throw .endsInside("member") }
    }
}
