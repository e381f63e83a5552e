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
        _ = try Self.checkLeftover(part)
        let file = try PartFile.makeOrOpen(part, FilePermissions(rawValue: 0o666)).file
        defer { try? file.close() }
        do {
            try file.resize(to: 0)
            try bytes.withUnsafeBytes { _ = try file.writeAll($0) }
        } catch {
            unlink(part)
            throw URLError(.cannotWriteToFile, detail: "\(part): \(error)")
        }
        return try FinishedDownload(part: part, file: file, modified: nil).move(to: path, self)
    }
}
