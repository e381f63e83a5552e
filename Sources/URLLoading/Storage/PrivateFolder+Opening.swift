import FoundationEssentials
import Glibc
import SystemPackage

// Files that stay open.
extension PrivateFolder {
    /// Opens a file for reading and writing, without following a link or waiting.
    ///
    /// `nil` where there is none; with `makes`, it is created with mode 0600.
    ///
    /// Throws `unsafe` where the path is not a regular file of this user, or others have access to it.
    func open(_ name: String, makes: Bool) throws(PrivateFileError) -> FileDescriptor? {
        guard let file = try open(name, flags: makes ? O_RDWR | O_CREAT : O_RDWR) else {
            return nil
        }
        do throws(PrivateFileError) {
            try checkOwner(of: file, name)
            return file
        } catch {
            try? file.close()
            throw error
        }
    }

    /// Opens a file with further flags, without a check; `nil` where it does not exist.
    func open(_ name: String, flags: CInt) throws(PrivateFileError) -> FileDescriptor? {
        // O_NONBLOCK: opening a FIFO with that name must not block.
        let all = flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
        let number = openat(descriptor.rawValue, name, all, 0o600)
        if number >= 0 { return FileDescriptor(rawValue: number) }
        switch errno {
        case ENOENT where flags & O_CREAT == 0: return nil
        case ELOOP: throw .unsafe(path: place(name), reason: "it is a symbolic link")
        default: throw failure(name)
        }
    }

    /// Creates the draft of a file, `name~`, and replaces one that a crash has left.
    func makeDraft(of name: String) throws(PrivateFileError) -> FileDescriptor {
        discardDraft(of: name)
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let number = openat(descriptor.rawValue, "\(name)~", flags, 0o600)
        guard number >= 0 else { throw failure("\(name)~") }
        return FileDescriptor(rawValue: number)
    }

    /// Renames a file's draft, and returns whether that is on the disk; after an error the earlier file
    /// remains.
    func commitDraft(of name: String) throws(PrivateFileError) -> Bool {
        guard renameat(descriptor.rawValue, "\(name)~", descriptor.rawValue, name) == 0 else {
            throw failure(name)
        }
        return fsync(descriptor.rawValue) == 0
    }

    func discardDraft(of name: String) {
        unlinkat(descriptor.rawValue, "\(name)~", 0)
    }

    /// Whether a name is that of an open file.
    func names(_ name: String, _ file: FileDescriptor) -> Bool {
        var named = stat()
        var open = stat()
        return fstatat(descriptor.rawValue, name, &named, AT_SYMLINK_NOFOLLOW) == 0
            && fstat(file.rawValue, &open) == 0
            && named.st_dev == open.st_dev && named.st_ino == open.st_ino
    }

    /// A file's path, for messages.
    func place(_ name: String) -> String { "\(path)/\(name)" }

    func failure(_ name: String) -> PrivateFileError {
        .failed(path: place(name), reason: "\(Errno(rawValue: errno))")
    }

    /// The status of an open file, which must be a regular one of this user.
    func ownStatus(of file: FileDescriptor, _ name: String) throws(PrivateFileError) -> stat {
        var status = stat()
        guard fstat(file.rawValue, &status) == 0 else { throw failure(name) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .unsafe(path: place(name), reason: "it is not a file")
        }
        guard status.st_uid == geteuid() else {
            throw .unsafe(path: place(name), reason: "it belongs to another user")
        }
        return status
    }

    private func checkOwner(of file: FileDescriptor, _ name: String) throws(PrivateFileError) {
        let status = try ownStatus(of: file, name)
        guard status.st_mode & 0o077 == 0 else {
            let mode = String(status.st_mode & 0o777, radix: 8)
            throw .unsafe(
                path: place(name),
                reason: "other users can use it (mode \(mode), not 600)"
            )
        }
    }
}
