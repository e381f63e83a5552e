import CLinux
import FoundationEssentials
import Glibc
import SystemPackage

/// The file that a download is written to: locked while it is open, and gone with its last owner
/// unless somebody moved it.
final class PartFile: Sendable {
    let path: String
    private let descriptor: FileDescriptor

    /// Makes the file a destination names.
    ///
    /// Throws `cannotCreateFile` with the path and the reason.
    convenience init(
        _ destination: DownloadDestination,
        temporaryFolder: String
    ) throws(URLError) {
        switch destination {
        case .temporary: try self.init(temporaryIn: temporaryFolder)
        case .partFile(let file, let permissions):
            try self.init(at: file.path, FilePermissions(rawValue: CModeT(permissions)))
        }
    }

    private init(temporaryIn folder: String) throws(URLError) {
        path = "\(folder)/URLLoading-\(UInt64.random(in: .min ... .max)).tmp"
        do {
            descriptor = try FileDescriptor.open(
                path,
                .writeOnly,
                options: [.create, .exclusiveCreate, .noFollow, .closeOnExec],
                permissions: .ownerReadWrite
            )
        } catch {
            throw Self.refused(path, error as? Errno ?? .ioError)
        }
    }

    private init(at path: String, _ permissions: FilePermissions) throws(URLError) {
        self.path = path
        descriptor = try Self.openLocked(path, permissions)
        do {
            try descriptor.resize(to: 0)
        } catch {
            try? descriptor.close()
            throw URLError(.cannotCreateFile, detail: "\(path): \(error)")
        }
    }

    deinit {
        // Only what is still ours: the path may by now name somebody else's file.
        if Self.isSame(path, descriptor) { unlink(path) }
        try? descriptor.close()
    }

    /// Sets blocks aside for a body of this length; it is not an error where that cannot be done,
    /// and a disk without room says so at the first write that does not fit.
    func reserve(_ bytes: Int64) {
        _ = linux_fallocate_keep_size(descriptor.rawValue, bytes)
    }

    /// Gives back the blocks that were set aside for more than came.
    func giveBack(beyond length: Int64) {
        try? descriptor.resize(to: length)
    }

    /// Writes all of it at the end.
    ///
    /// Throws `cannotWriteToFile` with the path and the reason.
    func append(_ bytes: UnsafeRawBufferPointer) throws(URLError) {
        do {
            try descriptor.writeAll(bytes)
        } catch {
            throw URLError(.cannotWriteToFile, detail: "\(path): \(error)")
        }
    }

    /// Opens and locks a file until the path names what was locked: between the two another
    /// process may finish with the file and move it away.
    private static func openLocked(
        _ path: String,
        _ permissions: FilePermissions
    ) throws(URLError) -> FileDescriptor {
        while true {
            let descriptor: FileDescriptor
            do {
                descriptor = try FileDescriptor.open(
                    path,
                    .writeOnly,
                    options: [.create, .noFollow, .closeOnExec, .nonBlocking],
                    permissions: permissions
                )
            } catch {
                throw refused(path, error as? Errno ?? .ioError)
            }
            guard linux_lock_exclusively(descriptor.rawValue) == 0 else {
                let reason = Errno(rawValue: errno)
                try? descriptor.close()
                let words =
                    reason == .wouldBlock
                    ? "is being written by another process" : "cannot be locked: \(reason)"
                throw URLError(.cannotCreateFile, detail: "\(path) \(words)")
            }
            if isSame(path, descriptor) { return try regular(descriptor, path) }
            try? descriptor.close()
        }
    }

    private static func regular(
        _ descriptor: FileDescriptor,
        _ path: String
    ) throws(URLError) -> FileDescriptor {
        var status = stat()
        guard fstat(descriptor.rawValue, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            try? descriptor.close()
            throw URLError(.cannotCreateFile, detail: "\(path) is not a regular file")
        }
        return descriptor
    }

    private static func isSame(_ path: String, _ descriptor: FileDescriptor) -> Bool {
        var named = stat()
        var open = stat()
        return lstat(path, &named) == 0 && fstat(descriptor.rawValue, &open) == 0
            && named.st_dev == open.st_dev && named.st_ino == open.st_ino
    }

    private static func refused(_ path: String, _ errno: Errno) -> URLError {
        let reason =
            errno == .tooManySymbolicLinkLevels
            ? "is a symbolic link, which is not followed" : "\(errno)"
        return URLError(.cannotCreateFile, detail: "\(path): \(reason)")
    }
}
