import Testing

@testable import URLLoading

@Suite("D-Bus messages")
struct DBusMessageTests {
    /// A call as the bus's own tools write it (`dbus-send`'s of Hello, taken from its socket).
    @Test("a call is written as the specification has it")
    func hello() {
        var hello = DBusMessage(
            "Hello",
            of: "org.freedesktop.DBus",
            at: "/org/freedesktop/DBus",
            to: "org.freedesktop.DBus"
        )
        hello.serial = 1
        let bytes = hello.encoded
        #expect(bytes.prefix(16) == [0x6C, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0x6D, 0, 0, 0])
        // Code 1, a variant of type `o`, and a length at a multiple of four.
        #expect(bytes[16..<24] == [1, 1, 0x6F, 0, 21, 0, 0, 0])
        #expect(bytes.count == 128)
    }

    private func sample() -> DBusMessage {
        var message = DBusMessage(
            "Member",
            of: "a.b",
            at: "/c/d",
            to: "e.f",
            signature: "sa{ss}ayb(tu)v"
        ) { writer in
            writer.string("täxt")
            writer.dictionary(["b": "2", "a": "1"])
            writer.array([1, 2, 3])
            writer.boolean(true)
            writer.align(8)
            writer.raw([1, 0, 0, 0, 0, 0, 0, 0x80])
            writer.uint32(7)
            writer.signature("a(sv)")
            writer.array(of: 8) { writer in
                for word in ["x", "y"] {
                    writer.align(8)
                    writer.string(word)
                    writer.signature("u")
                    writer.uint32(9)
                }
            }
        }
        message.serial = 5
        message.replySerial = 4
        message.sender = ":1.2"
        return message
    }

    @Test("what is written is read again")
    func roundTrip() throws {
        let bytes = sample().encoded
        #expect(try DBusMessage.size(of: Array(bytes.prefix(16))) == bytes.count)
        let read = try #require(try DBusMessage(bytes))
        #expect(read.kind == .call && read.serial == 5 && read.replySerial == 4)
        #expect(read.member == "Member" && read.interface == "a.b" && read.path == "/c/d")
        #expect(read.destination == "e.f" && read.sender == ":1.2")
        var reader = try read.reader(of: "sa{ss}ayb(tu)v")
        #expect(try reader.string() == "täxt")
        #expect(try reader.dictionary() == ["a": "1", "b": "2"])
        #expect(try reader.byteArray() == [1, 2, 3])
        #expect(try reader.boolean())
        try reader.align(8)
        #expect(try reader.uint64() == 0x8000_0000_0000_0001)
        #expect(try reader.uint32() == 7)
        #expect(try reader.variant("s") { reader throws(DBusError) in try reader.string() } == nil)
        #expect(reader.isAtEnd)
        #expect(throws: DBusError.malformed) { try read.reader(of: "s") }
    }

    @Test("the other end first is understood too")
    func bigEndian() throws {
        var reader = DBusReader([0, 0, 0, 2, 0x61, 0x62, 0, 0, 0, 0, 0, 9], isBigEndian: true)
        #expect(try reader.string() == "ab")
        #expect(try reader.uint32() == 9)
    }

    /// Types, and a value that is passed over whole.
    static let types: [(String, [UInt8])] = [
        ("y", [1]), ("q", [1, 0]), ("u", [1, 0, 0, 0]), ("t", [1, 0, 0, 0, 0, 0, 0, 0]),
        ("s", [1, 0, 0, 0, 0x61, 0]), ("g", [1, 0x73, 0]), ("v", [1, 0x79, 0, 7]),
        ("ay", [2, 0, 0, 0, 1, 2]), ("as", [0, 0, 0, 0]), ("at", [0, 0, 0, 0, 0, 0, 0, 0]),
        ("(yu)", [1, 0, 0, 0, 2, 0, 0, 0]), ("a{yy}", [2, 0, 0, 0, 0, 0, 0, 0, 1, 2]),
        ("aay", [5, 0, 0, 0, 1, 0, 0, 0, 9]), ("(y(y))", [1, 0, 0, 0, 0, 0, 0, 0, 2]),
    ]

