import CLinux
import FoundationEssentials
import Glibc
import SystemPackage

/// A file that the user has named, to be read, or replaced as a whole.
struct NamedFile {
    /// The most that is read of one, bytes.
    private static let sizeLimit = 16 << 20

    /// What the name leads to, links followed.
    private let path: String
    private let folder: String

    /// Finds what a name leads to.
    ///
    /// Throws `unsafe` where another user has a say in that, in a folder that others can write to.
    init(_ path: String) throws(PrivateFileError) {
        TaskLockCounter.expectNone("a file of state is looked for")
        do throws(ForeignFile) {
            self.path = try FolderTrust.resolve(path) ?? path
        } catch {
            throw .unsafe(path: error.path, reason: "it \(error.reason)")
        }
        folder = FolderTrust.folder(of: self.path)
    }

    /// Whether it is none of the disk's: what is written there cannot be read again.
    var isDevice: Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    }

    /// Its content; `nil` where there is no such file.
    func read() throws(PrivateFileError) -> Data? {
        let number = open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else {
            if errno == ENOENT { return nil }
            throw Self.failed(path)
        }
        let file = FileDescriptor(rawValue: number)
        defer { try? file.close() }
        var data = Data()
        while true {
            var piece = Data(count: 64 << 10)
            guard let count = try? piece.withUnsafeMutableBytes({ try file.read(into: $0) }) else {
                throw Self.failed(path)
            }
            guard count > 0 else { return data }
            data += piece.prefix(count)
            guard data.count <= Self.sizeLimit else {
                throw .garbled(path: path, reason: "it is too large")
            }
        }
    }

    /// Locks the folder against other processes that replace files in it; closing it unlocks.
    ///
    /// A file of its own would be left beside the user's. Where folders cannot be locked, as on some
    /// network drives, there is no lock: a rename still leaves no torn file.
    ///
    /// - Parameter timeout: how long another process may hold the lock.
    /// - Returns: the lock.
    /// - Throws: `failed` where there is no such folder, `busy`.
    func lock(timeout: Duration) throws(PrivateFileError) -> FileDescriptor? {
        let number = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw Self.failed(folder) }
        let deadline = MonotonicInstant.now + timeout
        while linux_lock_exclusively(number) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else { break }
            guard MonotonicInstant.now < deadline else {
                close(number)
                throw .busy(path: path)
            }
            usleep(10_000)
        }
        return FileDescriptor(rawValue: number)
    }

    /// Puts content in its place; where it is none of the disk's, such as a pipe, into it.
    ///
    /// - Parameters:
    ///   - data: the content.
    ///   - timeout: how long a FIFO may be without a reader.
    /// - Throws: `unsafe`, or `failed`, also where a FIFO has no reader.
    func replace(by data: Data, timeout: Duration) throws(PrivateFileError) {
        let old: stat?
        do throws(ForeignFile) {
            old = try FolderTrust.check(path)
        } catch {
            throw .unsafe(path: path, reason: "it \(error.reason)")
        }
        if let old, ![S_IFREG, S_IFLNK].contains(old.st_mode & S_IFMT) {
            return try write(data, to: openDevice(timeout: timeout))
        }
        let draft = "\(path).\(UInt32.random(in: .min ... .max))~"
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        do throws(PrivateFileError) {
            // Its mode is the user's choice where the file is the user's, and no other user can write
            // to the folder.
            let isOwn = old?.st_uid == geteuid() && FolderTrust(folder)?.isShared == false
            let mode = isOwn ? old.map { $0.st_mode & 0o777 } ?? 0o600 : 0o600
            try write(data, to: open(draft, flags, 0o600), mode: mode)
            guard rename(draft, path) == 0 else { throw Self.failed(path) }
        } catch {
            unlink(draft)
            throw error
        }
    }

    /// Opens what is none of the disk's.
    ///
    /// open(2) waits for a FIFO's reader without end, and this process writes nothing else meanwhile.
    private func openDevice(timeout: Duration) -> CInt {
        let deadline = MonotonicInstant.now + timeout
        while true {
            let number = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
            if number >= 0 {
                _ = fcntl(number, F_SETFL, 0)
                return number
            }
            guard errno == ENXIO, MonotonicInstant.now < deadline else { return -1 }
            usleep(10_000)
        }
    }

    private func write(
        _ data: Data,
        to number: CInt,
        mode: mode_t? = nil
    ) throws(PrivateFileError) {
        guard number >= 0 else { throw Self.failed(path) }
        let file = FileDescriptor(rawValue: number)
        defer { try? file.close() }
        do {
            if let mode { fchmod(number, mode) }
            _ = try data.withUnsafeBytes { try file.writeAll($0) }
            guard mode == nil || fsync(number) == 0 else { throw Errno(rawValue: errno) }
        } catch {
            throw .failed(path: path, reason: "\(error)")
        }
    }

    private static func failed(_ path: String) -> PrivateFileError {
        .failed(path: path, reason: "\(Errno(rawValue: errno))")
    }
}
