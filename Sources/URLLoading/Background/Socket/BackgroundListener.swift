import CLinux
import Dispatch
import Glibc
import SystemPackage

/// The socket on which clients find a transfer process; only the holder of the session's lock makes
/// one.
///
/// All its calls are made on one serial queue.
final class BackgroundListener {
    let address: SocketAddress
    /// Which file its name was given to.
    private let file: FileNumber?
    private let source: any DispatchSourceRead

    /// Makes the socket, in the place of one that a crash has left, and begins to listen.
    ///
    /// - Parameters:
    ///   - address: where; the folder is made if it is not there, mode 0700.
    ///   - queue: a serial queue.
    ///   - handler: takes each socket that this user has connected, on the queue.
    /// - Throws: `file` where the folder is not this user's alone, or nothing can be made there.
    init(
        _ address: SocketAddress,
        queue: SerialQueue,
        handler: @escaping @Sendable (PeerSocket) -> Void
    ) throws(BackgroundError) {
        self.address = address
        do throws(PrivateFileError) {
            // Refuses what others could put something into.
            _ = try PrivateFolder(address.folder, makes: true)
        } catch {
            throw .file(error)
        }
        let socket: FileDescriptor
        do throws(Errno) {
            socket = try Self.listen(address)
        } catch {
            throw .file(.failed(path: address.path, reason: "\(error)"))
        }
        file = FileNumber(address.path)
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

    /// Whether clients can find it: its name is still that of this socket.
    var isBound: Bool { file != nil && FileNumber(address.path) == file }

    /// Refuses clients that connect from now on, and those that have not been taken yet.
    func close() {
        guard !source.isCancelled else { return }
        unlink(address.path)
        source.cancel()
    }

    private static func listen(_ address: SocketAddress) throws(Errno) -> FileDescriptor {
        let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let number = Glibc.socket(AF_UNIX, kind, 0)
        guard number >= 0 else { throw Errno(rawValue: errno) }
        let socket = FileDescriptor(rawValue: number)
        do throws(Errno) {
            unlink(address.path)
            // What bind(2) makes has the socket's own mode, under the umask.
            fchmod(number, 0o600)
            try address.withAddress { bind(number, $0, $1) }
            guard chmod(address.path, 0o600) == 0, Glibc.listen(number, 64) == 0 else {
                throw Errno(rawValue: errno)
            }
            return socket
        } catch {
            try? socket.close()
            throw error
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
                // No descriptor is left: a client that waits must not keep the processor busy.
                if errno != EAGAIN { usleep(100_000) }
                return
            }
            let socket = FileDescriptor(rawValue: number)
            // Another user gets no reply: the mode has kept them out already.
            guard let peer = try? PeerCredentials(of: socket), peer.isTrusted else {
                try? socket.close()
                continue
            }
            handler(PeerSocket(descriptor: socket, peer: peer))
        }
    }
}

/// Which file a name belongs to, of whatever kind.
private struct FileNumber: Equatable {
    private let device: dev_t
    private let inode: ino_t

    init?(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        device = status.st_dev
        inode = status.st_ino
    }
}
