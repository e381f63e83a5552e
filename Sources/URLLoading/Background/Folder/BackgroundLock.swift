import CLinux
import FoundationEssentials
import Glibc
import SystemPackage

/// The right to write a session's journal and to carry out its transfers.
///
/// The lock is flock(2). The kernel releases it when the last process with its descriptor ends, for
/// whatever reason. A process that is started with the descriptor takes the lock over. So the lock is never
/// free between the process that queues tasks and the one that carries them out.
///
/// A transfer process also locks the session's folder. If the lock's file is removed, that process runs on for
/// a moment, and no other process may write the journal meanwhile.
struct BackgroundLock: ~Copyable {
    static let name = "lock"

    private let file: FileDescriptor

    private init(_ file: FileDescriptor) {
        self.file = file
    }

    deinit {
        try? file.close()
    }

    /// Takes the lock, without waiting; `nil` if another process has it.
    static func take(in folder: borrowing PrivateFolder) throws(PrivateFileError) -> Self? {
        // On some network drives a path never names the file that was just opened.
        for _ in 0..<100 {
            guard let file = try folder.open(name, makes: true) else { continue }
            let lock = Self(file)
            do throws(Errno) {
                try file.lock()
            } catch .wouldBlock {
                return nil
            } catch {
                throw .failed(path: folder.place(name), reason: "\(error)")
            }
            // The last holder may have removed the session, with this file, since open(2).
            if folder.names(name, file) {
                guard lockFolder(folder, timeout: .zero) else { return nil }
                linux_unlock(folder.descriptor.rawValue)
                return lock
            }
        }
        return nil
    }

    /// Locks the folder, if the file system can; `false` if another process has locked it.
    private static func lockFolder(
        _ folder: borrowing PrivateFolder,
        timeout: Duration
    ) -> Bool {
        do throws(Errno) {
            try folder.descriptor.lock(timeout: timeout, pause: 20_000)
            return true
        } catch {
            return error != .wouldBlock
        }
    }

    /// The longest wait for a process whose lock's file was removed.
    private static let patience: Duration = .seconds(8)

    /// Takes over the lock with which this process was started, and locks the folder.
    ///
    /// May wait for an earlier process to end.
    static func inherit(
        _ number: CInt,
        in folder: borrowing PrivateFolder
    ) throws(PrivateFileError) -> Self {
        let file = FileDescriptor(rawValue: number)
        guard folder.names(name, file) else {
            throw .unsafe(
                path: folder.place(name),
                reason: "the inherited descriptor is not this lock"
            )
        }
        linux_close_on_exec(number)
        guard (try? file.lock()) != nil else { throw .busy(path: folder.place(name)) }
        guard lockFolder(folder, timeout: patience) else { throw .busy(path: folder.path) }
        return Self(file)
    }

    /// Whether the lock's path still names its file; also `true` while the path cannot be examined.
    ///
    /// Otherwise programs do not find this process, because the file or a folder was removed or renamed.
    func isFound(in folder: borrowing PrivateFolder) -> Bool {
        var named = stat()
        var open = stat()
        guard lstat(folder.place(Self.name), &named) == 0 else {
            return errno != ENOENT && errno != ENOTDIR
        }
        guard fstat(file.rawValue, &open) == 0 else { return true }
        return named.st_dev == open.st_dev && named.st_ino == open.st_ino
    }

    /// The descriptor, for a new process to inherit; in this process it is closed on exec.
    var descriptor: CInt { file.rawValue }

    func describe(_ holder: LockHolder) throws(PrivateFileError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            let text = try encoder.encode(holder)
            try file.resize(to: 0)
            _ = try text.withUnsafeBytes { try file.writeAll(toAbsoluteOffset: 0, $0) }
        } catch {
            throw .failed(path: Self.name, reason: "\(error)")
        }
    }

    /// Writes an error into the file if the holder ends before a client can connect; a failed write is
    /// ignored.
    func describe(failure: BackgroundError) {
        let version = BackgroundHandshake.version
        var holder = LockHolder(process: getpid(), socket: "/", version: version)
        (holder.failure, holder.code) = ("\(failure)", failure.urlError.errorCode)
        try? describe(holder)
    }

    func clear() {
        try? file.resize(to: 0)
    }

    /// The lock's current or last holder; `nil` if the file has none.
    static func holder(in folder: borrowing PrivateFolder) -> LockHolder? {
        guard let content = try? folder.read(name),
            let holder = try? JSONDecoder().decode(LockHolder.self, from: content),
            holder.socket.startsWithBytes(of: "/")
        else { return nil }
        return holder
    }
}

/// The content of the lock's file: its holder, and where clients connect to it.
///
/// It is valid only while the lock is held. The handshake at the socket checks it again.
struct LockHolder: Codable, Hashable, Sendable {
    var process: Int32
    /// The absolute path of its socket, because other processes of the user may have another
    /// `XDG_RUNTIME_DIR`, or none.
    var socket: String
    var version: Int
    /// The reason why the process ended before a client could connect, in words; `nil`: no error.
    var failure: String?
    /// Foundation's error code of the failure; `nil` without a failure, or from an earlier version.
    var code: Int?

    var error: BackgroundError? {
        guard let failure else { return nil }
        guard let code else { return .executable(failure) }
        return .reported(URLError(URLError.Code(rawValue: code), detail: failure))
    }
}
