import CLinux
import Glibc
import SystemPackage

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
