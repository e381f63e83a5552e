import CLinux
import Dispatch
import Glibc
import SystemPackage

/// The socket at which clients connect; only the holder of the session's lock makes one.
///
/// All its calls are made on one serial queue.
final class BackgroundListener {
    let address: SocketAddress
    /// The status of the bound socket's file.
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
        let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let number = Glibc.socket(AF_UNIX, kind, 0)
        guard number >= 0 else { throw Errno(rawValue: errno) }
        let socket = FileDescriptor(rawValue: number)
        do throws(Errno) {
            unlink(address.path)
            // bind(2) makes the file with the socket's mode, under the umask.
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
