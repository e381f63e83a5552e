import FoundationEssentials
import Glibc

/// Paths from the root, which mean the same whatever folder the process is in later.
package enum AbsolutePath {
    /// Whether the working folder has one.
    package static var isPossible: Bool { isPath(FileManager.default.currentDirectoryPath) }

    private static func isPath(_ text: String) -> Bool { text.utf8.first == UInt8(ascii: "/") }

    /// The same path from the root, which a URL takes as it is.
    ///
    /// Of one that is not, a URL makes the home folder where it begins with a `~`, and whoever looks
    /// at the path itself looks elsewhere.
    package static func of(_ path: String) -> String {
        guard !isPath(path) else { return path }
        let folder = FileManager.default.currentDirectoryPath
        // A folder that is gone has no path; nothing can be found there, or made.
        guard isPath(folder) else { return "/proc/\(getpid())/cwd/\(path)" }
        return folder == "/" ? "/" + path : "\(folder)/\(path)"
    }
}