    @Test("any type can be passed over", arguments: types)
    func skipped(type: String, value: [UInt8]) throws {
        var reader = DBusReader(value, isBigEndian: false)
        var signature = Array(type.utf8)[...]
        try reader.skip(&signature)
        #expect(reader.isAtEnd)
        #expect(signature.isEmpty)
    }

    /// Types that are none, or values that are not what they say.
    static let malformed: [(String, [UInt8])] = [
        ("", [1]), ("z", [1]), ("(y", [1]), ("a", [0, 0, 0, 0]), ("a)", [0, 0, 0, 0]),
        ("s", [5, 0, 0, 0, 0x61, 0]), ("s", [1, 0, 0, 0, 0x61, 1]), ("s", [1, 0, 0, 0, 0xFF, 0]),
        ("s", [0xFF, 0xFF, 0xFF, 0xFF]), ("ay", [0xFF, 0xFF, 0xFF, 0xFF, 1]), ("u", [1, 0, 0]),
        ("au", [3, 0, 0, 0, 1, 2, 3]), ("a()", [8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        ("v", [2, 0x79, 0x79, 0, 1, 1]), ("v", [0, 0]),
        (String(repeating: "(", count: 200), [1]),
    ]

    @Test("a value that is not what it says is malformed", arguments: malformed)
    func refused(type: String, value: [UInt8]) {
        #expect(throws: DBusError.malformed) {
            var reader = DBusReader(value, isBigEndian: false)
            var signature = Array(type.utf8)[...]
            try reader.skip(&signature)
        }
    }

    @Test("a message with any byte changed, or cut anywhere, is read or refused, and does no harm")
    func mutated() {
        let whole = sample().encoded
        for index in whole.indices {
            for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF, whole[index] ^ 4] {
                var bytes = whole
                bytes[index] = value
                readAll(bytes)
            }
            readAll(Array(whole[..<index]))
        }
    }

    private func readAll(_ bytes: [UInt8]) {
        _ = try? DBusMessage.size(of: Array(bytes.prefix(16)))
        guard let message = try? DBusMessage(bytes) else { return }
        var reader = DBusReader(message.body, isBigEndian: message.isBigEndian)
        var signature = Array(message.signature.utf8)[...]
        while !signature.isEmpty {
            guard (try? reader.skip(&signature)) != nil else { return }
        }
    }

    @Test("a message that says it is huge is not waited for")
    func huge() {
        let head: [UInt8] = [0x6C, 2, 0, 1, 0xFF, 0xFF, 0xFF, 0x7F, 1, 0, 0, 0, 0, 0, 0, 0]
        #expect(throws: DBusError.malformed) { try DBusMessage.size(of: head) }
        let fields: [UInt8] = [0x6C, 2, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF]
        #expect(throws: DBusError.malformed) { try DBusMessage.size(of: fields) }
        #expect(throws: DBusError.malformed) {
            try DBusMessage.size(of: Array("GET / HTTP/1.1\r\n".utf8))
        }
    }

    /// The environment, and where the bus may be.
    static let addresses: [([String: String], [DBusAddress])] = [
        ([:], []), (["XDG_RUNTIME_DIR": "/run/user/1"], [.path("/run/user/1/bus")]),
        (["XDG_RUNTIME_DIR": "run"], []),
        (
            ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/a,guid=0f", "XDG_RUNTIME_DIR": "/r"],
            [.path("/a")]
        ),
        (
            ["DBUS_SESSION_BUS_ADDRESS": "tcp:host=x;unix:guid=1,abstract=/b;unix:path=/c%2c%25"],
            [.abstract("/b"), .path("/c,%")]
        ),
        (["DBUS_SESSION_BUS_ADDRESS": "unix:;unix:path=;unix:path=/%zz;autolaunch:;;"], []),
        (["DBUS_SESSION_BUS_ADDRESS": "unix:path=/a%00b"], []),
    ]

    @Test("a bus is where the environment says", arguments: addresses)
    func address(environment: [String: String], addresses: [DBusAddress]) {
        #expect(DBusAddress.session(environment: { environment[$0] }) == addresses)
    }
}
