import Glibc
import SystemPackage
import URLLoading

/// Where lines go: whole ones, as many at once as stay whole beside those of another process.
struct EventOutput: Sendable {
    let output: OutputDescriptor
    /// How many bytes of whole lines are written at once.
    let batch: Int
    private let isRegular: Bool

    init(_ output: OutputDescriptor) {
        self.output = output
        var status = stat()
        let isKnown = fstat(output.descriptor.rawValue, &status) == 0
        isRegular = isKnown && status.st_mode & S_IFMT == S_IFREG
        // pipe(7): so much goes into a pipe in one piece, or not at all. A file takes any write in
        // one piece.
        batch = isRegular ? 65_536 : Int(PIPE_BUF)
    }

    /// Writes whole lines, waiting as long as the reader does.
    ///
    /// - Returns: how many bytes of whole lines are there, and why not all: what
    ///   `OutputDescriptor.writeSome` throws. A line that has come into a file by half is then taken
    ///   out of it again.
    func write(_ lines: [UInt8]) -> (written: Int, failure: (any Error)?) {
        var written = 0
        do {
            try lines.withUnsafeBytes { lines in
                while written < lines.count {
                    let rest = UnsafeRawBufferPointer(rebasing: lines[written...])
                    written += try output.writeSome(rest)
                }
            }
            return (written, nil)
        } catch {
            let whole = lines[..<written].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
            takeBack(written - whole)
            return (whole, error)
        }
    }

    /// Cuts a file's end off, unless it is somebody else's.
    private func takeBack(_ count: Int) {
        var status = stat()
        let descriptor = output.descriptor.rawValue
        guard count > 0, isRegular, fstat(descriptor, &status) == 0,
            lseek(descriptor, 0, SEEK_CUR) == status.st_size
        else { return }
        // Where it cannot be done, the last line is a half one, and a warning says that it ends.
        _ = ftruncate(descriptor, status.st_size - off_t(count))
    }
}
