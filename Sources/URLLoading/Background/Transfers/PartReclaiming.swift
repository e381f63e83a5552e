import Glibc
import SystemPackage

/// Reuse of part files that a killed transfer process has left.
///
/// In other sessions, resume data is invalid if the part was written to later. Here, only the process with
/// the session's lock writes to a part. The bytes in resume data were on the disk before the resume data,
/// and later bytes are cut off. A checksum shows whether another program has changed the bytes.
enum PartReclaiming {
    /// Restores a part, for ``URLSession/downloadTask(with:continuing:)``; `nil`: start at the first byte.
    ///
    /// Reads the part if ``mustBeRead(_:)`` says so, and removes an invalid one. The caller must have the
    /// session's lock.
    static func resumeData(of path: String) -> ResumeData? {
        let resumeFile = ResumeFile(of: path)
        let known = try? resumeFile.read()
        // Usually there is no part.
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

    /// Whether a part was written to after its resume data, so that all its bytes must be read and compared
    /// with the checksum.
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
        // A part with holes has a trailer, and must match exactly.
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
            // Then the part is not read again. If this fails, it is.
            try? ResumeFile(of: path).write(data)
            return data
        }
        data.identity = FileStatus(path)?.identity
        return data
    }

    /// The checksum of a part's bytes, and its identity; `nil` if it was written to meanwhile.
    private static func checksumAndIdentity(
        of path: String
    ) -> (checksum: UInt32, identity: FileIdentity)? {
        guard Checksum.isAvailable, let (file, status) = try? FileStatus.open(path, .noFollow)
        else { return nil }
        defer { try? file.close() }
        let before = status.identity
        var checksum = Checksum()
        return withUnsafeTemporaryAllocation(byteCount: 256 << 10, alignment: 16) { buffer in
            while let count = try? file.read(into: buffer) {
                guard count == 0 else {
                    checksum.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                    continue
                }
                guard FileStatus(descriptor: file.rawValue)?.identity == before else { return nil }
                return (checksum.value, before)
            }
            return nil
        }
    }

    /// Truncates a file, if the path still names the file that was seen.
    private static func cut(_ path: String, _ seen: FileStatus, _ length: Int64) -> Bool {
        let number = open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard number >= 0 else { return false }
        defer { close(number) }
        return FileStatus(descriptor: number)?.identity == seen.identity
            && ftruncate(number, off_t(length)) == 0
    }
}

// Parts that go from one session to another, by resume data.
extension PartReclaiming {
    /// The time for which a part without a task is kept, nanoseconds: 30 days.
    private static let maximumAge: Int64 = 30 * 24 * 3_600 * 1_000_000_000

    /// Moves a part to the shared folder, for any session with its resume data; `nil`: the part stays.
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

    /// The most names that are tried for a part beside a destination.
    private static let nameLimit = 1_000

    /// Renames a part to the name from which a command in the foreground continues; `nil`: the part stays.
    static func leave(
        _ known: ResumeData,
        from path: String,
        beside file: String,
        replaces: Bool
    ) -> ResumeData? {
        guard let (opened, _) = try? FileStatus.open(path, .noFollow) else { return nil }
        defer { try? opened.close() }
        let finished = FinishedFile(path: path, file: opened)
        for number in 0..<nameLimit {
            let name = number == 0 ? file : "\(file).\(number)"
            if number > 0 || !replaces, FilePlacing.isTaken(name) { continue }
            let part = PartFile.path(of: name)
            let resumeFile = ResumeFile(of: part)
            let exists = FilePlacing.isTaken(part)
            let beginning = exists ? openBeginning(part, of: known) : nil
            defer { try? beginning?.close() }
            guard !exists || beginning != nil, resumeFile.blocker == nil else { continue }
            var data = known
            data.file = .partFile(part)
            data.fields = []
            // Written first: after a crash, a part without resume data would be useless.
            guard (try? resumeFile.write(data)) != nil else { return nil }
            do throws(URLError) {
                guard try finished.move(to: part, replaces: exists) else {
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

    /// Opens and locks a shorter part of the same download; `nil` if the file is another one.
    private static func openBeginning(_ part: String, of known: ResumeData) -> FileDescriptor? {
        guard let old = try? PartFile.openLocked(part) else { return nil }
        if let seen = FileStatus(old.status),
            let data = try? ResumeFile(of: part).read(), data.isOf(known.url),
            data.describes(seen, at: part), data.receivedBytes <= known.receivedBytes
        {
            return old.file
        }
        try? old.file.close()
        return nil
    }

    /// Removes parts that no session has taken in time.
    private static func sweep(_ folder: borrowing PrivateFolder) {
        let limit = WallClock.now.multipliedReportingOverflow(by: 1_000).partialValue - maximumAge
        for name in FolderListing.names(folder.path) where PartFile.isTemporaryName(name) {
            let path = folder.place(name)
            if let seen = FileStatus(path)?.identity.modified, seen < limit { unlink(path) }
        }
    }

    /// Takes over a part that another download has left: renames it, and writes resume data beside it.
    ///
    /// Returns `nil` if the file is another one, in use, or on another disk than the new path.
    static func adopt(_ known: ResumeData, as path: String) -> ResumeData? {
        guard case .partFile(let source) = known.file else { return nil }
        let (folder, name) = (FolderTrust.folder(of: source), FolderTrust.name(of: source))
        var data = known
        data.file = .temporary(name)
        // `PartFile` locks the part, and truncates it to the bytes in the resume data.
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
        // Written first: after a crash, a part without resume data would be useless.
        guard (try? ResumeFile(of: path).write(data)) != nil, rename(source, path) == 0 else {
            ResumeFile(of: path).remove()
            return nil
        }
        return data
    }
}

extension ResumeData {
    /// Resume data for the program, if its part was not taken over.
    var returned: ResumeData? {
        guard case .partFile(let path) = file, let status = FileStatus(path),
            describes(status, at: path)
        else { return nil }
        var data = self
        data.file = .temporary(FolderTrust.name(of: path))
        return data
    }
}
