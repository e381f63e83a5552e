import Glibc

@testable import URLLoading

/// The other end of a connection to a fake bus.
struct FakePeer {
    let connection: CInt

    /// Writes all; a peer that has gone is no error.
    func send(_ bytes: [UInt8]) {
        _ = bytes.withUnsafeBytes {
            Glibc.send(connection, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
        }
    }

    /// So many bytes; `nil` where it ends before.
    func read(_ count: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < count {
            var byte: UInt8 = 0
            guard recv(connection, &byte, 1, 0) == 1 else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    /// Reads until nothing comes any more.
    func readToEnd() {
        while read(1) != nil {}
    }

    /// Lets whoever it is in, as a bus does.
    func authenticate() {
        for line in ["OK 0123456789abcdef0123456789abcdef\r\n", ""] {
            while read(1).map({ $0 != [0x0A] }) ?? false {}
            send(Array(line.utf8))
        }
    }

    /// The next message.
    func message() -> DBusMessage? {
        guard let head = read(DBusMessage.fixedSize),
            let size = try? DBusMessage.size(of: head),
            let rest = read(size - head.count)
        else { return nil }
        return try? DBusMessage(head + rest)
    }

    /// Answers a call.
    func reply(
        to call: DBusMessage,
        _ signature: String = "",
        _ body: (inout DBusWriter) -> Void = { _ in }
    ) {
        var reply = DBusMessage("", of: "", at: "/", to: "", signature: signature, body)
        reply.kind = .reply
        reply.serial = 1
        reply.replySerial = call.serial
        (reply.member, reply.interface, reply.path, reply.destination) = (nil, nil, nil, nil)
        send(reply.encoded)
    }

    /// Answers a call with an error.
    func refuse(_ call: DBusMessage, _ name: String) {
        var reply = DBusMessage("", of: "", at: "/", to: "", signature: "s") { $0.string("words") }
        reply.kind = .error
        reply.serial = 1
        reply.replySerial = call.serial
        reply.errorName = name
        (reply.member, reply.interface, reply.path, reply.destination) = (nil, nil, nil, nil)
        send(reply.encoded)
    }
}
