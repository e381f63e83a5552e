import CLinux
import FoundationEssentials
import Glibc
import Synchronization
package import SystemPackage

/// The file that a download is written to: locked while it is open, and gone with its last owner
/// unless somebody moved it, or it was kept to be continued.
package final class PartFile: Sendable {
    let path: String
    let descriptor: FileDescriptor
    /// Where resume data is kept beside it; `nil`: nowhere.
    private let resumeFile: ResumeFile?
    /// Whether there were bytes in it that another download has left.
    let isContinued: Bool
    private let isOpen = Atomic(true)
    private let hasResumeFile: Atomic<Bool>
    let isMarked = Atomic(false)
    /// Whether another download has left the file.
    var mayHaveBeenMarked: Bool { hasResumeFile.load(ordering: .acquiring) }
    /// What it has to come to once it is whole, in whatever order it is written.
    let requirements = Mutex<[DigestRequirement]>([])

    /// Makes the file a destination names, empty.
    ///
    /// Throws `cannotCreateFile` with the path and the reason.
    init(_ destination: DownloadDestination, temporaryFolder: String) throws(URLError) {
        isContinued = false
        switch destination {
        case .temporary:
            path = "\(temporaryFolder)/\(Self.temporaryName())"
            descriptor = try Self.makeOrEmpty(path, .ownerReadWrite, nil).file
            resumeFile = nil
            hasResumeFile = Atomic(false)
        case .partFile(let file, let permissions, let keepsResumeData):
            path = file.path
            resumeFile = keepsResumeData ? ResumeFile(of: path) : nil
            let permissions = FilePermissions(rawValue: CModeT(permissions))
            let opened = try Self.makeOrEmpty(path, permissions, resumeFile)
            descriptor = opened.file
            hasResumeFile = Atomic(opened.isLeftover)
        }
    }

    /// Opens the file of a download that goes on, and cuts it there.
    ///
    /// `nil` where the destination names another file, or it is not any more what was looked at.
    ///
    /// Throws `cannotCreateFile` with the path and the reason.
    init?(
        _ destination: DownloadDestination,
        continuing point: ResumePoint,
        at offset: Int64,
        temporaryFolder: String
    ) throws(URLError) {
        switch (destination, point.data.file) {
        case (.temporary, .temporary(let name)):
            path = "\(temporaryFolder)/\(name)"
            resumeFile = nil
        case (.partFile(let file, _, let keepsResumeData), .partFile)
        where destination.isFile(of: point.data):
            self.path = file.path
            resumeFile = keepsResumeData ? ResumeFile(of: file.path) : nil
        default: return nil
        }
        guard let before = FileStatus(path), point.isMet(by: before, at: path) else { return nil }
        guard let opened = try Self.openLocked(path) else { return nil }
        descriptor = opened
        isContinued = true
        hasResumeFile = Atomic(true)
        guard let now = FileStatus(descriptor: descriptor.rawValue),
            point.isMet(by: now, at: path)
        else {
            close(keeping: true)
            return nil
        }
        // Whoever fills them says where each byte goes.
        if point.hasHoles { return }
        do {
            if offset < now.size { try descriptor.resize(to: offset) }
            try descriptor.seek(offset: 0, from: .end)
        } catch {
            close(keeping: true)
            throw URLError(.cannotWriteToFile, detail: "\(path): \(error)")
        }
    }

    deinit {
        close(keeping: isContinued)
    }

    /// Ends the use of the file, once: nothing may be written afterwards.
    ///
    /// - Parameters:
    ///   - isKept: whether it stays where it is, with its resume data; if not, it goes, unless
    ///     somebody has moved it.
    ///   - isMoved: whether it is known that somebody has.
    func close(keeping isKept: Bool, isMoved: Bool = false) {
        guard isOpen.exchange(false, ordering: .acquiringAndReleasing) else { return }
        if !isKept {
            // Only what is still ours: the path may by now name somebody else's file.
            if !isMoved, isInPlace { unlink(path) }
            if hasResumeFile.load(ordering: .acquiring) { resumeFile?.remove() }
        }
        try? descriptor.close()
    }

    /// Whether the path still names this file.
    var isInPlace: Bool { Self.isSame(path, descriptor) }

    /// Whether resume data is kept beside it.
    var keepsResumeData: Bool { resumeFile != nil }

    /// Writes its resume data down.
    ///
    /// Throws `Errno`.
    func write(_ data: ResumeData) throws {
        hasResumeFile.store(true, ordering: .releasing)
        try resumeFile?.write(data)
    }

    /// Which file it is.
    var identity: FileIdentity? {
        FileStatus(descriptor: descriptor.rawValue)?.identity
    }

    /// Sets blocks aside for bytes that are still to come; the file's size stays what it is.
    ///
    /// - Returns: `false` where the disk refuses, which may have taken some of the blocks.
    func reserve(_ range: Range<Int64>) -> Bool {
        linux_fallocate_keep_size(descriptor.rawValue, range.lowerBound, Int64(range.count)) == 0
    }

    /// What may still be written to the file's disk, bytes; `nil` where the file is in memory.
    var freeSpace: Int64? {
        let bytes = linux_free_disk_space(descriptor.rawValue)
        return bytes < 0 ? nil : bytes
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
    private static let temporaryPrefix = "URLLoading-"
    private static let temporarySuffix = ".tmp"

    static func temporaryName() -> String {
        "\(temporaryPrefix)\(UInt64.random(in: .min ... .max))\(temporarySuffix)"
    }

    /// Whether a name is one that this gives to temporary files, and so leads into no other folder.
    static func isTemporaryName(_ name: String) -> Bool {
        guard name.startsWithBytes(of: temporaryPrefix), name.endsWithBytes(of: temporarySuffix)
        else {
            return false
        }
        let number = Substring(
            name.utf8.dropFirst(temporaryPrefix.utf8.count).dropLast(temporarySuffix.utf8.count)
        )
        return number.utf8.allSatisfy { (0x30...0x39).contains($0) } && UInt64(number) != nil
    }

    /// Makes a file that is not there.
    ///
    /// - Returns: the file, not locked; `nil` where there is one.
    private static func make(
        _ path: String,
        _ permissions: FilePermissions
    ) throws(URLError) -> FileDescriptor? {
        do {
            return try FileDescriptor.open(
                path,
                .writeOnly,
                options: [.create, .exclusiveCreate, .noFollow, .closeOnExec],
                permissions: permissions
            )
        } catch Errno.fileExists {
            return nil
        } catch {
            throw refused(path, error as? Errno ?? .ioError)
        }
    }

    /// Makes a file, or empties the one that is there.
    ///
    /// - Returns: the file, and whether it was left by another download.
    private static func makeOrEmpty(
        _ path: String,
        _ permissions: FilePermissions,
        _ resumeFile: ResumeFile?
    ) throws(URLError) -> (file: FileDescriptor, isLeftover: Bool) {
        let opened =
            if let claim = PartClaims.take(path) { claim } else {
                try makeOrOpen(path, permissions)
            }
        guard opened.isLeftover else { return opened }
        // Before the bytes go that it speaks of.
        resumeFile?.remove()
        do {
            try opened.file.resize(to: 0)
            return opened
        } catch {
            try? opened.file.close()
            throw URLError(.cannotCreateFile, detail: "\(path): \(error)")
        }
    }

    /// Makes a file, or opens the one that is there, and locks it.
    ///
    /// - Returns: the file, and whether it was left by another download.
    /// - Throws: `cannotCreateFile`, where it is a link, belongs to another user or has another name
    ///   too, and where another process writes to it.
    package static func makeOrOpen(
        _ path: String,
        _ permissions: FilePermissions
    ) throws(URLError) -> (file: FileDescriptor, isLeftover: Bool) {
        while true {
            if let made = try make(path, permissions) {
                try lock(made, path)
                if isSame(path, made) { return (made, false) }
                // Somebody was faster, and has finished with it.
                try? made.close()
            } else if let opened = try openLocked(path) {
                return (opened, true)
            }
        }
    }

    /// Opens and locks a file until the path names what was locked: between the two another
    /// process may finish with the file and move it away.
    ///
    /// - Returns: the file; `nil` where there is none any more.
    private static func openLocked(_ path: String) throws(URLError) -> FileDescriptor? {
        while true {
            let descriptor: FileDescriptor
            do {
                descriptor = try FileDescriptor.open(
                    path,
                    .writeOnly,
                    options: [.noFollow, .closeOnExec, .nonBlocking]
                )
            } catch Errno.noSuchFileOrDirectory {
                return nil
            } catch {
                throw refused(path, error as? Errno ?? .ioError)
            }
            try lock(descriptor, path)
            if isSame(path, descriptor) { return try ours(descriptor, path) }
            try? descriptor.close()
        }
    }

    private static let busyWords = "is being written by another process"

    /// Whether a file could not be had since somebody else has locked it.
    static func isBusy(_ error: URLError) -> Bool { error.detail.endsWithBytes(of: busyWords) }

    private static func lock(_ descriptor: FileDescriptor, _ path: String) throws(URLError) {
        guard linux_lock_exclusively(descriptor.rawValue) != 0 else { return }
        let reason = Errno(rawValue: errno)
        try? descriptor.close()
        let words = reason == .wouldBlock ? busyWords : "cannot be locked: \(reason)"
        throw URLError(.cannotCreateFile, detail: "\(path) \(words)")
    }

    /// What was there already must be a file that nobody else has a say in.
    private static func ours(
        _ descriptor: FileDescriptor,
        _ path: String
    ) throws(URLError) -> FileDescriptor {
        let status = FileStatus(descriptor: descriptor.rawValue)
        if let status, status.isOurs { return descriptor }
        try? descriptor.close()
        let words =
            status == nil
            ? "is not a regular file" : "belongs to another user, or has another name too"
        throw URLError(.cannotCreateFile, detail: "\(path) \(words)")
    }

    /// Whether a path names the file that is open here.
    package static func isSame(_ path: String, _ descriptor: FileDescriptor) -> Bool {
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
