import FoundationEssentials

/// A body in memory.
final class MemoryBody: CacheBody {
    let data: Data

    init(_ data: Data) {
        self.data = data
    }

    var length: Int64 { Int64(data.count) }

    func read(into space: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int {
        let count = min(space.count, data.count - Int(offset))
        guard count > 0 else { return 0 }
        let start = data.startIndex + Int(offset)
        data.copyBytes(
            to: UnsafeMutableRawBufferPointer(rebasing: space[..<count]),
            from: start..<start + count
        )
        return count
    }
}
