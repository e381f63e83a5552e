import FoundationEssentials
import Glibc
import SystemPackage

/// Resume data beside a part file, under its name with `.resume` added.
package struct ResumeFile: Sendable {
    package let path: String

    package init(of partPath: String) {
        path = partPath + ".resume"
    }

    /// What it says; `nil` where there is none.
    ///
    /// Throws `ResumeDataError` where it is of no use.
    package func read() throws(ResumeDataError) -> ResumeData? {
        guard let bytes = try Self.bytes(of: path) else { return nil }
        return try ResumeData(bytes)
    }

    /// What has one of the two names that resume data needs, and would be lost with it: all that no
    /// download of this user's has left.
    package var blocker: String? {
        [path, draft].first { isBlocker($0) }
    }

    /// The first of the two names that something of another user's has.
    package var foreignPath: String? {
        [path, draft].first { !Self.isOwnOrFree($0) }
    }

    /// In a draft without a byte there is nothing to be lost.
    private func isBlocker(_ path: String) -> Bool {
        do throws(ResumeDataError) {
            guard let bytes = try Self.bytes(of: path) else { return false }
            return !(ResumeData.isFormat(of: bytes) || bytes.isEmpty && path == draft)
        } catch {
            return true
        }
    }

    /// What is in a file of this user's; `nil` where there is none.
    private static func bytes(of path: String) throws(ResumeDataError) -> Data? {
        let file: FileDescriptor
        do {
            file = try FileDescriptor.open(
                path,
                .readOnly,
                options: [.noFollow, .closeOnExec, .nonBlocking]
            )
        } catch Errno.noSuchFileOrDirectory {
            return nil
        } catch {
            // Without a free descriptor, open(2) does not look at the path.
            guard Self.exists(path) else { return nil }
            throw .garbled("\(path): \(error)")
        }
        defer { try? file.close() }
        guard let status = FileStatus(descriptor: file.rawValue), status.isOurs,
            status.size <= ResumeData.sizeLimit
        else { throw .garbled("\(path) is no file of ours, or too large for one") }
        var bytes = Data(count: Int(status.size))
        let count = bytes.withUnsafeMutableBytes { (try? file.read(into: $0)) ?? 0 }
        return bytes.prefix(count)
    }

    /// Replaces it, as a whole, and brings it to the disk.
    ///
    /// Throws `Errno`, which is `fileExists` where another user's file has the name.
    func write(_ data: ResumeData) throws {
        let file = try makeDraft()
        do {
            defer { try? file.close() }
            try data.encoded.withUnsafeBytes { _ = try file.writeAll($0) }
            guard Self.isOwnOrFree(path) else { throw Errno.fileExists }
            guard fdatasync(file.rawValue) == 0, rename(draft, path) == 0 else {
                throw Errno(rawValue: errno)
            }
        } catch {
            unlink(draft)
            throw error
        }
    }

    /// Makes the draft, empty.
    private func makeDraft() throws -> FileDescriptor {
        do {
            return try openDraft()
        } catch Errno.fileExists {
            // No process of this user's writes here: the part file is locked. What is left over is
            // from a crash.
            guard Self.isOwnOrFree(draft) else { throw Errno.fileExists }
            unlink(draft)
            return try openDraft()
        }
    }

    private func openDraft() throws -> FileDescriptor {
        try FileDescriptor.open(
            draft,
            .writeOnly,
            options: [.create, .exclusiveCreate, .noFollow, .closeOnExec],
            permissions: .ownerReadWrite
        )
    }

    /// Removes what there is, and nothing of another user's.
    package func remove() {
        for name in [path, draft] where Self.isOwn(name) { unlink(name) }
    }

    private static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 || errno != ENOENT
    }

    private static func isOwn(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_uid == geteuid()
    }

    /// Whether what has a name belongs to this user, or nothing has it.
    private static func isOwnOrFree(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) != 0 || status.st_uid == geteuid()
    }

    /// Where it is written before it gets its name.
    private var draft: String { path + "~" }
}
