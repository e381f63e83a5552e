import CLinux
import Dispatch
import Glibc
import SystemPackage

extension BackgroundConnection {
    /// Connects to a transfer process.
    ///
    /// - Parameters:
    ///   - address: where it listens.
    ///   - queue: a serial queue, on which the connection is used.
    /// - Returns: the connection; `nil` where nobody listens there, as yet or any more.
    /// - Throws: `disconnected` where somebody else than this user does, or it cannot be tried.
    static func connect(
        to address: SocketAddress,
        queue: DispatchQueue
    ) throws(BackgroundError) -> BackgroundConnection? {
        let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        let number = Glibc.socket(AF_UNIX, kind, 0)
        guard number >= 0 else { throw .disconnected("\(Errno(rawValue: errno))") }
        let socket = FileDescriptor(rawValue: number)
        do throws(Errno) {
            try address.withAddress { Glibc.connect(number, $0, $1) }
            let peer = try PeerCredentials(of: socket)
            guard peer.isTrusted else { throw .permissionDenied }
            prepare(socket)
            return BackgroundConnection(socket, peer, queue: queue)
        } catch {
            try? socket.close()
            switch error {
            case .noSuchFileOrDirectory, .connectionRefused, .notDirectory: return nil
            default: throw .disconnected("\(address.path): \(error)")
            }
        }
    }

    /// Makes a socket one that does not block: connecting to one of this machine's never takes long.
    private static func prepare(_ socket: FileDescriptor) {
        _ = linux_set_nonblocking(socket.rawValue)
    }
}
