import CSystemBus
import Glibc
import SystemPackage

/// A connection to the session's message bus, for one operation; all waits share one deadline.
///
/// sd-bus implements the protocol, but does not wait here: its own timeout is up to 90 s for the
/// handshake alone.
struct MessageBus: ~Copyable {
    /// The libraries with sd-bus, in order; elogind has systemd's, for machines without systemd.
    static let libraryNames = ["libsystemd.so.0", "libelogind.so.0"]

    let functions: shim_sd_bus
    private let bus: OpaquePointer
    private var deadline: MonotonicInstant

    init(_ bus: OpaquePointer, _ functions: shim_sd_bus, deadline: MonotonicInstant) {
        self.bus = bus
        self.functions = functions
        self.deadline = deadline
    }

    deinit {
        _ = functions.sd_bus_close_unref(bus)
    }

    /// The bus addresses in the environment, in order: only Unix sockets, because other kinds would start
    /// programs, or leave the machine.
    static func addresses(_ environment: (String) -> String?) -> [String] {
        if let text = environment("DBUS_SESSION_BUS_ADDRESS"), !text.isEmpty {
            return text.split(byte: UInt8(ascii: ";")).map(String.init).filter {
                $0.startsWithBytes(of: "unix:")
            }
        }
        // systemd's address. A bus that this program starts would have no key store.
        guard let folder = environment("XDG_RUNTIME_DIR"), folder.startsWithBytes(of: "/")
        else { return [] }
        return [address(ofSocket: "\(folder)/bus")]
    }

    /// The address of a socket in the file system
    /// ([D-Bus, Server Addresses](https://dbus.freedesktop.org/doc/dbus-specification.html#addresses)).
    static func address(ofSocket path: String) -> String {
        let escaped = path.utf8.map { byte in
            let isPlain = byte.isAlphanumeric || "-_/.".utf8.contains(byte)
            return isPlain ? String(Unicode.Scalar(byte)) : "%" + [byte].hexText
        }
        return "unix:path=" + escaped.joined()
    }

    /// Connects to this user's first bus, and registers a name; throws `unavailable` if none responds in
    /// time.
    static func open(
        _ addresses: [String],
        libraries: [String] = MessageBus.libraryNames,
        deadline: MonotonicInstant
    ) throws(CredentialStoreError) -> MessageBus {
        guard !addresses.isEmpty else { throw .unavailable("the environment names no session bus") }
        guard let functions = load(libraries) else {
            throw .unavailable("no \(libraries.joined(separator: " or ")) is installed")
        }
        var failure = CredentialStoreError.noResponse
        for address in addresses {
            var made: OpaquePointer?
            try check(functions.sd_bus_new(&made))
            guard let made else { throw .noResponse }
            let bus = MessageBus(made, functions, deadline: deadline)
            do throws(CredentialStoreError) {
                try bus.connect(to: address)
            } catch {
                failure = error
                continue
            }
            while try check(functions.sd_bus_is_ready(made)) == 0 { _ = try bus.step() }
            return bus
        }
        throw failure
    }

    /// Loads sd-bus from the first library with all its functions; `nil`: no such library.
    static func load(_ libraries: [String]) -> shim_sd_bus? {
        withUnsafeTemporaryAllocation(of: shim_sd_bus.self, capacity: 1) { space in
            guard let functions = space.baseAddress,
                libraries.contains(where: { shim_sd_bus_load(functions, $0) })
            else { return nil }
            return functions.pointee
        }
    }

