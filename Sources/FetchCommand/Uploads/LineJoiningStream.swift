import URLLoading

/// Another stream without its CR, LF and NUL bytes: what curl sends for `-d @FILE`.
final class LineJoiningStream: HTTPBodyStream {
    private let source: any HTTPBodyStream

    init(_ source: any HTTPBodyStream) {
        self.source = source
    }

    /// Known only once all of it was read.
    var contentLength: Int64? { nil }

    func read(into space: UnsafeMutableRawBufferPointer) throws(URLError) -> HTTPBodyStreamRead {
        while true {
            let read = try source.read(into: space)
            guard case .bytes(let count) = read else { return read }
            var kept = 0
            for index in 0..<count where !Self.isDropped(space[index]) {
                space[kept] = space[index]
                kept += 1
            }
            if kept > 0 { return .bytes(kept) }
        }
    }

    /// Goes back to the beginning, where the source does.
    func seek(to offset: Int64) -> Bool { offset == 0 && source.seek(to: 0) }

    /// Whether curl leaves a byte out.
    static func isDropped(_ byte: UInt8) -> Bool {
        byte == 0x0D || byte == 0x0A || byte == 0
    }
}
