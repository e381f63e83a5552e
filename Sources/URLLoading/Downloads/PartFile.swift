import CLinux
import FoundationEssentials
import Glibc
import Synchronization
import SystemPackage

/// The file that a download is written to: locked while it is open, and gone with its last owner
/// unless it was moved, or it was kept to be continued.
package final class PartFile: Sendable {
    let path: String
    let descriptor: FileDescriptor
    /// The file's status when it was locked.
    let status: stat
    /// Where resume data is kept beside it; `nil`: nowhere.
    private let resumeFile: ResumeFile?
    /// Whether there were bytes in it that another download has left.
    let isContinued: Bool
    private let isOpen = Atomic(true)
    private let hasResumeFile: Atomic<Bool>
    private let hasAttribute = Atomic(false)
    private let isMoved = Atomic(false)
    /// Whether it is the session's own, known by its bare name.
    let isTemporary: Bool

    /// Makes the file a destination names, empty.
    ///
    /// Throws `cannotCreateFile` with the path and the reason.
    init(_ destination: DownloadDestination, temporaryFolder: String) throws(URLError) {
        isContinued = false
        isTemporary = destination == .temporary
        switch destination {
        case .temporary:
            path = "\(temporaryFolder)/\(Self.temporaryName())"
            let opened = try Self.makeOrEmpty(path, .ownerReadWrite, nil)
            (descriptor, status) = (opened.file, opened.status)
            resumeFile = nil
            hasResumeFile = Atomic(false)
        case .partFile(let file, let permissions, let keepsResumeData):
            path = file.filePath
            resumeFile = keepsResumeData ? ResumeFile(of: path) : nil
            let permissions = FilePermissions(rawValue: CModeT(permissions))
            let opened = try Self.makeOrEmpty(path, permissions, resumeFile)
            (descriptor, status) = (opened.file, opened.status)
            hasResumeFile = Atomic(opened.isExistingPart)
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
        isTemporary = destination == .temporary
        switch (destination, point.data.file) {
        case (.temporary, .temporary(let name)):
            path = "\(temporaryFolder)/\(name)"
            resumeFile = nil
        case (.partFile(let file, _, let keepsResumeData), .partFile)
        where destination.isFile(of: point.data):
            self.path = file.filePath
            resumeFile = keepsResumeData ? ResumeFile(of: path) : nil
        default: return nil
        }
        guard let before = FileStatus(path), point.isMet(by: before, at: path) else { return nil }
        guard let opened = try Self.openLocked(path) else { return nil }
        (descriptor, status) = (opened.file, opened.status)
        isContinued = true
        hasResumeFile = Atomic(true)
        guard let now = FileStatus(status),
            point.isMet(by: now, at: path)
        else {
            close(keeping: true)
            return nil
        }
        // Each writer says where its bytes go.
        if point.hasHoles { return }
        do {
            if offset < now.size { try descriptor.resize(to: offset) }
        } catch {
            close(keeping: true)
            throw URLError(.cannotWriteToFile, at: path, error)
        }
    }

    deinit {
        close(keeping: isContinued)
    }

    /// Ends the use of the file, once: nothing may be written afterwards.
    ///
    /// - Parameters:
    ///   - isKept: whether it stays where it is, with its resume data; if not, it goes, unless
    ///     the caller has moved it.
    ///   - isMoved: whether it is known to be moved.
    func close(keeping isKept: Bool, isMoved: Bool = false) {
        guard isOpen.exchange(false, ordering: .acquiringAndReleasing) else { return }
        if !isKept {
            // Only what is still ours: the path may by now name another program's file.
            if !isMoved, isInPlace { unlink(path) }
            if hasResumeFile.load(ordering: .acquiring) { resumeFile?.remove() }
        }
        try? descriptor.close()
    }

    /// Whether the path still names this file.
    var isInPlace: Bool {
        !isMoved.load(ordering: .acquiring) && Self.status(path, ifSameAs: status) != nil
    }

    /// Notes that it has another name now.
    func noteMoved() { isMoved.store(true, ordering: .releasing) }

    /// Whether resume data is kept beside it.
    var keepsResumeData: Bool { resumeFile != nil }

    /// Writes its resume data down.
    ///
    /// Throws `Errno`.
    func write(_ data: ResumeData) throws {
        hasResumeFile.store(true, ordering: .releasing)
        try resumeFile?.write(data)
    }

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

    /// Whether it is in memory, and has no disk to be brought to.
    var isInMemory: Bool { linux_is_in_memory(descriptor.rawValue) != 0 }

    /// Ends the file here: gives back blocks that were set aside, or bytes at the end.
    ///
    /// Throws `cannotWriteToFile` with the path and the reason.
    func cut(to length: Int64) throws(URLError) {
        do {
            try descriptor.resize(to: length)
        } catch {
            throw URLError(.cannotWriteToFile, at: path, error)
        }
    }

    /// Writes all of it at an offset.
    ///
    /// Throws `cannotWriteToFile` with the path and the reason.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(URLError) {
        do {
            try descriptor.writeAll(toAbsoluteOffset: offset, bytes)
        } catch {
            throw URLError(.cannotWriteToFile, at: path, error)
        }
    }

    /// Says behind the end of the file that it has holes, before it has any.
    ///
    /// May wait for the disk, where the file can be found by a later run of the program.
    ///
    /// - Parameters:
    ///   - trailer: what says so.
    ///   - length: of the whole, bytes.
    /// - Throws: `cannotWriteToFile`.
    func write(_ trailer: PartFileTrailer, behind length: Int64) throws(URLError) {
        try Array(trailer.text.utf8).withUnsafeBufferPointer { bytes throws(URLError) in
            try write(UnsafeRawBufferPointer(bytes), at: length)
        }
        guard !keepsResumeData || synchronize() else {
            throw URLError(.cannotWriteToFile, at: path, Errno(rawValue: errno))
        }
    }

    /// Gives back what is set aside in these bytes.
    func punch(_ range: Range<Int64>) {
        linux_punch_hole(descriptor.rawValue, range.lowerBound, Int64(range.count))
    }

    /// Brings what was written to the disk; `false` where the disk refuses.
    func synchronize() -> Bool {
        fdatasync(descriptor.rawValue) == 0
    }

    /// Opens it once more, to be read.
    ///
    /// Throws `cannotOpenFile` where its path names another file by now, or it may not be read.
    func openForReading() throws(URLError) -> FileDescriptor {
        let file: FileDescriptor
        do {
            file = try FileDescriptor.open(path, .readOnly, options: [.noFollow, .closeOnExec])
        } catch {
            throw URLError(.cannotOpenFile, at: path, error)
        }
        guard let own = identity, let found = FileStatus(descriptor: file.rawValue)?.identity,
            own.device == found.device, own.inode == found.inode
        else {
            try? file.close()
            throw URLError(.cannotOpenFile, detail: "\(path) has been replaced")
        }
        return file
    }
}

