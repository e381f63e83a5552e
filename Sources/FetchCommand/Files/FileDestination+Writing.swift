import CLinux
import FoundationEssentials
import Glibc
import SystemPackage
import URLLoading

extension FileDestination {
    /// Makes the file of these bytes, whole or not at all.
    ///
    /// - Parameters:
    ///   - bytes: all of it.
    ///   - streams: what must not be touched.
    /// - Returns: the path it got; `nil` where a file that came meanwhile stays.
    /// - Throws: `cannotCreateFile`, `cannotWriteToFile` or `cannotMoveFile`.
    func write(_ bytes: Data, besides streams: StreamFiles) throws(URLError) -> String? {
        try makeFolder()
        try streams.check(path, isReplaced: ifExists == .replace)
        let part = Self.partPath(of: path)
        do {
            let file = try FileDescriptor.open(
                part,
                .writeOnly,
                options: [.create, .noFollow, .nonBlocking, .closeOnExec],
                permissions: FilePermissions(rawValue: 0o666)
            )
            defer { try? file.close() }
            guard linux_lock_exclusively(file.rawValue) == 0 else {
                throw Errno(rawValue: errno)
            }
            do {
                try file.resize(to: 0)
                try bytes.withUnsafeBytes { _ = try file.writeAll($0) }
            } catch {
                unlink(part)
                throw error
            }
        } catch {
            throw URLError(.cannotCreateFile, detail: "\(part): \(error)")
        }
        return try FinishedDownload(part: part, modified: nil).move(to: path, self)
    }
}
