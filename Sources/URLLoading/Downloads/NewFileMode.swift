import FoundationEssentials
import Glibc

/// The mode that a program's new files have.
package enum NewFileMode {
    /// For all users to read and write, but for what umask(2) takes away.
    package static var current: UInt32 { 0o666 & ~mask }

    /// The mode of a file that takes the place of another: that of the user's own file, without bits
    /// for others that the umask takes away where others can write to the folder.
    ///
    /// - Parameter path: where the other file is, if there is one.
    /// - Returns: the mode.
    static func replacing(_ path: String) -> UInt32 {
        var old = stat()
        guard lstat(path, &old) == 0, old.st_mode & S_IFMT == S_IFREG, old.st_uid == geteuid(),
            // Its group's rights are for that group alone.
            old.st_gid == getegid() || old.st_mode & 0o070 == 0
        else { return current }
        let isShared = FolderTrust(FolderTrust.folder(of: path))?.isShared ?? true
        return UInt32(old.st_mode & 0o777) & (isShared ? ~mask : 0o777)
    }

    /// What umask(2) takes away.
    ///
    /// That is read from where it can be without changing it for a moment, which other threads would
    /// see.
    package static var mask: UInt32 {
        let status = try? Data(contentsOf: URL(filePath: "/proc/self/status"))
        let text = status.map { String(decoding: $0, as: UTF8.self) } ?? ""
        let line = text.split(separator: "\n").first { $0.startsWithBytes(of: "Umask:") }
        let digits = line?.split(whereSeparator: { $0 == ":" || $0 == "\t" || $0 == " " }).last
        return digits.flatMap { UInt32($0, radix: 8) } ?? 0o077
    }
}