    private func connect(to address: String) throws(CredentialStoreError) {
        try Self.check(functions.sd_bus_set_address(bus, address))
        try Self.check(functions.sd_bus_set_bus_client(bus, 1))
        try Self.check(functions.sd_bus_start(bus))
        // Secrets are only sent to processes of this user or root. Another user may have taken over a
        // socket in `/tmp` since the environment was created.
        // struct ucred: process, user, group.
        var peer: (pid_t, uid_t, gid_t) = (0, .max, .max)
        var length = socklen_t(MemoryLayout.size(ofValue: peer))
        let socket = try Self.check(functions.sd_bus_get_fd(bus))
        guard getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0,
            peer.1 == geteuid() || peer.1 == 0
        else { throw .unavailable("the session bus: \(Errno.permissionDenied)") }
    }

    /// Extends the deadline, because the service prompts the user.
    mutating func extend(to deadline: MonotonicInstant) {
        self.deadline = deadline
    }
}

extension MessageBus {
    func message(
        _ member: String,
        of interface: String,
        at path: String,
        to destination: String
    ) throws(CredentialStoreError) -> BusMessage {
        var made: OpaquePointer?
        try Self.check(
            functions.sd_bus_message_new_method_call(
                bus,
                &made,
                destination,
                path,
                interface,
                member
            )
        )
        guard let made else { throw .noResponse }
        return BusMessage(made, functions)
    }

    /// Sends a call, and returns the reply or the named signal; `refused`: sd-bus cannot send an argument.
    func call(
        _ message: borrowing BusMessage,
        awaiting signal: (member: String, interface: String, path: String)? = nil
    ) throws(CredentialStoreError) -> BusMessage {
        guard message.failure == 0 else {
            let reason = Errno(rawValue: -message.failure)
            throw .refused("the message cannot be sent over the session bus: \(reason)")
        }
        var cookie: UInt64 = 0
        try Self.check(functions.sd_bus_send(bus, message.pointer, &cookie))
        while true {
            let received = try receive()
            // The signal may arrive before the reply.
            if let signal, received.isSignal(signal.member, of: signal.interface, at: signal.path) {
                return received
            }
            guard received.isReply(to: cookie) else { continue }
            if let error = received.error { throw error }
            if signal == nil { return received }
        }
    }

    func receive() throws(CredentialStoreError) -> BusMessage {
        while true {
            if let message = try step() { return message }
        }
    }

    /// Processes messages, or waits for one.
    private func step() throws(CredentialStoreError) -> BusMessage? {
        let left = deadline - .now
        guard left > .zero else { throw .noResponse }
        var received: OpaquePointer?
        let hasWorked = try Self.check(functions.sd_bus_process(bus, &received)) > 0
        if let received { return BusMessage(received, functions) }
        guard !hasWorked else { return nil }
        var asked = pollfd(
            fd: try Self.check(functions.sd_bus_get_fd(bus)),
            events: Int16(clamping: try Self.check(functions.sd_bus_get_events(bus))),
            revents: 0
        )
        let milliseconds = min(left / .milliseconds(1), 60_000).rounded(.up)
        guard poll(&asked, 1, CInt(milliseconds)) >= 0 || errno == EINTR else {
            throw .unavailable("the session bus: \(Errno(rawValue: errno))")
        }
        return nil
    }

    /// Returns the result of an sd-bus function, or throws its error.
    @discardableResult
    static func check(_ result: CInt) throws(CredentialStoreError) -> CInt {
        guard result < 0 else { return result }
        switch -result {
        case ENOTCONN, ECONNRESET, ECONNABORTED, EPIPE, ESHUTDOWN:
            throw .unavailable("the session bus closed the connection")
        case EPERM: throw .unavailable("the session bus refused the connection")
        case EBADMSG, EPROTO, EIO, ENOBUFS, ENXIO: throw .protocolMismatch
        default: throw .unavailable("the session bus: \(Errno(rawValue: -result))")
        }
    }
}

extension CredentialStoreError {
    /// The bus, or the service on it, did not reply before the deadline.
    static let noResponse = CredentialStoreError.unavailable("it does not respond")
    /// The peer uses another protocol.
    static let protocolMismatch = CredentialStoreError.unavailable(
        "the other end is not a Secret Service"
    )
}
