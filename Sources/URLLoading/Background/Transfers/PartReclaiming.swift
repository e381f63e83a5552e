import Glibc
import SystemPackage

/// What a killed transfer process has left of a download.
///
/// Elsewhere resume data is of no use for a file that was written to later. Only the process with
/// the session's lock writes to a session's file. The bytes that resume data counts were on the
/// disk before it was written, and later bytes are cut off. Their checksum shows whether another
/// program has written to them all the same.
enum PartReclaiming {
    /// Takes back a part file, for ``URLSession/downloadTask(with:continuing:)``.
    ///
    /// Reads the part where ``mustBeRead(_:)`` says so.
    ///
    /// - Parameter path: of a file in the session's folder; the session's lock must be held.
    /// - Returns: resume data that the file is once more what it says of; `nil` where the download
    ///   begins at its first byte, and what was there is removed.
    static func resumeData(of path: String) -> ResumeData? {
        let resumeFile = ResumeFile(of: path)
        let known = try? resumeFile.read()
        // Most tasks begin with their first byte.
        if known == nil, !FilePlacing.isTaken(path), !FilePlacing.isTaken(resumeFile.path) {
            return nil
        }
        guard let known, let data = reclaim(path, known) else {
            resumeFile.remove()
            unlink(path)
            return nil
        }
        return data
    }

    /// Whether a part was written to after its resume data, so that its bytes must be compared with
    /// their checksum, which takes as long as reading them.
    static func mustBeRead(_ path: String) -> Bool {
        guard let status = FileStatus(path), let known = try? ResumeFile(of: path).read(),
            known.received.checksum != nil
        else { return false }
        return known.identity?.isUnchanged(from: status.identity) != true
    }

    private static func reclaim(_ path: String, _ known: ResumeData) -> ResumeData? {
        guard let status = FileStatus(path), status.isOurs, let old = known.identity,
            status.identity.device == old.device, status.identity.inode == old.inode
        else { return nil }
        // Files with holes have a trailer that says so.
        guard known.received.trailer == nil else {
            return known.describes(status, at: path) ? known : nil
        }
        guard status.size >= known.receivedBytes,
            status.size == known.receivedBytes || cut(path, status, known.receivedBytes)
        else { return nil }
        var data = known
        if let checksum = known.received.checksum, !old.isUnchanged(from: status.identity) {
            guard let found = checksumAndIdentity(of: path), found.checksum == checksum else {
                return nil
            }
            data.identity = found.identity
            // So it is read once. Where this fails it is read again.
            try? ResumeFile(of: path).write(data)
            return data
        }
        data.identity = FileStatus(path)?.identity
        return data
    }

    /// Reads a part.
    ///
    /// - Returns: the checksum of its bytes, and which file it was; `nil` where it cannot be read,
    ///   or was written to meanwhile.
    private static func checksumAndIdentity(
        of path: String
    ) -> (checksum: UInt32, identity: FileIdentity)? {
        let number = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard number >= 0 else { return nil }
        defer { close(number) }
        let file = FileDescriptor(rawValue: number)
        guard Checksum.isAvailable, let before = FileStatus(descriptor: number)?.identity else {
            return nil
        }
        var checksum = Checksum()
        return withUnsafeTemporaryAllocation(byteCount: 256 << 10, alignment: 16) { buffer in
            while let count = try? file.read(into: buffer) {
                guard count == 0 else {
                    checksum.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                    continue
                }
                guard FileStatus(descriptor: number)?.identity == before else { return nil }
                return (checksum.value, before)
            }
            return nil
        }
    }

    /// Cuts off what a file has behind some bytes, if the path still names the file that was seen.
    private static func cut(_ path: String, _ seen: FileStatus, _ length: Int64) -> Bool {
        let number = open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard number >= 0 else { return false }
        defer { close(number) }
        return FileStatus(descriptor: number)?.identity == seen.identity
            && ftruncate(number, off_t(length)) == 0
    }
}

// Parts that change hands by way of resume data.
extension PartReclaiming {
    /// How long a part is kept of which no task has been made, nanoseconds: 30 days.
    private static let maximumAge: Int64 = 30 * 24 * 3_600 * 1_000_000_000

    /// Puts a part where a session with its resume data can go on with it, this one or another.
    ///
    /// - Parameters:
    ///   - known: what the part is, by ``resumeData(of:)``.
    ///   - path: where it is.
    ///   - folder: where it goes, on the same disk.
    /// - Returns: the resume data; `nil` where it cannot be moved: it stays.
    static func leave(_ known: ResumeData, from path: String, in folder: String) -> ResumeData? {
        guard let place = try? PrivateFolder(folder, makes: true) else { return nil }
        sweep(place)
        let name = PartFile.temporaryName()
        let target = place.place(name)
        guard rename(path, target) == 0 else { return nil }
        ResumeFile(of: path).remove()
        var data = known
        data.file = .temporary(name)
        data.identity = FileStatus(target)?.identity
        return data
    }

