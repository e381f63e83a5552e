import CLinux
import Glibc
import SystemPackage

/// Where clients connect to a session's transfer process: a Unix socket in a folder that is the
/// user's alone.
struct SocketAddress: Hashable, Sendable {
    /// The socket's absolute path, of any length.
    let path: String

    /// What sockaddr_un(7) has room for, bytes; one of them is for the NUL.
    private static let room = 108

    init(path: String) {
        self.path = path
    }

    /// A socket in a session's own folder.
    init(inside sessionFolder: String) {
        path = sessionFolder + "/socket"
    }

    /// Where a session's socket is made: in `fetch` in `XDG_RUNTIME_DIR`, which is gone with the
    /// user's last login or the machine, and else in the session's own folder.
    ///
    /// - Parameters:
    ///   - sessionFolder: its absolute path, of which the socket's name is made, since two folders
    ///     for state may have a session of the same name.
    ///   - environment: the variables.
    /// - Returns: the address.
    static func place(
        for sessionFolder: String,
        environment: (String) -> String? = { name in getenv(name).map { String(cString: $0) } }
    ) -> SocketAddress {
        let runtime = environment("XDG_RUNTIME_DIR").flatMap {
            $0.startsWithBytes(of: "/") ? $0 : nil
        }
        guard let runtime else { return SocketAddress(inside: sessionFolder) }
        let name = StableHash.name(of: sessionFolder)
        return SocketAddress(path: "\(runtime)/fetch/background-\(name)")
    }

    /// The folder that it is in.
    var folder: String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex
        else { return "/" }
        return String(path[..<slash])
    }

    /// Its name there.
    var name: String {
        path.utf8.lastIndex(of: UInt8(ascii: "/"))
            .map { String(path[path.utf8.index(after: $0)...]) } ?? path
    }

    /// Calls with the address as the kernel takes it.
    ///
    /// What is too long for that is named by way of its folder's descriptor.
    ///
    /// - Parameter body: bind(2) or connect(2), with what they return.
    /// - Throws: what they say, or what opening the folder does.
    func withAddress(
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt
    ) throws(Errno) {
        guard path.utf8.count >= Self.room else { return try Self.call(path, body) }
        let number = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw Errno(rawValue: errno) }
        defer { close(number) }
        try Self.call("/proc/self/fd/\(number)/\(name)", body)
    }

    private static func call(
        _ path: String,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt
    ) throws(Errno) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8) + [0]
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

/// A connected socket that does not block, and the process at its other end; its owner closes it.
struct PeerSocket: Sendable {
    let descriptor: FileDescriptor
    let peer: PeerCredentials
}

extension SocketAddress {
    /// Connects to a transfer process.
    ///
    /// - Returns: the socket; `nil` where no process listens there, as yet or any more.
    /// - Throws: `disconnected` where another user's does, or it cannot be tried.
    func connect() throws(BackgroundError) -> PeerSocket? {
        let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        let number = Glibc.socket(AF_UNIX, kind, 0)
        guard number >= 0 else { throw .disconnected("\(Errno(rawValue: errno))") }
        let socket = FileDescriptor(rawValue: number)
        do throws(Errno) {
            try withAddress { Glibc.connect(number, $0, $1) }
            let peer = try PeerCredentials(of: socket)
            guard peer.isTrusted else { throw .permissionDenied }
            // Only now: connecting to a socket of this machine's never takes long.
            _ = linux_set_nonblocking(number)
            return PeerSocket(descriptor: socket, peer: peer)
        } catch {
            try? socket.close()
            switch error {
            case .noSuchFileOrDirectory, .connectionRefused, .notDirectory: return nil
            default: throw .disconnected("\(path): \(error)")
            }
        }
    }
}

/// The process at the other end of a Unix socket, by the kernel's word (`SO_PEERCRED`, unix(7)).
///
/// Of a client it is the process that connected; of a server, the one that began to listen.
struct PeerCredentials: Hashable, Sendable {
    let process: Int32
    let user: UInt32

    init(process: Int32, user: UInt32) {
        self.process = process
        self.user = user
    }

    /// Asks about a connected socket.
    init(of socket: FileDescriptor) throws(Errno) {
        // struct ucred: process, user, group.
        var peer: (pid_t, uid_t, gid_t) = (0, .max, .max)
        var length = socklen_t(MemoryLayout.size(ofValue: peer))
        guard getsockopt(socket.rawValue, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 else {
            throw Errno(rawValue: errno)
        }
        self.init(process: peer.0, user: peer.1)
    }

    /// Whether it is this user's.
    ///
    /// Root needs no socket to read the session's files, and has no business in giving it orders.
    var isTrusted: Bool { user == geteuid() }
}
