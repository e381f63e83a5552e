import Glibc

/// Brings a folder's entries to the disk: a rename is on the disk only when its folder is.
package enum FolderSync {
    /// Brings the folder that holds a file to the disk.
    ///
    /// May wait for the disk. Called after a rename to a final name, by background sessions and by
    /// foreground downloads alike. The rename has happened either way, so a failure is none of the
    /// file's.
    ///
    /// - Parameter path: the file's path, absolute or not.
    /// - Returns: whether the kernel says that it is there; `false` where the folder may not be
    ///   read, or where its file system cannot do it.
    @discardableResult
    package static func synchronize(folderOf path: String) -> Bool {
        let number = open(FolderTrust.folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { return false }
        defer { close(number) }
        return fsync(number) == 0
    }
}
