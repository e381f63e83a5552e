import CLinux
import Dispatch
import Glibc
import SystemPackage

/// The address of a session's transfer process: a Unix socket in a folder that only the user can enter.
struct SocketAddress: Hashable, Sendable {
    /// The socket's absolute path, of any length.
    let path: String

    /// The longest path in a `sockaddr_un` (unix(7)), bytes, including the NUL.
    private static let room = 108

    /// The place for a session's socket: `fetch` in `XDG_RUNTIME_DIR`, which ends with the user's last
    /// login; without it, the session's own folder.
    ///
    /// The socket's name is made from the folder's path: two state folders may have sessions of one name.
    static func place(
        for sessionFolder: String,
        environment: (String) -> String? = Environment.value
    ) -> SocketAddress {
        let runtime = environment("XDG_RUNTIME_DIR").flatMap {
            $0.startsWithBytes(of: "/") ? $0 : nil
        }
        guard let runtime else { return SocketAddress(inside: sessionFolder) }
        let name = StableHash.name(of: sessionFolder)
        return SocketAddress(path: "\(runtime)/fetch/background-\(name)")
    }

    var folder: String { FolderTrust.folder(of: path) }

    /// Calls bind(2) or connect(2) with the address as a `sockaddr`.
    ///
    /// A path that is too long goes by way of its folder's descriptor.
    func withAddress(
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt
    ) throws(Errno) {
        var bytes = Array(path.utf8) + [0]
        var number: CInt = -1
        defer { if number >= 0 { close(number) } }
        if bytes.count > Self.room {
            number = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard number >= 0 else { throw Errno(rawValue: errno) }
            let name = FolderTrust.name(of: path)
            bytes = Array("/proc/self/fd/\(number)/\(name)".utf8) + [0]
        }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard bytes.count <= MemoryLayout.size(ofValue: address.sun_path) else {
            throw .fileNameTooLong
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
        guard result == 0 else { throw Errno(rawValue: errno) }
    }
}

/// A connected, non-blocking socket to a process of this user; the owner closes it.
struct PeerSocket: Sendable {
    let descriptor: FileDescriptor
    /// The process at the other end, from the kernel (`SO_PEERCRED`, unix(7)): for a server, the one that has
    /// connected; for a client, the one that has called listen(2).
    let process: Int32

    /// Throws `permissionDenied` if the peer belongs to another user.
    ///
    /// Root is no exception: it can read the session's files without a socket, and must not send requests.
    init(_ descriptor: FileDescriptor) throws(Errno) {
        // struct ucred: process, user, group.
        var peer: (pid_t, uid_t, gid_t) = (0, .max, .max)
        var length = socklen_t(MemoryLayout.size(ofValue: peer))
        let number = descriptor.rawValue
        guard getsockopt(number, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 else {
            throw Errno(rawValue: errno)
        }
        guard peer.1 == geteuid() else { throw .permissionDenied }
        self.descriptor = descriptor
        process = peer.0
    }
}

extension SocketAddress {
    /// A socket in a session's own folder.
    init(inside sessionFolder: String) {
        path = sessionFolder + "/socket"
    }

    /// Connects to a transfer process of this user; `nil` if no process listens there, or its queue is full.
    func connect() throws(BackgroundError) -> PeerSocket? {
        do throws(Errno) {
            return try Self.withNewSocket { socket throws(Errno) in
                try withAddress { Glibc.connect(socket.rawValue, $0, $1) }
                return try PeerSocket(socket)
            }
        } catch Errno.noSuchFileOrDirectory, Errno.connectionRefused, Errno.notDirectory {
            return nil
        } catch Errno.resourceTemporarilyUnavailable {
            // A process that has stopped accepts no connections, and its queue of connections is full.
            return nil
        } catch {
            throw .disconnected("\(path): \(error)")
        }
    }

    /// Makes a non-blocking socket, which the caller closes; an error closes it here.
    fileprivate static func withNewSocket<Value>(
        _ body: (FileDescriptor) throws(Errno) -> Value
    ) throws(Errno) -> Value {
        let kind = CInt(
            SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        )
        let number = Glibc.socket(AF_UNIX, kind, 0)
        guard number >= 0 else { throw Errno(rawValue: errno) }
        let socket = FileDescriptor(rawValue: number)
        do throws(Errno) {
            return try body(socket)
        } catch {
            try? socket.close()
            throw error
        }
    }
}

/// The socket at which clients connect; only the holder of the session's lock makes one.
///
/// All its calls are made on one serial queue.
final class BackgroundListener {
    let address: SocketAddress
    private let file: stat
    private let source: any DispatchSourceRead

    /// Makes the socket and its folder, replacing a socket that a crash has left, and listens.
    ///
    /// Throws `file` if other users can use the folder, or the socket cannot be made.
    init(
        _ address: SocketAddress,
        queue: SerialQueue,
        handler: @escaping @Sendable (PeerSocket) -> Void
    ) throws(BackgroundError) {
        self.address = address
        // Refuses a folder that other users may write to.
        _ = try BackgroundError.files(try PrivateFolder(address.folder, makes: true))
        let socket: FileDescriptor
        do throws(Errno) {
            socket = try Self.listen(address)
        } catch {
            throw .file(.failed(path: address.path, reason: "\(error)"))
        }
        var file = stat()
        lstat(address.path, &file)
        self.file = file
        source = DispatchSource.makeReadSource(
            fileDescriptor: socket.rawValue,
            queue: queue.dispatch
        )
        source.setEventHandler { Self.accept(socket, handler) }
        source.setCancelHandler { try? socket.close() }
        source.activate()
    }

    deinit {
        close()
    }

    /// Whether clients can connect: the socket is open, and the name still belongs to it.
    var isBound: Bool {
        !source.isCancelled && PartFile.status(address.path, ifSameAs: file) != nil
    }

    /// Refuses new clients, and those that are not accepted yet.
    func close() {
        guard !source.isCancelled else { return }
        if isBound { unlink(address.path) }
        source.cancel()
    }

    private static func listen(_ address: SocketAddress) throws(Errno) -> FileDescriptor {
        try SocketAddress.withNewSocket { socket throws(Errno) in
            let number = socket.rawValue
            unlink(address.path)
            // bind(2) makes the file with the socket's mode, under the umask.
            fchmod(number, 0o600)
            try address.withAddress { bind(number, $0, $1) }
            guard chmod(address.path, 0o600) == 0, Glibc.listen(number, 64) == 0 else {
                throw Errno(rawValue: errno)
            }
            return socket
        }
    }

    private static func accept(
        _ listener: FileDescriptor,
        _ handler: (PeerSocket) -> Void
    ) {
        while true {
            let number = linux_accept(listener.rawValue)
            guard number >= 0 else {
                if errno == EINTR || errno == ECONNABORTED { continue }
                // No descriptor is free: the pause keeps a waiting client from causing a busy loop.
                if errno != EAGAIN { usleep(100_000) }
                return
            }
            let socket = FileDescriptor(rawValue: number)
            // Another user gets no reply; the mode of the file should keep other users out already.
            guard let peer = try? PeerSocket(socket) else {
                try? socket.close()
                continue
            }
            handler(peer)
        }
    }
}
