import SystemPackage
import URLLoading

/// A file for what is said on standard error.
struct LogFile: Equatable, Sendable {
    let path: String
    /// Whether it goes behind what is there.
    let appends: Bool
}

extension LogFile {
    /// Has standard error lead there.
    ///
    /// - Throws: `cannotOpenFile`.
    func takeStandardError() throws(URLError) {
        do {
            let file = try FileDescriptor.open(
                path,
                .writeOnly,
                options: appends ? [.create, .append] : [.create, .truncate],
                permissions: FilePermissions(rawValue: 0o666)
            )
            defer { try? file.close() }
            _ = try file.duplicate(as: .standardError)
        } catch {
            throw URLError(.cannotOpenFile, detail: "\(path): \(error)")
        }
    }
}
