import Synchronization

/// A spooled body, read from its first byte.
final class SpooledBodyStream: HTTPBodyStream {
    private let spool: BodySpool
    private let number: Int
    private let offset = Mutex<Int64>(0)

    init(_ spool: BodySpool, number: Int) {
        self.spool = spool
        self.number = number
    }

    var contentLength: Int64? { spool.contentLength }

    func read(
        into space: UnsafeMutableRawBufferPointer
    ) throws(URLError) -> HTTPBodyStreamRead {
        try offset.withLock { offset throws(URLError) in
            let read = try spool.read(into: space, from: offset, for: number)
            if case .bytes(let count) = read { offset += Int64(count) }
            return read
        }
    }

    func seek(to offset: Int64) -> Bool {
        self.offset.withLock { current in
            guard spool.reaches(offset, for: number) else { return false }
            current = offset
            return true
        }
    }
}
