import CLinux
import FoundationEssentials
import Glibc
import SystemPackage

/// The right to write a session's journal and to carry out its transfers.
///
/// It is a lock of flock(2): gone with the last process that has its descriptor, however that ends.
/// A process that is started with the descriptor takes the lock over. So the lock is never free
/// between the process that has queued the tasks and the one that carries them out.
struct BackgroundLock: ~Copyable {
    /// The file's name.
    static let name = "lock"

    private let file: FileDescriptor

    private init(_ file: FileDescriptor) {
        self.file = file
    }

    deinit {
        try? file.close()
    }

    /// Takes the lock; `nil` where another process has it.
    ///
    /// Never waits.
    static func take(in folder: borrowing PrivateFolder) throws(PrivateFileError) -> Self? {
        while true {
            guard let file = try folder.open(name, makes: true) else { continue }
            guard linux_lock_exclusively(file.rawValue) == 0 else {
                let isBusy = errno == EWOULDBLOCK
                let error = folder.failure(name)
                try? file.close()
                if isBusy { return nil }
                throw error
            }
            // Its last holder may have ended the session, and removed the file, between the two.
            if folder.names(name, file) { return Self(file) }
            try? file.close()
        }
    }

    /// Takes over the lock that the process was started with.
    ///
    /// - Parameters:
    ///   - number: the descriptor, which belongs to this from now on.
    ///   - folder: the session's.
    /// - Returns: the lock.
    /// - Throws: `unsafe` where it is none of this session's lock, `busy` where another has that.
    static func inherit(
        _ number: CInt,
        in folder: borrowing PrivateFolder
    ) throws(PrivateFileError) -> Self {
        let file = FileDescriptor(rawValue: number)
        guard folder.names(name, file) else {
            throw .unsafe(path: folder.place(name), reason: "the lock handed over is another's")
        }
        linux_close_on_exec(number)
        guard linux_lock_exclusively(number) == 0 else {
            throw .busy(path: folder.place(name))
        }
        return Self(file)
    }

    /// The descriptor, to be handed to a process that is started; it is closed on exec here.
    var descriptor: CInt { file.rawValue }

    /// Names the lock's holder in the file.
    func describe(_ holder: LockHolder) throws(PrivateFileError) {
        let text = holder.encoded
        do {
            try file.resize(to: 0)
            _ = try text.withUnsafeBytes { try file.writeAll(toAbsoluteOffset: 0, $0) }
        } catch {
            throw .failed(path: Self.name, reason: "\(error)")
        }
    }

    /// Writes into the file why the holder gives the lock up before a client has connected; where
    /// that cannot be written, no client is told.
    func describe(failure: BackgroundError) {
        let holder = LockHolder(
            process: getpid(),
            socket: "/",
            version: BackgroundHandshake.version,
            failure: "\(failure)",
            code: failure.urlError.errorCode
        )
        try? describe(holder)
    }

    /// Removes what the last holder has written.
    func clear() {
        try? file.resize(to: 0)
    }

    /// The lock's holder, or its last one; `nil` where none has named itself yet.
    static func holder(in folder: borrowing PrivateFolder) -> LockHolder? {
        (try? folder.read(name)).flatMap { $0 }.flatMap(LockHolder.init(encoded:))
    }
}

/// The holder of a session's lock, and where clients connect to it: the content of the lock's file.
///
/// It is only believed while the lock is held, and what it says of a socket is checked there again.
struct LockHolder: Codable, Hashable, Sendable {
    /// The process.
    var process: Int32
    /// The absolute path of its socket: other processes of the user may have another
    /// `XDG_RUNTIME_DIR`, or none.
    var socket: String
    /// The version that is spoken there.
    var version: Int
    /// Why the process has ended before it could be spoken to, in words; `nil` where it has not.
    var failure: String?
    /// Foundation's number for it; `nil` also where an earlier version says why.
    var code: Int?

    init(
        process: Int32,
        socket: String,
        version: Int,
        failure: String? = nil,
        code: Int? = nil
    ) {
        self.process = process
        self.socket = socket
        self.version = version
        self.failure = failure
        self.code = code
    }

    /// The same as an error; `nil` where it has not failed.
    var error: BackgroundError? {
        guard let failure else { return nil }
        guard let code else { return .executable(failure) }
        return .reported(URLError(URLError.Code(rawValue: code), detail: failure))
    }

    init?(encoded: Data) {
        guard let holder = try? JSONDecoder().decode(Self.self, from: encoded),
            holder.socket.startsWithBytes(of: "/")
        else { return nil }
        self = holder
    }

    var encoded: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)) ?? Data()
    }
}
