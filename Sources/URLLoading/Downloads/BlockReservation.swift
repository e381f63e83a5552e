/// Blocks that are set aside for a file, a little ahead of what is written to it.
///
/// The length of a body is a server's claim. So no more is set aside than has come already, and no
/// more than a small share of what the disk has free.
struct BlockReservation {
    /// Below this a call costs more than it saves, bytes.
    private static let least: Int64 = 1 << 20
    /// The most that is set aside ahead of the bytes, bytes.
    private static let most: Int64 = 64 << 20
    /// One call takes this part of the free blocks at the most.
    private static let shareOfFreeSpace: Int64 = 16

    /// Where the first byte was written.
    private let start: Int64
    /// Where the blocks end that were set aside.
    private(set) var end: Int64 = 0
    private var isOver = false

    /// - Parameter start: where the first byte goes.
    init(start: Int64) {
        self.start = start
    }

    /// Sets blocks aside, where it is time for that.
    ///
    /// - Parameters:
    ///   - file: the file.
    ///   - position: where the next byte goes; what is before it has come.
    ///   - total: the length of the whole, as the server says.
    /// - Returns: `false` where the disk has refused; what the failed call took has to be given back.
    mutating func advance(in file: PartFile, to position: Int64, of total: Int64) -> Bool {
        let received = position - start
        guard !isOver, received >= Self.least, position + Self.least > end,
            total - max(position, end) >= Self.least
        else { return true }
        guard let free = file.freeSpace else {
            isOver = true
            return true
        }
        let first = max(position, end)
        let ahead = min(total - first, received, Self.most, free / Self.shareOfFreeSpace)
        guard ahead >= Self.least else { return true }
        guard file.reserve(first..<first + ahead) else {
            isOver = true
            return false
        }
        end = first + ahead
        return true
    }
}
