import Glibc
import SystemPackage

// The socket: every wait on it ends by the deadline.
extension DBusConnection {
    static func connect(to address: DBusAddress) throws(Errno) -> FileDescriptor {
        let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let number = Glibc.socket(AF_UNIX, kind, 0)
        guard number >= 0 else { throw Errno(rawValue: errno) }
        let socket = FileDescriptor(rawValue: number)
        do throws(Errno) {
            try connect(number, to: address)
            try checkOwner(of: number)
            return socket
        } catch {
            try? socket.close()
            throw error
        }
    }

    private static func connect(_ number: CInt, to address: DBusAddress) throws(Errno) {
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        let bytes: [UInt8] =
            switch address {
            case .path(let path): Array(path.utf8) + [0]
            case .abstract(let abstract): [0] + Array(abstract.utf8)
            }
        let room = MemoryLayout.size(ofValue: name.sun_path)
        guard bytes.count <= room else { throw .fileNameTooLong }
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size - room + bytes.count)
        let isConnected = withUnsafePointer(to: name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(number, $0, length) == 0
            }
        }
        guard isConnected else { throw Errno(rawValue: errno) }
    }

    /// Secrets go to this user's own processes, or root's: a socket in `/tmp` may have been taken
    /// over by somebody else since the environment was made.
    private static func checkOwner(of number: CInt) throws(Errno) {
        // struct ucred: process, user, group.
        var peer: (pid_t, uid_t, gid_t) = (0, .max, .max)
        var length = socklen_t(MemoryLayout.size(ofValue: peer))
        guard getsockopt(number, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 else {
            throw Errno(rawValue: errno)
        }
        guard peer.1 == geteuid() || peer.1 == 0 else { throw .permissionDenied }
    }

    /// SASL's EXTERNAL: the kernel tells the bus who we are.
    mutating func authenticate() throws(DBusError) {
        let user = String(geteuid()).utf8.hexText
        try send([0] + Array("AUTH EXTERNAL \(user)\r\n".utf8))
        var line: [UInt8] = []
        while !line.ends(with: "\r\n".utf8) {
            guard line.count < 1_024 else { throw .malformed }
            line += try receive(1)
        }
        guard line.starts(with: "OK ".utf8) else {
            throw .unavailable("the session bus does not let us in")
        }
        try send(Array("BEGIN\r\n".utf8))
    }

    /// The next message; `nil` for one of a kind that nobody knows.
    mutating func receive() throws(DBusError) -> DBusMessage? {
        let head = try receive(DBusMessage.fixedSize)
        let size = try DBusMessage.size(of: head)
        return try DBusMessage(head + receive(size - head.count))
    }

    private func receive(_ count: Int) throws(DBusError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            try wait(for: POLLIN)
            let taken = bytes.withUnsafeMutableBytes { space in
                recv(socket.rawValue, space.baseAddress.map { $0 + done }, count - done, 0)
            }
            if taken == 0 { throw .unavailable("the session bus hung up") }
            try advance(&done, by: taken)
        }
        return bytes
    }

    func send(_ bytes: [UInt8]) throws(DBusError) {
        var done = 0
        while done < bytes.count {
            try wait(for: POLLOUT)
            let sent = bytes.withUnsafeBytes { all in
                Glibc.send(
                    socket.rawValue,
                    all.baseAddress.map { $0 + done },
                    bytes.count - done,
                    CInt(MSG_NOSIGNAL)
                )
            }
            try advance(&done, by: sent)
        }
    }

    private func advance(_ done: inout Int, by count: Int) throws(DBusError) {
        if count >= 0 {
            done += count
        } else if errno != EAGAIN, errno != EINTR {
            throw .unavailable("the session bus: \(Errno(rawValue: errno))")
        }
    }

    private func wait(for events: CInt) throws(DBusError) {
        while true {
            let left = deadline - .now
            guard left > .zero else { throw .timedOut }
            var asked = pollfd(fd: socket.rawValue, events: Int16(events), revents: 0)
            let milliseconds = min(left / .milliseconds(1), 60_000).rounded(.up)
            let count = poll(&asked, 1, CInt(milliseconds))
            if count > 0 { return }
            guard count == 0 || errno == EINTR else {
                throw .unavailable("the session bus: \(Errno(rawValue: errno))")
            }
        }
    }
}

extension Collection where Element == UInt8 {
    fileprivate func ends(with end: some Collection<UInt8>) -> Bool {
        suffix(end.count).elementsEqual(end)
    }
}
