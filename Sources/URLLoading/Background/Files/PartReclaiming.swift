import Glibc

/// What a killed transfer process has left of a download.
///
/// Elsewhere resume data is of no use for a file that was written to since, since nobody knows by
/// whom. A file in a session's own folder is written to by whoever has the session's lock alone: the
/// bytes that resume data counts had been brought to the disk before it was written, and what came
/// after them is cut off.
enum PartReclaiming {
    /// Takes back a part file, for ``URLSession/downloadTask(with:continuing:)``.
    ///
    /// - Parameter path: of a file in the session's folder; the session's lock must be held.
    /// - Returns: resume data that the file is once more what it says of; `nil` where the download
    ///   begins at its first byte, and what was there is removed.
    static func resumeData(of path: String) -> ResumeData? {
        let resumeFile = ResumeFile(of: path)
        guard let known = try? resumeFile.read(), let data = reclaim(path, known) else {
            resumeFile.remove()
            unlink(path)
            return nil
        }
        return data
    }

    private static func reclaim(_ path: String, _ known: ResumeData) -> ResumeData? {
        guard let status = FileStatus(path), status.isOurs, let old = known.identity,
            status.identity.device == old.device, status.identity.inode == old.inode
        else { return nil }
        // Those with holes have a mark that says so.
        guard known.pieces == nil else { return known.describes(status, at: path) ? known : nil }
        guard status.size >= known.receivedBytes,
            status.size == known.receivedBytes || cut(path, status, known.receivedBytes)
        else { return nil }
        var data = known
        data.identity = FileStatus(path)?.identity
        return data
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
