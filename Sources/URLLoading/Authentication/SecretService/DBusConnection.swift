import SystemPackage

/// A connection to the session's message bus, for one errand: every wait on it ends by one deadline.
///
/// libdbus, sd-bus and libsecret wait for the other side in their own time, and are not there on
/// every machine. This is the little of the protocol that is wanted, over one socket.
struct DBusConnection: ~Copyable {
    let socket: FileDescriptor
    private(set) var deadline: ContinuousClock.Instant
    private var serial: UInt32 = 0
    /// Signals that came while a reply was waited for.
    private var signals: [DBusMessage] = []

    private init(_ socket: FileDescriptor, deadline: ContinuousClock.Instant) {
        self.socket = socket
        self.deadline = deadline
    }

    /// Connects, says who we are, and gets a name.
    ///
    /// Throws `unavailable` where there is no bus of this user's, `timedOut`, or `malformed`.
    static func open(
        _ addresses: [DBusAddress],
        deadline: ContinuousClock.Instant
    ) throws(DBusError) -> DBusConnection {
        var reason = "no session bus is named by the environment"
        for address in addresses {
            let socket: FileDescriptor
            do throws(Errno) {
                socket = try connect(to: address)
            } catch {
                reason = "the session bus: \(error)"
                continue
            }
            var connection = DBusConnection(socket, deadline: deadline)
            try connection.authenticate()
            _ = try connection.call(bus("Hello"))
            return connection
        }
        throw .unavailable(reason)
    }

    deinit {
        try? socket.close()
    }

    /// Lets what follows take longer: a person was asked.
    mutating func extend(to deadline: ContinuousClock.Instant) {
        self.deadline = deadline
    }

    /// Calls a method and waits for the reply.
    ///
    /// Throws `remote` where the reply is an error.
    mutating func call(_ message: DBusMessage) throws(DBusError) -> DBusMessage {
        var message = message
        serial += 1
        message.serial = serial
        try send(message.encoded)
        while true {
            guard let answer = try receive() else { continue }
            switch answer.kind {
            case .reply where answer.replySerial == serial: return answer
            case .error where answer.replySerial == serial:
                var reader = DBusReader(answer.body, isBigEndian: answer.isBigEndian)
                let words = answer.signature.startsWithBytes(of: "s") ? try reader.string() : ""
                throw .remote(name: answer.errorName ?? "", words: words)
            case .signal: keep(answer)
            case .call, .reply, .error: break
            }
        }
    }

    /// Asks the bus for a signal that is not sent to us alone.
    mutating func watch(_ member: String, of interface: String, at path: String) throws(DBusError) {
        let rule = "type='signal',interface='\(interface)',member='\(member)',path='\(path)'"
        _ = try call(Self.bus("AddMatch", signature: "s") { $0.string(rule) })
    }

    /// Waits for a signal; one that came meanwhile counts.
    mutating func signal(
        _ member: String,
        of interface: String,
        at path: String
    ) throws(DBusError) -> DBusMessage {
        func isWanted(_ message: DBusMessage) -> Bool {
            message.member == member && message.interface == interface && message.path == path
        }
        if let index = signals.firstIndex(where: isWanted) { return signals.remove(at: index) }
        while true {
            guard let message = try receive(), message.kind == .signal else { continue }
            if isWanted(message) { return message }
        }
    }

    private static func bus(
        _ member: String,
        signature: String = "",
        _ body: (inout DBusWriter) -> Void = { _ in }
    ) -> DBusMessage {
        let name = "org.freedesktop.DBus"
        return DBusMessage(
            member,
            of: name,
            at: "/org/freedesktop/DBus",
            to: name,
            signature: signature,
            body
        )
    }

    private mutating func keep(_ signal: DBusMessage) {
        // Nobody sends more before an answer; a flood is none of ours.
        if signals.count < 100 { signals.append(signal) }
    }
}
