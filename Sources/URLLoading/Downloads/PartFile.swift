import CLinux
import FoundationEssentials
import Glibc
import Synchronization
import SystemPackage

/// The file that a download is written to: locked while it is open, and gone with its last owner
/// unless somebody moved it, or it was kept to be continued.
final class PartFile: Sendable {
    let path: String
    private let descriptor: FileDescriptor
    /// Where resume data is kept beside it; `nil`: nowhere.
    let resumeFile: ResumeFile?
    private let isKept = Atomic(false)

    /// Makes the file a destination names, empty.
    ///
    /// Throws `cannotCreateFile` with the path and the reason.
    init(_ destination: DownloadDestination, temporaryFolder: String) throws(URLError) {
        switch destination {
        case .temporary:
            path = "\(temporaryFolder)/\(Self.temporaryName())"
            descriptor = try Self.makeTemporary(path)
            resumeFile = nil
        case .partFile(let file, let permissions, let keepsResumeData):
            path = file.path
            descriptor = try Self.openLocked(
                path,
                [.create],
                FilePermissions(rawValue: CModeT(permissions))
            )
            resumeFile = keepsResumeData ? ResumeFile(of: path) : nil
            // Before the bytes go that it speaks of.
            resumeFile?.remove()
            do {
                try descriptor.resize(to: 0)
            } catch {
                try? descriptor.close()
                throw URLError(.cannotCreateFile, detail: "\(path): \(error)")
            }
        }
    }

    /// Opens the file of a download that goes on, at the first byte that is wanted.
    ///
    /// `nil` where the destination names another file, or it is not any more what was looked at.
    ///
    /// Throws `cannotCreateFile` with the path and the reason.
    init?(
        _ destination: DownloadDestination,
        continuing point: ResumePoint,
        temporaryFolder: String
    ) throws(URLError) {
        switch (destination, point.data.file) {
        case (.temporary, .temporary(let name)):
            path = "\(temporaryFolder)/\(name)"
            resumeFile = nil
        case (.partFile(let file, _, let keepsResumeData), .partFile(let path))
        where Self.absolute(file.path) == path:
            self.path = file.path
            resumeFile = keepsResumeData ? ResumeFile(of: file.path) : nil
        default: return nil
        }
        guard let before = FileStatus(path), point.isMet(by: before) else { return nil }
        descriptor = try Self.openLocked(path, [], .ownerReadWrite)
        guard let now = FileStatus(descriptor: descriptor.rawValue), point.isMet(by: now) else {
            try? descriptor.close()
            return nil
        }
        do {
            try descriptor.resize(to: point.start)
            try descriptor.seek(offset: 0, from: .end)
        } catch {
            try? descriptor.close()
            throw URLError(.cannotWriteToFile, detail: "\(path): \(error)")
        }
    }

    deinit {
        if !isKept.load(ordering: .acquiring) {
            // Only what is still ours: the path may by now name somebody else's file.
            if Self.isSame(path, descriptor) { unlink(path) }
            resumeFile?.remove()
        }
        try? descriptor.close()
    }

    /// Lets the file stay where it is, to be continued.
    func keep() {
        isKept.store(true, ordering: .releasing)
    }

    /// Which file it is.
    var identity: FileIdentity? {
        FileStatus(descriptor: descriptor.rawValue)?.identity
    }

    /// Sets blocks aside for a body of this length; it is not an error where that cannot be done,
    /// and a disk without room says so at the first write that does not fit.
    func reserve(_ bytes: Int64) {
        _ = linux_fallocate_keep_size(descriptor.rawValue, bytes)
    }

    /// Ends the file here: gives back blocks that were set aside, or bytes at the end.
    func cut(to length: Int64) {
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

    /// Brings what was written to the disk; `false` where the disk refuses.
    func synchronize() -> Bool {
        fdatasync(descriptor.rawValue) == 0
    }
}

extension PartFile {
    /// A path from the root, whatever folder the process is in later.
    static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
    }

    private static let temporaryPrefix = "URLLoading-"
    private static let temporarySuffix = ".tmp"

    private static func temporaryName() -> String {
        "\(temporaryPrefix)\(UInt64.random(in: .min ... .max))\(temporarySuffix)"
    }

    /// Whether a name is one that this gives to temporary files, and so leads into no other folder.
    static func isTemporaryName(_ name: String) -> Bool {
        guard name.hasPrefix(temporaryPrefix), name.hasSuffix(temporarySuffix) else { return false }
        let number = name.dropFirst(temporaryPrefix.count).dropLast(temporarySuffix.count)
        return number.utf8.allSatisfy { (0x30...0x39).contains($0) } && UInt64(number) != nil
    }

    private static func makeTemporary(_ path: String) throws(URLError) -> FileDescriptor {
        do {
            let descriptor = try FileDescriptor.open(
                path,
                .writeOnly,
                options: [.create, .exclusiveCreate, .noFollow, .closeOnExec],
                permissions: .ownerReadWrite
            )
            _ = linux_lock_exclusively(descriptor.rawValue)
            return descriptor
        } catch {
            throw refused(path, error as? Errno ?? .ioError)
        }
    }

    /// Opens and locks a file until the path names what was locked: between the two another
    /// process may finish with the file and move it away.
    private static func openLocked(
        _ path: String,
        _ options: FileDescriptor.OpenOptions,
        _ permissions: FilePermissions
    ) throws(URLError) -> FileDescriptor {
        while true {
            let descriptor: FileDescriptor
            do {
                descriptor = try FileDescriptor.open(
                    path,
                    .writeOnly,
                    options: options.union([.noFollow, .closeOnExec, .nonBlocking]),
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
        guard FileStatus(descriptor: descriptor.rawValue) != nil else {
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
