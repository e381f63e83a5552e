import Synchronization
import URLLoading

/// Several streams, read one after another.
final class JoinedStream: HTTPBodyStream {
    let contentLength: Int64?
    private let rest: Mutex<ArraySlice<any HTTPBodyStream>>

    init(_ streams: [any HTTPBodyStream]) {
        contentLength = streams.reduce(0) { sum, stream in
            guard let sum, let length = stream.contentLength else { return nil }
            return sum.adding(clamping: length)
        }
        rest = Mutex(streams[...])
    }

    func read(into space: UnsafeMutableRawBufferPointer) throws(URLError) -> HTTPBodyStreamRead {
        try rest.withLock { rest throws(URLError) in
            while let stream = rest.first {
                let read = try stream.read(into: space)
                guard read == .end else { return read }
                rest.removeFirst()
            }
            return .end
        }
    }
}

/// A stream without CR, LF and NUL bytes, as curl sends `-d @FILE`.
final class LineJoiningStream: HTTPBodyStream {
    private let source: any HTTPBodyStream

    init(_ source: any HTTPBodyStream) {
        self.source = source
    }

    /// Unknown until the source was read completely.
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

    /// Seeks to the beginning if the source can.
    func seek(to offset: Int64) -> Bool { offset == 0 && source.seek(to: 0) }

    /// Whether curl drops the byte.
    static func isDropped(_ byte: UInt8) -> Bool {
        byte == 0x0D || byte == 0x0A || byte == 0
    }
}
