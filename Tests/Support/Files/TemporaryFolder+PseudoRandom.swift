import Foundation

extension TemporaryFolder {
    /// Writes a file of `PseudoRandom.bytes(size, seed: seed)` piece by piece; returns its path.
    @discardableResult
    public func writePseudoRandom(size: Int, seed: UInt64 = 1, to name: String) throws -> String {
        let file = try write([], to: name)
        guard let handle = FileHandle(forWritingAtPath: file) else {
            throw TestSupportError.lastSystemError("open \(file)")
        }
        defer { try? handle.close() }
        var generator = PseudoRandom(seed: seed)
        // A multiple of eight bytes, so that no word is cut between two pieces.
        let piece = 1 << 20
        var left = size
        while left > 0 {
            let count = min(piece, left)
            try handle.write(contentsOf: generator.bytes(count))
            left -= count
        }
        return file
    }
}
