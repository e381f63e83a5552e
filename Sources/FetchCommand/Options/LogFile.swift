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
    /// A new file is for its owner alone, since messages name URLs; `-` is standard output.
    ///
    /// - Throws: `cannotOpenFile`, also where the file belongs to another user in a folder that
    ///   others can write to.
    func takeStandardError() throws(URLError) {
        let isFile = path != "-"
        let output =
            isFile
            ? try OutputDescriptor(creating: path, empties: !appends, isPrivate: true)
            : .standardOutput
        defer { if isFile { output.close() } }
        do {
            _ = try output.descriptor.duplicate(as: .standardError)
        } catch {
            throw URLError(.cannotOpenFile, detail: "\(path): \(error)")
        }
    }
}
