public import FoundationEssentials
import Synchronization

/// A body in memory.
public final class DataBodyStream: HTTPBodyStream {
    private let data: Data
    private let offset = Mutex(0)

    /// Sends these bytes.
    public init(_ data: Data) {
        self.data = data
    }

    /// The length of the whole body, bytes.
    public var contentLength: Int64? { Int64(data.count) }

    /// Copies the next bytes; never waits.
    public func read(
        into space: UnsafeMutableRawBufferPointer
    ) throws(URLError) -> HTTPBodyStreamRead {
        offset.withLock { offset in
            let count = min(space.count, data.count - offset)
            guard count > 0 else { return .end }
            let start = data.startIndex + offset
            data.copyBytes(
                to: space.bindMemory(to: UInt8.self),
                from: start..<start + count
            )
            offset += count
            return .bytes(count)
        }
    }

    /// Goes anywhere within the data.
    public func seek(to offset: Int64) -> Bool {
        guard offset >= 0, offset <= data.count else { return false }
        self.offset.withLock { $0 = Int(offset) }
        return true
    }
}
