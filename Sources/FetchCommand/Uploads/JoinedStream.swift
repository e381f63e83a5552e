import Synchronization
import URLLoading

/// Several streams, one after the other.
final class JoinedStream: HTTPBodyStream {
    let contentLength: Int64?
    private let rest: Mutex<ArraySlice<any HTTPBodyStream>>

    init(_ streams: [any HTTPBodyStream]) {
        contentLength = streams.reduce(0) { sum, stream in
            guard let sum, let length = stream.contentLength else { return nil }
            return sum + length
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