// Whose bytes are in a part file that is there already.
extension PartFile {
    /// The extended attribute of a part file that holds bytes of a download, until all are there.
    ///
    /// A program that is killed before there is resume data leaves it.
    private static let attribute = "user.URLLoading.part"

    /// Says in the file itself that it holds what a download has received.
    ///
    /// Where the file system knows no such attributes, resume data has to say so.
    func setAttribute() {
        guard keepsResumeData, !hasAttribute.exchange(true, ordering: .relaxed) else { return }
        _ = linux_set_attribute(descriptor.rawValue, Self.attribute, "", 0)
    }

    /// Removes the attribute: the file is about to get its own name.
    func removeAttribute() {
        guard
            hasAttribute.exchange(false, ordering: .relaxed)
                || hasResumeFile.load(ordering: .acquiring)
        else { return }
        _ = linux_remove_attribute(descriptor.rawValue, Self.attribute)
    }

    /// Whether a file is what a download has left, and not a file of the user that happens to have
    /// such a name.
    ///
    /// - Parameters:
    ///   - path: of the file.
    ///   - status: what it is.
    /// - Returns: `true` also where the file is empty.
    package static func isExistingPart(_ path: String, _ status: FileStatus) -> Bool {
        guard status.size > 0 else { return true }
        if linux_get_attribute(path, attribute, nil, 0) >= 0 { return true }
        if let known = try? ResumeFile(of: path).read()?.identity,
            known.device == status.identity.device, known.inode == status.identity.inode
        {
            return true
        }
        return PartFileTrailer(of: path) != nil
    }
}
