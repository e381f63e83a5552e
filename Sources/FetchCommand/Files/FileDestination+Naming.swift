import Glibc
import SystemPackage
import URLLoading

extension FileDestination {
    /// The path to write to: the destination's own, or with the first number that is free where a
    /// file that has the name must stay.
    var freePath: String {
        guard ifExists == .number else { return path }
        var number = 0
        while Self.exists(path(numbered: number)) { number += 1 }
        return path(numbered: number)
    }

    /// The path, or with a number from 1 behind it where a file that has the name must stay.
    func path(numbered number: Int) -> String {
        number == 0 ? path : "\(path).\(number)"
    }

    /// The number that a path has which was made by ``path(numbered:)``.
    func number(of numbered: String) -> Int {
        Int(Substring(numbered.utf8.dropFirst(path.utf8.count + 1))) ?? 0
    }

    /// The name under which a file is written until it is whole.
    static func partPath(of path: String) -> String { PartFile.path(of: path) }

    /// The same from the root, as the session knows it.
    static func partLocation(of path: String) -> String { AbsolutePath.of(partPath(of: path)) }

    /// The files beside a download of this name: the part, its resume data, and that file's draft.
    static func pathsBeside(_ path: String) -> [String] {
        let part = partPath(of: path)
        let resume = ResumeFile(of: part).path
        return [part, resume, resume + "~"]
    }

    /// Creates the folder if the command line allows it.
    ///
    /// Throws `cannotCreateFile`, also where another user's link is on the way to what is missing.
    func makeFolder() throws(URLError) {
        guard makesFolder, !Self.exists(folder) else { return }
        try checkWay()
        let parts = folder.split(separator: "/", omittingEmptySubsequences: false)
        for count in 1...parts.count {
            let prefix = parts.prefix(count).joined(separator: "/")
            guard !prefix.isEmpty else { continue }
            guard mkdir(prefix, 0o777) == 0 || errno == EEXIST else {
                throw URLError(.cannotCreateFile, detail: "\(prefix): \(Errno(rawValue: errno))")
            }
            // Nothing is created below a link that another user adds meanwhile.
            _ = try statusOfOld(at: prefix)
        }
        try checkWay()
    }

    /// Sees that no link on the way to the folder is another user's in a folder that others can
    /// write to, as far as there is a way.
    ///
    /// Throws `cannotCreateFile`.
    func checkWay() throws(URLError) {
        // What leads to the working folder has no links.
        guard folder != "." else { return }
        do throws(ForeignFile) {
            _ = try FolderTrust.resolve(folder)
        } catch {
            throw URLError(.cannotCreateFile, detail: "\(error)")
        }
    }

    /// Sees that a file can be made there, before anything is sent.
    ///
    /// Throws `cannotCreateFile`.
    func checkFolder() throws(URLError) {
        try checkOld()
        _ = try checkPlace()
    }

    /// Sees that a file can be made in the folder.
    ///
    /// - Returns: whether the folder is there already.
    /// - Throws: `cannotCreateFile`.
    func checkPlace() throws(URLError) -> Bool {
        try checkWay()
        var status = stat()
        if stat(folder, &status) == 0, status.st_mode & S_IFMT != S_IFDIR {
            throw URLError(.cannotCreateFile, detail: "\(folder): \(Errno.notDirectory)")
        }
        guard access(folder, W_OK | X_OK) != 0 else { return true }
        if errno == ENOENT, makesFolder { return false }
        throw URLError(.cannotCreateFile, detail: "in \(folder): \(Errno(rawValue: errno))")
    }

    /// Checks that the existing file may be replaced or continued, if that is intended.
    ///
    /// Throws `cannotCreateFile`.
    func checkOld() throws(URLError) {
        guard ifExists == .replace || continues else { return }
        if continues, let other = ResumeFile(of: Self.partPath(of: path)).foreignPath {
            throw Self.inTheWay(other)
        }
        guard let status = try statusOfOld(at: path) else { return }
        let kind = status.st_mode & S_IFMT
        guard access(path, F_OK) == 0 else { return }
        let reason: String? =
            if kind == S_IFLNK {
                "is a symbolic link, which is followed only with -O \(path)"
            } else if continues, kind != S_IFREG {
                "is not a regular file"
            } else if continues, status.st_uid != geteuid() {
                "belongs to another user, and is not continued"
            } else if ifExists == .replace, access(path, W_OK) != 0 {
                "cannot be written: \(Errno(rawValue: errno))"
            } else {
                nil
            }
        if let reason { throw URLError(.cannotCreateFile, detail: "\(path) \(reason)") }
    }

    /// The status of the file at a path; `nil` if there is none.
    ///
    /// Throws `cannotCreateFile` where other users can write to the folder, and it is one of theirs.
    func statusOfOld(at path: String) throws(URLError) -> stat? {
        do throws(ForeignFile) {
            return try FolderTrust.check(path)
        } catch {
            throw URLError(.cannotCreateFile, detail: "\(error)")
        }
    }

    /// Checks that an existing part file, and the files beside it, were left by a download.
    ///
    /// - Parameters:
    ///   - part: its path.
    ///   - isNew: whether it was created just now.
    /// - Returns: how many bytes are in it.
    /// - Throws: `cannotCreateFile` where one of them is another file.
    static func checkExistingPart(
        _ part: String,
        isNew: Bool = false
    ) throws(URLError) -> Int64 {
        var size: Int64 = 0
        if !isNew, let status = FileStatus(part), status.isOurs {
            guard PartFile.isExistingPart(part, status) else {
                throw inTheWay(part, ", or use --continue")
            }
            size = status.size
        }
        try checkBeside(part)
        return size
    }

    /// Checks that a part's resume data, and that file's draft, were left by a download.
    ///
    /// Throws `cannotCreateFile` where it is another file, or another user's.
    static func checkBeside(_ part: String) throws(URLError) {
        if let path = ResumeFile(of: part).blocker { throw inTheWay(path) }
    }

    private static func inTheWay(_ path: String, _ more: String = "") -> URLError {
        URLError(
            .cannotCreateFile,
            detail: "\(path) exists, and was not left by a download;"
                + " move or remove it\(more)"
        )
    }

    /// Whether the name exists, even as a broken link.
    static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }
}
