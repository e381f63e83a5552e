import Glibc
import SystemPackage

/// Who is at the other end of a Unix socket, by the kernel's word (`SO_PEERCRED`, unix(7)).
///
/// Of whoever connects it is who it was then; of whoever listens, who it was when it began to.
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

    /// Whether it may be spoken to: it is this user.
    ///
    /// Root needs no socket to read the session's files, and has no business in giving it orders.
    var isTrusted: Bool { user == geteuid() }
}
