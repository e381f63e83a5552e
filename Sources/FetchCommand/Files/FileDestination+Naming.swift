import Glibc
import SystemPackage
import URLLoading

extension FileDestination {
    /// The path to write to: the destination's own, or with the first number that is free where a
    /// file that has the name must stay.
    var freePath: String {
        guard ifExists == .number else { return path }
        return numbered.first { !Self.exists($0) } ?? path
    }

    /// The path, and then with `.1`, `.2` and so on behind it.
    var numbered: some Sequence<String> {
        let path = path
        return sequence(first: 0) { $0 + 1 }.lazy.map { $0 == 0 ? path : "\(path).\($0)" }
    }

    /// Makes the folder where the command line asks for that.
    ///
    /// Throws `cannotCreateFile`.
    func makeFolder() throws(URLError) {
        guard makesFolder else { return }
        let parts = folder.split(separator: "/", omittingEmptySubsequences: false)
        for count in 1...parts.count {
            let prefix = parts.prefix(count).joined(separator: "/")
            guard !prefix.isEmpty, mkdir(prefix, 0o777) != 0, errno != EEXIST else { continue }
            throw URLError(.cannotCreateFile, detail: "\(prefix): \(Errno(rawValue: errno))")
        }
    }

    /// Sees that a file can be made there, before anything is sent.
    ///
    /// Throws `cannotCreateFile`.
    func checkFolder() throws(URLError) {
        guard access(folder, W_OK | X_OK) != 0 else { return }
        if errno == ENOENT, makesFolder { return }
        throw URLError(.cannotCreateFile, detail: "in \(folder): \(Errno(rawValue: errno))")
    }

    /// Whether anything has the name, be it a link to nowhere.
    private static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }
}
