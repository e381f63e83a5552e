import CLinux
import FoundationEssentials
import Glibc
package import SystemPackage

/// A file that the user has named, for reading or for replacing.
struct NamedFile {
    /// The path with all links resolved.
    private let path: String
    private let folder: String

    /// Resolves the links of a path; throws `unsafe` where another user controls one, in a shared folder.
    init(_ path: String) throws(PrivateFileError) {
        TaskLockCounter.expectNone("a file of state is looked for")
        do throws(ForeignFile) {
            self.path = try FolderTrust.resolve(path) ?? path
        } catch {
            throw .unsafe(path: error.path, reason: "it \(error.reason)")
        }
        folder = FolderTrust.folder(of: self.path)
    }

    /// Whether the path names a device, pipe or socket, whose written bytes we cannot read again.
    var isDevice: Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    }

    /// The file's content; `nil` where no file exists.
    func read() throws(PrivateFileError) -> Data? {
        let number = open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else {
            if errno == ENOENT { return nil }
            throw Self.failed(path)
        }
        let file = FileDescriptor(rawValue: number)
        defer { try? file.close() }
        return try file.readState(path)
    }

    /// Locks the folder against other processes that replace files in it; closing the descriptor unlocks
    /// it.
    ///
    /// A separate lock file would remain beside the user's file. Where folders cannot be locked, as on
    /// some network drives, there is no lock: a rename is still atomic.
    func lock(timeout: Duration) throws(PrivateFileError) -> FileDescriptor {
        let number = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw Self.failed(folder) }
        let file = FileDescriptor(rawValue: number)
        do throws(Errno) {
            try file.lock(timeout: timeout)
        } catch .wouldBlock {
            try? file.close()
            throw .busy(path: path)
        } catch {}
        return file
    }

    /// Replaces the file by new content; writes to a device or pipe instead, within a time-out for its
    /// reader.
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
            // We keep the user's mode, if the file is the user's and no other user can write to the folder.
            let isOwn =
                old?.st_uid == geteuid() && old.map { $0.st_mode & S_IFMT } == S_IFREG
                && FolderTrust(folder)?.isShared == false
            let mode = isOwn ? old.map { $0.st_mode & 0o777 } ?? 0o600 : 0o600
            try write(data, to: open(draft, flags, 0o600), mode: mode)
            guard rename(draft, path) == 0 else { throw Self.failed(path) }
        } catch {
            unlink(draft)
            throw error
        }
    }

    /// Opens a device or pipe.
    ///
    /// open(2) would block until a FIFO has a reader, and this process would write no other state meanwhile.
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

extension FileDescriptor {
    /// The most bytes to reserve before any is read, and of a file of state.
    private static let maximumReserve = 16 << 20

    /// Reads a file of state, of at most 16 MiB; the path is for messages.
    func readState(_ path: String, expected: Int = 0) throws(PrivateFileError) -> Data {
        let bytes: [UInt8]?
        do throws(Errno) {
            bytes = try readToEnd(limit: Self.maximumReserve, expected: expected)
        } catch {
            throw .failed(path: path, reason: "\(error)")
        }
        guard let bytes else { throw .malformed(path: path, reason: "it is too large") }
        return Data(bytes)
    }

    /// Reads up to the end of a file, a pipe or a device.
    ///
    /// - Parameters:
    ///   - limit: the most bytes to take.
    ///   - expected: the likely number of bytes; it saves memory, and need not be right.
    /// - Returns: the bytes; `nil` if there are more than the limit.
    /// - Throws: the error of a read.
    package func readToEnd(limit: Int = .max, expected: Int = 0) throws(Errno) -> [UInt8]? {
        var bytes: [UInt8] = []
        // The length of a sparse file may be more than any memory.
        bytes.reserveCapacity(min(max(0, expected), limit, Self.maximumReserve))
        let space = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
        defer { space.deallocate() }
        while true {
            let count = try Errno.only { try read(into: space) }
            guard count > 0 else { return bytes }
            guard count <= limit - bytes.count else { return nil }
            bytes += space[..<count]
        }
    }

    /// Locks the open file with flock(2); the kernel releases the lock when the descriptor is closed.
    ///
    /// - Parameters:
    ///   - timeout: how long another process may hold the lock.
    ///   - pause: the time between two attempts, microseconds.
    /// - Throws: `wouldBlock` where another process holds the lock.
    func lock(timeout: Duration = .zero, pause: UInt32 = 10_000) throws(Errno) {
        let deadline = MonotonicInstant.now + timeout
        while linux_lock_exclusively(rawValue) != 0 {
            let reason = Errno(rawValue: errno)
            guard reason == .wouldBlock || reason == .interrupted else { throw reason }
            guard MonotonicInstant.now < deadline else { throw .wouldBlock }
            usleep(pause)
        }
    }
}

extension Errno {
    /// Calls a function of System's, which throws no other error.
    package static func only<Result>(_ body: () throws -> Result) throws(Errno) -> Result {
        do {
            return try body()
        } catch {
            throw error as? Errno ?? .ioError
        }
    }
}
