import CLinux
import FoundationEssentials
import Glibc
import Synchronization
import SystemPackage

/// The file that a download writes to.
///
/// The download locks it while it is open. The release by the last owner removes the file, unless the caller
/// has moved it or it continues an earlier download.
package final class PartFile: Sendable {
    let path: String
    /// Whether nothing names the file yet: the caller does when it is complete (``FinishedFile``).
    let isUnnamed: Bool
    /// The same path as the URL that the delegate gets.
    let location: URL
    let descriptor: FileDescriptor
    /// The file's status when it was locked: it identifies the file as long as that is open.
    let status: stat
    /// The resume data beside the file; `nil`: the download writes none.
    private let resumeFile: ResumeFile?
    /// Whether the file has bytes of an earlier download.
    let isContinued: Bool
    private let isOpen = Atomic(true)
    private let hasResumeFile: Atomic<Bool>
    private let hasAttribute = Atomic(false)
    private let isMoved = Atomic(false)
    /// Whether it is a temporary file of the session, identified by its bare name.
    let isTemporary: Bool

    /// Creates the empty file of a destination.
    ///
    /// `needsName` is `false` if the whole body is here, and the delegate names the complete file. The file
    /// then has no name before, where the file system allows that, and is lost with the process. Throws
    /// `cannotCreateFile` with the path and the reason.
    init(
        _ destination: DownloadDestination,
        temporaryFolder: String,
        needsName: Bool = true
    ) throws(URLError) {
        isContinued = false
        isTemporary = destination == .temporary
        let opened: Opened
        switch destination {
        case .temporary:
            path = "\(temporaryFolder)/\(Self.temporaryName())"
            location = URL(filePath: path)
            opened = try Self.makeOrEmpty(path, .ownerReadWrite, nil)
            (resumeFile, isUnnamed) = (nil, false)
        case .partFile(let file, let permissions, let keepsResumeData):
            let plainPath = file.plainFilePath
            path = plainPath ?? file.path
            location = plainPath == nil ? URL(filePath: path) : file
            let permissions = FilePermissions(rawValue: CModeT(permissions))
            let unnamed = needsName ? nil : Self.makeUnnamed(besides: path, permissions)
            isUnnamed = unnamed != nil
            resumeFile = keepsResumeData && !isUnnamed ? ResumeFile(of: path) : nil
            if let unnamed {
                opened = unnamed
            } else if needsName {
                opened = try Self.makeOrEmpty(path, permissions, resumeFile)
            } else {
                // The delegate has not examined or locked a part file that is there by now.
                opened = try Self.makeNew(path, permissions)
            }
        }
        (descriptor, status) = (opened.file, opened.status)
        hasResumeFile = Atomic(opened.isExistingPart)
    }

    /// Opens the file of a continued download, and cuts it at the offset.
    ///
    /// `nil` where the destination names another file, or the file no longer matches the resume data.
    ///
    /// Throws `cannotCreateFile` or `cannotWriteToFile`, with the path and the reason.
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
            path = file.filePath
            resumeFile = keepsResumeData ? ResumeFile(of: path) : nil
        default: return nil
        }
        location = URL(filePath: path)
        guard let before = FileStatus(path), point.data.describes(before, at: path),
            let opened = try Self.openLocked(path)
        else { return nil }
        (descriptor, status, isUnnamed) = (opened.file, opened.status, false)
        isContinued = true
        hasResumeFile = Atomic(true)
        guard let now = FileStatus(status), point.data.describes(now, at: path) else {
            close(keeping: true)
            return nil
        }
        // We do not truncate a file with holes: each stream writes at its own offset.
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

    /// Closes the file, once; no call may write afterwards.
    ///
    /// Unless the file stays in place with its resume data, this removes it. `isMoved`: whether the caller
    /// knows that it has moved the file, which then remains.
    func close(keeping isKept: Bool, isMoved: Bool = false) {
        guard isOpen.exchange(false, ordering: .acquiringAndReleasing) else { return }
        if !isKept {
            // The path may name another program's file by now.
            if !isMoved, isInPlace { unlink(path) }
            if hasResumeFile.load(ordering: .acquiring) { resumeFile?.remove() }
        }
        try? descriptor.close()
    }

    /// Whether the path still names this file.
    var isInPlace: Bool {
        !isUnnamed && !isMoved.load(ordering: .acquiring)
            && Self.status(path, ifSameAs: status) != nil
    }

    func noteMoved() { isMoved.store(true, ordering: .releasing) }

    /// Whether the download writes resume data beside the file.
    var keepsResumeData: Bool { resumeFile != nil }

    /// Writes resume data beside the file, if the download keeps any; throws `Errno`.
    ///
    /// The first time, it throws `fileExists` where another download has given its body that name meanwhile.
    func write(_ data: ResumeData) throws {
        if !hasResumeFile.load(ordering: .acquiring), resumeFile?.blocker != nil {
            throw Errno.fileExists
        }
        hasResumeFile.store(true, ordering: .releasing)
        try resumeFile?.write(data)
    }

    var identity: FileIdentity? { FileStatus(descriptor: descriptor.rawValue)?.identity }

    /// Reserves disk blocks for bytes to come; the file's size does not change.
    ///
    /// - Returns: `false` where the disk refused; it may have reserved some of the blocks.
    func reserve(_ range: Range<Int64>) -> Bool {
        linux_fallocate_keep_size(descriptor.rawValue, range.lowerBound, Int64(range.count)) == 0
    }

    /// The free bytes of the file's disk; `nil` where the file is in memory.
    var freeSpace: Int64? {
        let bytes = linux_free_disk_space(descriptor.rawValue)
        return bytes < 0 ? nil : bytes
    }

    /// Whether the file is in memory, and has no disk.
    var isInMemory: Bool { linux_is_in_memory(descriptor.rawValue) != 0 }

    /// Truncates the file, which also releases reserved blocks behind the end.
    ///
    /// Throws `cannotWriteToFile` with the path and the reason.
    func cut(to length: Int64) throws(URLError) {
        try writing { try descriptor.resize(to: length) }
    }

    private func writing(_ write: () throws -> Void) throws(URLError) {
        do {
            try write()
        } catch {
            throw URLError(.cannotWriteToFile, at: path, error)
        }
    }

    /// Bytes to cut off the file when the disk has no room for its resume data.
    private static let bytesToCut: Int64 = 64 << 10

    /// Releases blocks that were reserved, and the last of the received bytes, on a full disk; returns the bytes
    /// that the file still has.
    func makeRoom(_ received: ReceivedRanges, of totalBytes: Int64?) -> ReceivedRanges {
        guard received.count > Self.bytesToCut, let last = received.ranges.ranges.last else {
            return received
        }
        var fewer = received
        let start = max(last.lowerBound, last.upperBound - Self.bytesToCut)
        fewer.remove(start..<last.upperBound)
        if received.trailer == nil {
            try? cut(to: fewer.count)
        } else if let totalBytes {
            for gap in fewer.ranges.gaps(upTo: totalBytes) {
                linux_punch_hole(descriptor.rawValue, gap.lowerBound, Int64(gap.count))
            }
        }
        return fewer
    }

    /// Writes all bytes at an offset.
    ///
    /// Throws `cannotWriteToFile` with the path and the reason.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(URLError) {
        try writing { try descriptor.writeAll(toAbsoluteOffset: offset, bytes) }
    }

    /// Writes the trailer behind the complete file's length, before the file has holes.
    ///
    /// Waits for the disk where a later run of the program can find the file. Throws `cannotWriteToFile`.
    func write(_ trailer: PartFileTrailer, behind length: Int64) throws(URLError) {
        try Array(trailer.text.utf8).withUnsafeBufferPointer { bytes throws(URLError) in
            try write(UnsafeRawBufferPointer(bytes), at: length)
        }
        guard !keepsResumeData || synchronize() else {
            throw URLError(.cannotWriteToFile, at: path, Errno(rawValue: errno))
        }
    }

    /// Writes the file's bytes to the disk; `false` where the disk refuses.
    func synchronize() -> Bool {
        fdatasync(descriptor.rawValue) == 0
    }
}

// Telling part files from files of the user.
extension PartFile {
    /// The extended attribute of a part file that holds bytes of an incomplete download.
    ///
    /// The attribute marks the file even if the program is killed before it writes resume data.
    private static let attribute = "user.URLLoading.part"

    /// Marks the file as one that holds bytes of a download.
    ///
    /// On a file system without extended attributes only the resume data marks the file.
    func setAttribute() {
        guard keepsResumeData, !hasAttribute.exchange(true, ordering: .relaxed) else { return }
        _ = linux_set_attribute(descriptor.rawValue, Self.attribute, "", 0)
    }

    /// Removes the attribute before the file gets its final name.
    func removeAttribute() {
        guard
            hasAttribute.exchange(false, ordering: .relaxed)
                || hasResumeFile.load(ordering: .acquiring)
        else { return }
        _ = linux_remove_attribute(descriptor.rawValue, Self.attribute)
    }

    /// Whether a file is empty, or from an earlier download, and not a user's file with such a name by chance.
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
