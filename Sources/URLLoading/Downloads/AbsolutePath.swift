import FoundationEssentials

/// Paths from the root, which mean the same whatever folder the process is in later.
package enum AbsolutePath {
    /// The same path from the root, which a URL takes as it is.
    ///
    /// Of one that is not, a URL makes the home folder where it begins with a `~`, and whoever looks
    /// at the path itself looks elsewhere.
    package static func of(_ path: String) -> String {
        guard path.utf8.first != UInt8(ascii: "/") else { return path }
        let folder = FileManager.default.currentDirectoryPath
        return folder == "/" ? "/" + path : "\(folder)/\(path)"
    }
}
