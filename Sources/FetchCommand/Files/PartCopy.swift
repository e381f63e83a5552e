import CLinux
import Glibc
import SystemPackage
import URLLoading

/// A part file made of the beginning of another file, which stays what it is.
enum PartCopy {
    /// Bytes that are copied between two looks at the clock.
    private static let step: Int64 = 64 << 20

    /// Copies the first bytes of a file; where the file system can, without writing them twice.
    ///
    /// - Parameters:
    ///   - unproven: the file, and how many bytes of it.
    ///   - part: the new file; an empty one that is there already will do.
    ///   - deadline: when to give up.
    /// - Throws: `cannotOpenFile` where the file is not any more what was looked at,
    ///   `cannotCreateFile`, `cannotWriteToFile`, `timedOut`; then there is no part.
    static func make(
        of unproven: UnprovenPart,
        at part: String,
        until deadline: ContinuousClock.Instant?
    ) throws(URLError) {
        let path = unproven.path
        let source = try unproven.open()
        defer { try? source.close() }
        let target = try openEmpty(part)
        defer { try? target.close() }
        var left = unproven.size
        while left > 0 {
            if let deadline, deadline <= .now {
                unlink(part)
                throw URLError(.timedOut, detail: "while \(path) was copied to \(part)")
            }
            let asked = Int(min(left, step))
            let count = linux_copy_file_range(source.rawValue, target.rawValue, asked)
            guard count > 0 else {
                let reason = count == 0 ? "\(path) has become shorter" : "\(Errno(rawValue: errno))"
                unlink(part)
                throw URLError(.cannotWriteToFile, detail: "\(part): \(reason)")
            }
            left -= Int64(count)
        }
    }

    /// Opens and locks the part, so that no other process takes it meanwhile.
    private static func openEmpty(_ part: String) throws(URLError) -> FileDescriptor {
        let target = try PartFile.makeOrOpen(part, .ownerReadWrite).file
        guard (try? target.seek(offset: 0, from: .end)) == 0 else {
            try? target.close()
            throw URLError(.cannotCreateFile, detail: "\(part) is being written by another process")
        }
        return target
    }
}
