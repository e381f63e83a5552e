import Glibc
import SystemPackage
import URLLoading

extension URLError {
    static func cannotCreate(_ file: ForeignFile) -> URLError {
        URLError(.cannotCreateFile, detail: "\(file)")
    }
}

extension FileDestination {
    /// The path to write to: with the first free number if an existing file must remain.
    var availablePath: String {
        guard ifExists == .number else { return path }
        var number = 0
        while Self.exists(path(numbered: number)) { number += 1 }
        return path(numbered: number)
    }

    /// The path, with a number from 1 appended; 0 appends none.
    func path(numbered number: Int) -> String { number == 0 ? path : "\(path).\(number)" }

    /// The number in a path that ``path(numbered:)`` returned.
    func number(of numbered: String) -> Int {
        Int(Substring(numbered.utf8.dropFirst(path.utf8.count + 1))) ?? 0
    }

    /// The absolute path of the part file, as the session uses it.
    static func partLocation(of path: String) -> String { AbsolutePath.of(PartFile.path(of: path)) }

    /// The files beside a download: the part, its resume data, and the draft of the resume data.
    static func pathsBeside(_ path: String) -> [String] {
        let part = PartFile.path(of: path)
        let resume = ResumeFile(of: part).path
        return [part, resume, resume + "~"]
    }

    /// Whether the file is in another file's folder, which was checked for as many folders of the URL.
    func isBeside(_ other: FileDestination) -> Bool {
        folder.hasBytes(of: other.folder) && foldersOfURL == other.foldersOfURL
    }

    /// Creates the folder if allowed; throws `cannotCreateFile`, also for another user's link.
    func makeFolder() throws(URLError) {
        guard makesFolder, !Self.exists(folder) else { return }
        try checkWay()
        let parts = folder.split(byte: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        for count in 1...parts.count {
            let prefix = parts.prefix(count).joined(separator: "/")
            guard !prefix.isEmpty else { continue }
            guard mkdir(prefix, 0o777) == 0 || errno == EEXIST else {
                throw URLError(.cannotCreateFile, detail: "\(prefix): \(Errno(rawValue: errno))")
            }
            // Another user may add a link or a folder meanwhile; no folder is created below one.
            let isNamed = count <= parts.count - foldersOfURL
            _ = try statusOfExisting(at: prefix, acceptsFolder: isNamed)
        }
        try checkWay()
    }

    /// Checks that no symbolic link on the path to the folder belongs to another user in a shared
    /// folder, and none of the folders that the URL has named.
    ///
    /// Only existing components are checked. Throws `cannotCreateFile`.
    func checkWay() throws(URLError) {
        // The path of the working directory contains no links.
        guard folder != "." else { return }
        try mapError(
            FolderTrust.check(folder: folder, foldersOfURL: foldersOfURL),
            URLError.cannotCreate
        )
    }

    /// Checks before the first request that a file can be created; throws `cannotCreateFile`.
    func checkFolder() throws(URLError) {
        try checkOld()
        _ = try checkPlace()
    }

    /// Checks that the folder takes a file, and whether it exists; throws `cannotCreateFile`.
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

    /// Checks the name's length, and an existing file; throws `cannotCreateFile`.
    func checkOld() throws(URLError) {
        if name.utf8.count > Int(NAME_MAX) { try Self.checkLength(path) }
        guard ifExists == .replace || continues else { return }
        if continues, let other = ResumeFile(of: PartFile.path(of: path)).foreignPath {
            throw Self.existsError(other)
        }
        guard let status = try statusOfExisting(at: path) else { return }
        let kind = status.st_mode & S_IFMT
        guard access(path, F_OK) == 0 else { return }
        let reason: String? =
            if kind == S_IFDIR {
                "is a folder"
            } else if kind == S_IFLNK {
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

    /// Checks the length of a path's last component; throws `cannotCreateFile`.
    static func checkLength(_ path: String) throws(URLError) {
        guard path.utf8.count > Int(NAME_MAX),
            FileName.lastComponent(ofPath: path).utf8.count > Int(NAME_MAX)
        else { return }
        throw URLError(.cannotCreateFile, at: path, Errno.fileNameTooLong)
    }

    /// The status of the file; throws `cannotCreateFile` for another user's in a shared folder.
    func statusOfExisting(at path: String, acceptsFolder: Bool = true) throws(URLError) -> stat? {
        try mapError(FolderTrust.check(path, acceptsFolder: acceptsFolder), URLError.cannotCreate)
    }

    /// The size of a part that a download left; `isNew`: just created; throws `cannotCreateFile`.
    static func checkExistingPart(_ part: String, isNew: Bool = false) throws(URLError) -> Int64 {
        var size: Int64 = 0
        if !isNew, let status = FileStatus(part), status.isOurs {
            guard PartFile.isExistingPart(part, status) else {
                if PartFileLocks.isLockedElsewhere(AbsolutePath.of(part)) {
                    throw PartFile.busy(part)
                }
                throw existsError(part, ", or use --continue")
            }
            size = status.size
        }
        try checkBeside(part)
        return size
    }

    /// Checks that the files beside a part were left by a download; throws `cannotCreateFile`.
    static func checkBeside(_ part: String) throws(URLError) {
        if let path = ResumeFile(of: part).blocker { throw existsError(path) }
    }

    private static func existsError(_ path: String, _ more: String = "") -> URLError {
        URLError(
            .cannotCreateFile,
            detail: "\(path) exists, and was not left by a download;" + " move or remove it\(more)"
        )
    }

    /// Whether the path exists, even as a broken symbolic link.
    static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }
}