    /// The most names that are tried for a part beside other files.
    private static let nameLimit = 1_000

    /// Leaves a part beside the file that it was to become, under the name that a command in the
    /// foreground gives it, and goes on from.
    ///
    /// - Parameters:
    ///   - known: what the part is, by ``resumeData(of:)``.
    ///   - path: where it is, in the same folder.
    ///   - file: what it was to become.
    ///   - replaces: whether it may be that though there is such a file; else the name has a number then.
    /// - Returns: resume data, with the path of the part; `nil` where it cannot be moved: it stays.
    static func leave(
        _ known: ResumeData,
        from path: String,
        beside file: String,
        replaces: Bool
    ) -> ResumeData? {
        let number = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard number >= 0 else { return nil }
        defer { close(number) }
        let finished = FinishedFile(path: path, file: FileDescriptor(rawValue: number))
        for number in 0..<nameLimit {
            let name = number == 0 ? file : "\(file).\(number)"
            if number > 0 || !replaces, FilePlacing.isTaken(name) { continue }
            let part = PartFile.path(of: name)
            let resumeFile = ResumeFile(of: part)
            let use = use(of: part, for: known)
            defer { if case .beginning(let old) = use { try? old.close() } }
            let isReplaced: Bool
            switch use {
            case .none where resumeFile.blocker == nil: isReplaced = false
            case .beginning where resumeFile.blocker == nil: isReplaced = true
            default: continue
            }
            var data = known
            data.file = .partFile(part)
            data.fields = []
            // First of all: a part without it would count for nothing after a crash.
            guard (try? resumeFile.write(data)) != nil else { return nil }
            do throws(URLError) {
                guard try finished.move(to: part, replaces: isReplaced) else {
                    resumeFile.remove()
                    continue
                }
            } catch {
                resumeFile.remove()
                return nil
            }
            FolderSync.synchronize(folderOf: part)
            ResumeFile(of: path).remove()
            return data
        }
        return nil
    }

    /// What has the name that a part is to get.
    private enum NameUse {
        case none
        /// No more than the beginning of the same, locked.
        case beginning(FileDescriptor)
        case other
    }

    private static func use(of part: String, for known: ResumeData) -> NameUse {
        guard FilePlacing.isTaken(part) else { return .none }
        guard let old = try? PartFile.openLocked(part) else { return .other }
        if let seen = FileStatus(old.status),
            let data = try? ResumeFile(of: part).read(), data.isOf(known.url),
            data.describes(seen, at: part), data.receivedBytes <= known.receivedBytes
        {
            return .beginning(old.file)
        }
        try? old.file.close()
        return .other
    }

    /// Removes the parts that no session has taken in time.
    private static func sweep(_ folder: borrowing PrivateFolder) {
        let limit = WallClock.now.multipliedReportingOverflow(by: 1_000).partialValue - maximumAge
        for name in FolderListing.names(folder.path) where PartFile.isTemporaryName(name) {
            let path = folder.place(name)
            if let seen = FileStatus(path)?.identity.modified, seen < limit { unlink(path) }
        }
    }

    /// Takes a part over that another download has left: it has the path, and its resume data is
    /// beside it.
    ///
    /// - Parameters:
    ///   - known: resume data with the absolute path of the part.
    ///   - path: what the part is to be called, on the same disk.
    /// - Returns: resume data for ``URLSession/downloadTask(with:continuing:)``; `nil` where the file is
    ///   not the one that was left, is in use, or is on another disk.
    static func adopt(_ known: ResumeData, as path: String) -> ResumeData? {
        guard case .partFile(let source) = known.file,
            let slash = source.utf8.lastIndex(of: UInt8(ascii: "/"))
        else { return nil }
        let (folder, name) = (String(source[..<slash]), String(source[slash...].dropFirst()))
        var data = known
        data.file = .temporary(name)
        // It is locked meanwhile, and cut to what resume data counts.
        guard PartFile.isTemporaryName(name),
            let point = ResumePoint(data, temporaryFolder: folder),
            let part = try? PartFile(
                .temporary,
                continuing: point,
                at: known.receivedBytes,
                temporaryFolder: folder
            )
        else { return nil }
        defer { part.close(keeping: true) }
        data.file = .partFile(path)
        data.fields = []
        data.identity = part.identity
        // First of all: a part without it would count for nothing after a crash.
        guard (try? ResumeFile(of: path).write(data)) != nil, rename(source, path) == 0 else {
            ResumeFile(of: path).remove()
            return nil
        }
        return data
    }
}

extension ResumeData {
    /// What a program gets back of a part that was to be gone on with, and is still where it was.
    var returned: ResumeData? {
        guard case .partFile(let path) = file, let slash = path.utf8.lastIndex(of: 0x2F),
            let status = FileStatus(path), describes(status, at: path)
        else { return nil }
        var data = self
        data.file = .temporary(String(path[path.utf8.index(after: slash)...]))
        return data
    }
}
