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
    ///
    /// It ends in `.part`, and where there is no room for that, and for what resume data adds to
    /// it, the name before it is cut.
    static func partPath(of path: String) -> String {
        let name = FileName.lastComponent(ofPath: path)
        // Linux's 255 bytes without `.part.resume~`.
        let room = 242
        guard name.utf8.count > room else { return path + ".part" }
        var cut = name[...]
        while cut.utf8.count > room { cut.unicodeScalars.removeLast() }
        return String(Substring(path.utf8.dropLast(name.utf8.count))) + cut + ".part"
    }

    /// The same from the root, as the session knows it.
    static func partLocation(of path: String) -> String { AbsolutePath.of(partPath(of: path)) }

    /// What else is made beside a file of this name while it comes: the part, its resume data, and
    /// what that is written to.
    static func pathsBeside(_ path: String) -> [String] {
        let part = partPath(of: path)
        let resume = ResumeFile(of: part).path
        return [part, resume, resume + "~"]
    }

    /// Makes the folder where the command line asks for that.
    ///
    /// Throws `cannotCreateFile`.
    func makeFolder() throws(URLError) {
        guard makesFolder, !Self.exists(folder) else { return }
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
        if ifExists == .replace || continues { try checkOld() }
        var status = stat()
        if stat(folder, &status) == 0, status.st_mode & S_IFMT != S_IFDIR {
            throw URLError(.cannotCreateFile, detail: "\(folder): \(Errno.notDirectory)")
        }
        guard access(folder, W_OK | X_OK) != 0 else { return }
        if errno == ENOENT, makesFolder { return }
        throw URLError(.cannotCreateFile, detail: "in \(folder): \(Errno(rawValue: errno))")
    }

    /// Sees that what has the name may be replaced, or continued.
    private func checkOld() throws(URLError) {
        guard let status = try statusOfOld(at: path) else { return }
        let kind = status.st_mode & S_IFMT
        guard access(path, F_OK) == 0 else { return }
        let reason: String? =
            if kind == S_IFLNK {
                "is a symbolic link, which only -O \(path) follows"
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

    /// What has the name; `nil` where nothing has it.
    ///
    /// Throws `cannotCreateFile` where other users can write to the folder, and it is one of theirs.
    func statusOfOld(at path: String) throws(URLError) -> stat? {
        do throws(ForeignFile) {
            return try FolderTrust.check(path)
        } catch {
            throw URLError(.cannotCreateFile, detail: "\(error)")
        }
    }

    /// Sees that a part file that is there already is one that a download has left.
    ///
    /// - Parameter part: its path.
    /// - Returns: how many bytes are in it.
    /// - Throws: `cannotCreateFile` where it is another file of the user's.
    static func checkLeftover(_ part: String) throws(URLError) -> Int64 {
        guard let status = FileStatus(part), status.isOurs else { return 0 }
        guard PartFile.isLeftover(part, status) else {
            throw URLError(
                .cannotCreateFile,
                detail: "\(part) is in the way: no download is known to have left it;"
                    + " move or remove it, or use --continue to go on with it"
            )
        }
        return status.size
    }

    /// Whether anything has the name, be it a link to nowhere.
    static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }
}
