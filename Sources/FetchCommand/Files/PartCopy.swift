import CLinux
import Glibc
import SystemPackage
import URLLoading

/// A part file made of the beginning of another file, which stays what it is.
enum PartCopy {
    /// Copies the first bytes of a file; where the file system can, without writing them twice.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - size: how many bytes.
    ///   - part: the new file, which must not be there.
    /// - Throws: `cannotCreateFile`, `cannotWriteToFile`; then there is no new file.
    static func make(of path: String, size: Int64, at part: String) throws(URLError) {
        let source: FileDescriptor
        let target: FileDescriptor
        do {
            source = try FileDescriptor.open(path, .readOnly, options: [.noFollow, .closeOnExec])
        } catch {
            throw URLError(.cannotOpenFile, detail: "\(path): \(error)")
        }
        defer { try? source.close() }
        do {
            target = try FileDescriptor.open(
                part,
                .writeOnly,
                options: [.create, .exclusiveCreate, .noFollow, .closeOnExec],
                permissions: .ownerReadWrite
            )
        } catch {
            throw URLError(.cannotCreateFile, detail: "\(part): \(error)")
        }
        defer { try? target.close() }
        var left = size
        while left > 0 {
            let count = linux_copy_file_range(source.rawValue, target.rawValue, Int(left))
            guard count > 0 else {
                let reason = count == 0 ? "\(path) has become shorter" : "\(Errno(rawValue: errno))"
                unlink(part)
                throw URLError(.cannotWriteToFile, detail: "\(part): \(reason)")
            }
            left -= Int64(count)
        }
    }
}
