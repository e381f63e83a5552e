import FoundationEssentials
import Glibc
import SystemPackage

/// A folder that only this user can change, opened by its descriptor, so that we use the checked folder even
/// if the path changes.
struct PrivateFolder: ~Copyable {
    let descriptor: FileDescriptor
    let path: String

    /// Opens a folder by its absolute path.
    ///
    /// `nil` where it does not exist; with `makes`, it and its parents are created with mode 0700.
    ///
    /// We follow symbolic links in the path. Throws `unsafe` where others could change the folder.
    init?(_ path: String, makes: Bool) throws(PrivateFileError) {
        TaskLockCounter.expectNone("a folder of state is opened")
        if makes { Self.make(path) }
        guard let descriptor = try Self.open(path, makes: makes) else { return nil }
        self.path = path
        self.descriptor = descriptor
    }

    deinit {
        try? descriptor.close()
    }

    private static func open(
        _ path: String,
        makes: Bool
    ) throws(PrivateFileError) -> FileDescriptor? {
        let number = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else {
            if errno == ENOENT || errno == ENOTDIR, !makes { return nil }
            throw .failed(path: path, reason: "\(Errno(rawValue: errno))")
        }
        var status = stat()
        let isKnown = fstat(number, &status) == 0
        let reason: String? =
            if !isKnown {
                "it cannot be examined"
            } else if status.st_uid != geteuid() {
                "it belongs to another user"
            } else if status.st_mode & 0o022 != 0 {
                "other users can write to it"
            } else {
                nil
            }
        guard let reason else { return FileDescriptor(rawValue: number) }
        close(number)
        throw .unsafe(path: path, reason: reason)
    }

    /// Makes a folder and the folders above it, with mode 0700; does not change those that exist.
    static func make(_ path: String) {
        for index in path.utf8.indices.dropFirst() where path.utf8[index] == UInt8(ascii: "/") {
            mkdir(String(path[..<index]), 0o700)
        }
        mkdir(path, 0o700)
    }

    /// A file's content; `nil` where no file exists.
    ///
    /// It refuses a file that other users can write, and a secret file that they can read; `warn`
    /// receives a warning about another that they can read. Throws `unsafe` where the path is not a
    /// regular file of this user.
    func read(
        _ name: String,
        isSecret: Bool = true,
        warn: (String) -> Void = { _ in }
    ) throws(PrivateFileError) -> Data? {
        guard let file = try open(name, flags: O_RDONLY) else { return nil }
        defer { try? file.close() }
        let status = try ownStatus(of: file, name)
        let place = place(name)
        if status.st_mode & 0o077 != 0 {
            let mode = "(mode \(String(status.st_mode & 0o777, radix: 8)), not 600)"
            guard status.st_mode & 0o022 == 0 else {
                throw .unsafe(path: place, reason: "other users can write to it \(mode)")
            }
            guard !isSecret else {
                throw .unsafe(path: place, reason: "other users can read it \(mode)")
            }
            warn("\(place) is used, although other users can read it \(mode)")
        }
        return try file.readState(place, expected: Int(status.st_size))
    }

    /// Replaces a file atomically, and writes it to the disk.
    func replace(_ name: String, by data: Data) throws(PrivateFileError) {
        // Under the lock no other process writes the draft, so an existing one is from a crash.
        let file = try makeDraft(of: name)
        do {
            defer { try? file.close() }
            // The umask may have removed permissions that the owner needs.
            try Self.check(fchmod(file.rawValue, 0o600))
            _ = try data.withUnsafeBytes { try file.writeAll($0) }
            try Self.check(fsync(file.rawValue))
            _ = try commitDraft(of: name)
        } catch {
            discardDraft(of: name)
            throw error as? PrivateFileError ?? .failed(path: place(name), reason: "\(error)")
        }
    }

    private static func check(_ result: CInt) throws(Errno) {
        guard result == 0 else { throw Errno(rawValue: errno) }
    }

    /// Removes a file, if it is there.
    func remove(_ name: String) throws(PrivateFileError) {
        guard unlinkat(descriptor.rawValue, name, 0) == 0 || errno == ENOENT else {
            throw failure(name)
        }
        fsync(descriptor.rawValue)
    }

    /// Locks a separate file against other processes and threads, until it is closed; throws `busy`.
    func lock(
        _ name: String,
        timeout: Duration
    ) throws(PrivateFileError) -> FileDescriptor {
        guard let file = try open(name, flags: O_RDWR | O_CREAT) else { throw failure(name) }
        do throws(Errno) {
            try file.lock(timeout: timeout)
            return file
        } catch {
            try? file.close()
            guard error == .wouldBlock else {
                throw .failed(path: place(name), reason: "\(error)")
            }
            throw .busy(path: place(name))
        }
    }
}

/// The reason why we cannot use a file of this user, without any of its content.
package enum PrivateFileError: Error, Sendable, Hashable {
    /// Others could have changed or read the file.
    case unsafe(path: String, reason: String)
    /// We cannot read or write the file.
    case failed(path: String, reason: String)
    /// The content is not understood, and is therefore not overwritten.
    case malformed(path: String, reason: String)
    /// Another process holds the lock.
    case busy(path: String)
}

extension PrivateFileError: CustomStringConvertible {
    /// The error as text.
    package var description: String {
        switch self {
        case .unsafe(let path, let reason): "\(path) is not safe: \(reason)"
        case .failed(let path, let reason): "\(path): \(reason)"
        case .malformed(let path, let reason): "\(path) is left as it is: \(reason)"
        case .busy(let path): "\(path) is being written by another process"
        }
    }
}
