import CTestCodings

/// Encodes bodies as servers do, with the libraries' own encoders.
public enum Coder: String, Sendable, CaseIterable {
    /// gzip with one member.
    case gzip
    /// `deflate` in zlib's wrapping.
    case deflate
    /// `deflate` without a wrapper, as some servers send it.
    case rawDeflate
    case br
    case zstd

    /// The name in `Content-Encoding`.
    public var name: String { self == .rawDeflate ? "deflate" : rawValue }

    /// Encodes bytes.
    ///
    /// - Parameters:
    ///   - bytes: At most 2 GiB.
    ///   - windowLog: Binary logarithm of the window's size; 0: br or zstd chooses.
    /// - Returns: The encoded bytes.
    public func code(_ bytes: [UInt8], windowLog: Int = 0) -> [UInt8] {
        let room = bytes.count + bytes.count / 8 + 1_024
        return [UInt8](unsafeUninitializedCapacity: room) { space, count in
            bytes.withUnsafeBufferPointer { bytes in
                let start = bytes.baseAddress
                let out = space.baseAddress
                count =
                    switch self {
                    case .gzip: coder_deflate(31, 6, start, bytes.count, out, room)
                    case .deflate: coder_deflate(15, 6, start, bytes.count, out, room)
                    case .rawDeflate: coder_deflate(-15, 6, start, bytes.count, out, room)
                    case .br:
                        coder_brotli(
                            CInt(windowLog == 0 ? 22 : windowLog),
                            start,
                            bytes.count,
                            out,
                            room
                        )
                    case .zstd: coder_zstd(CInt(windowLog), start, bytes.count, out, room)
                    }
            }
        }
    }

    /// A text that compresses well, and in which no line occurs twice.
    public static func text(_ lines: Int) -> [UInt8] {
        Array((0..<lines).map { "line \($0) of a text that is coded on its way\n" }.joined().utf8)
    }
}
