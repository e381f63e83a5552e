import FoundationEssentials
import Glibc
import SystemPackage

/// Resume data beside a part file, under its name with `.resume` added.
package struct ResumeFile: Sendable {
    package let path: String

    package init(of partPath: String) {
        path = partPath + ".resume"
    }

    /// Reads the resume data; `nil` where no file exists.
    ///
    /// Throws `ResumeDataError` where the file is unusable.
    package func read() throws(ResumeDataError) -> ResumeData? {
        guard let bytes = try Self.bytes(of: path) else { return nil }
        return try ResumeData(bytes)
    }

    /// The first of the resume file's two paths where a file exists that no download of this user left.
    ///
    /// Writing resume data would destroy that file.
    package var blocker: String? { [path, draft].first { isBlocker($0) } }

    /// The first of the two paths where another user's file exists.
    package var foreignPath: String? { [path, draft].first { !Self.isOwnOrFree($0) } }

    /// An empty draft may be overwritten: it has no contents to lose.
    private func isBlocker(_ path: String) -> Bool {
        guard Self.exists(path) else { return false }
        do throws(ResumeDataError) {
            guard let bytes = try Self.bytes(of: path) else { return false }
            return !(ResumeData.isFormat(of: bytes) || bytes.isEmpty && path == draft)
        } catch {
            return true
        }
    }

    /// The contents of a file of this user; `nil` where no file exists.
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
            // Thrown also where the process has no file descriptor left.
            guard Self.exists(path) else { return nil }
            throw .malformed("\(path): \(error)")
        }
        defer { try? file.close() }
        guard let status = FileStatus(descriptor: file.rawValue), status.isOurs,
            status.size <= ResumeData.sizeLimit
        else { throw .malformed("\(path) is not a regular file of this user, or is too large") }
        var bytes = Data(count: Int(status.size))
        let count = bytes.withUnsafeMutableBytes { (try? file.read(into: $0)) ?? 0 }
        return bytes.prefix(count)
    }

    /// Replaces the file atomically, and writes it to the disk.
    ///
    /// Throws `Errno`; `fileExists` where another user's file has one of the two paths.
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

    /// Creates the empty draft, in place of one that a crash has left.
    ///
    /// No other process of this user writes here, because the part file is locked.
    private func makeDraft(replaces: Bool = true) throws -> FileDescriptor {
        do {
            return try FileDescriptor.open(
                draft,
                .writeOnly,
                options: [.create, .exclusiveCreate, .noFollow, .closeOnExec],
                permissions: .ownerReadWrite
            )
        } catch Errno.fileExists where replaces && Self.isOwnOrFree(draft) {
            unlink(draft)
            return try makeDraft(replaces: false)
        }
    }

    /// Removes the resume file and its draft, unless another user owns them.
    package func remove() {
        for name in [path, draft] where Self.isOwn(name) { unlink(name) }
    }

    private static func exists(_ path: String) -> Bool {
        var status = stat()
        // Lent: for an argument of C's type, Swift would copy the path to an array.
        return path.withCString { lstat($0, &status) } == 0 || errno != ENOENT
    }

    private static func isOwn(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_uid == geteuid()
    }

    /// Whether this user owns the file at a path, or no file exists there.
    private static func isOwnOrFree(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) != 0 || status.st_uid == geteuid()
    }

    /// The path of the draft, which is renamed to `path` when it is complete.
    private var draft: String { path + "~" }
}
