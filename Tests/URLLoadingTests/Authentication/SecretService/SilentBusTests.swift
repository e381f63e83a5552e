import Glibc
import TestSupport
import Testing

@testable import URLLoading

@Suite("A key store that does not answer", .timeLimit(.minutes(1)))
struct SilentBusTests {
    private let key = CredentialKey(space())

    private func service(
        _ bus: FakeBus,
        mayAsk: Bool = false,
        patience: Duration = .seconds(20)
    ) -> SecretService {
        SecretService(mayAsk: mayAsk, [bus.address], patience: patience)
    }

    /// How long is waited for a bus that never says what is waited for.
    private static let shortPatience: Duration = .milliseconds(300)

    /// Why a service is not to be had; and that it is not asked twice.
    private func expectUnavailable(
        _ bus: FakeBus,
        _ reason: String? = nil,
        patience: Duration = .seconds(20)
    ) {
        let service = service(bus, patience: patience)
        let clock = ContinuousClock()
        let time = clock.measure {
            let error = #expect(throws: CredentialStoreError.self) {
                try service.credentials(for: key)
            }
            guard case .unavailable(let words) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            if let reason { #expect(words.contains(reason), "\(words)") }
        }
        #expect(time < .seconds(10))
        let before = bus.connections
        #expect(throws: CredentialStoreError.self) { try service.save(stored("me")) }
        #expect(throws: CredentialStoreError.self) { try service.allCredentials() }
        #expect(bus.connections == before)
    }

    @Test("a bus that says nothing is given up, and not asked again")
    func silent() throws {
        let bus = try FakeBus { FakePeer(connection: $0).readToEnd() }
        expectUnavailable(bus, "not answer", patience: Self.shortPatience)
    }

    @Test("a bus that lets us in and then says nothing is given up")
    func halfSilent() throws {
        let bus = try FakeBus { connection in
            let peer = FakePeer(connection: connection)
            peer.authenticate()
            peer.readToEnd()
        }
        expectUnavailable(bus, "not answer", patience: Self.shortPatience)
    }

    @Test("a service that says nothing is given up")
    func silentService() throws {
        let bus = try FakeBus { connection in
            let peer = FakePeer(connection: connection)
            peer.authenticate()
            if let hello = peer.message() { peer.reply(to: hello, "s") { $0.string(":1.1") } }
            peer.readToEnd()
        }
        expectUnavailable(bus, "not answer", patience: Self.shortPatience)
    }

    @Test("a bus that drips for ever is given up")
    func dripping() throws {
        let bus = try FakeBus { connection in
            let peer = FakePeer(connection: connection)
            peer.authenticate()
            var signal = DBusMessage("S", of: "a.b", at: "/", to: "c")
            signal.kind = .signal
            // A message, whole, again and again: each is an answer to nothing.
            let bytes = signal.encoded
            // One each millisecond, until nobody listens any more.
            var peerGone = pollfd(fd: connection, events: 0, revents: 0)
            repeat {
                guard send(connection, bytes, bytes.count, CInt(MSG_NOSIGNAL)) > 0 else { return }
            } while Glibc.poll(&peerGone, 1, 1) == 0
        }
        expectUnavailable(bus, "not answer", patience: Self.shortPatience)
    }

    @Test(
        "a bus that hangs up, refuses, or is none, is none",
        arguments: ["", "REJECTED EXTERNAL\r\n", "HTTP/1.1 400 Bad Request\r\n\r\n"]
    )
    func refusing(answer: String) throws {
        let bus = try FakeBus { connection in
            let peer = FakePeer(connection: connection)
            _ = peer.read(1)
            peer.send(Array(answer.utf8))
        }
        expectUnavailable(bus)
    }

    @Test("a bus that answers with garbage is none")
    func garbage() throws {
        let endless = try FakeBus { connection in
            let bytes = [UInt8](repeating: 0x41, count: 1 << 16)
            while send(connection, bytes, bytes.count, CInt(MSG_NOSIGNAL)) > 0 {}
        }
        expectUnavailable(endless, "no Secret Service")
        let after = try FakeBus { connection in
            let peer = FakePeer(connection: connection)
            peer.authenticate()
            peer.send([UInt8](repeating: 0x6C, count: 1_000))
            peer.readToEnd()
        }
        expectUnavailable(after, "no Secret Service")
    }

    @Test("no bus at all costs nothing and is said")
    func none() throws {
        let folder = try TemporaryFolder()
        let missing = SecretService(mayAsk: false, [.path(folder.path("bus"))])
        #expect(throws: CredentialStoreError.self) { try missing.allCredentials() }
        let unnamed = SecretService(mayAsk: false, environment: { _ in nil })
        #expect(
            throws: CredentialStoreError.unavailable("no session bus is named by the environment")
        ) {
            try unnamed.allCredentials()
        }
        let long = SecretService(mayAsk: false, [.path("/" + String(repeating: "x", count: 200))])
        #expect(throws: CredentialStoreError.self) { try long.allCredentials() }
    }

    /// A bus whose service answers the first call with an error.
    private func bus(refusing name: String) throws -> FakeBus {
        try FakeBus { connection in
            let peer = FakePeer(connection: connection)
            peer.authenticate()
            if let hello = peer.message() { peer.reply(to: hello, "s") { $0.string(":1.1") } }
            while let call = peer.message() { peer.refuse(call, name) }
        }
    }

    @Test("a bus without the service is none; a service that refuses is said in its own words")
    func errors() throws {
        expectUnavailable(try bus(refusing: "org.freedesktop.DBus.Error.ServiceUnknown"), "words")
        let errors: [(String, CredentialStoreError)] = [
            ("org.example.No", .refused("org.example.No: words")),
            ("org.freedesktop.Secret.Error.IsLocked", .locked),
        ]
        for (name, error) in errors {
            let bus = try bus(refusing: name)
            #expect(throws: error) { try service(bus).allCredentials() }
        }
    }

    /// A service with one locked item, and a user who answers a prompt.
    private func lockedBus(dismisses: Bool) throws -> FakeBus {
        try FakeBus { connection in
            let peer = FakePeer(connection: connection)
            peer.authenticate()
            while let call = peer.message() {
                switch call.member {
                case "Hello": peer.reply(to: call, "s") { $0.string(":1.1") }
                case "OpenSession":
                    peer.reply(to: call, "vo") { writer in
                        writer.signature("s")
                        writer.string("")
                        writer.string("/session")
                    }
                case "SearchItems":
                    peer.reply(to: call, "aoao") { writer in
                        writer.paths([])
                        writer.paths(["/item"])
                    }
                case "Unlock":
                    peer.reply(to: call, "aoo") { writer in
                        writer.paths([])
                        writer.string("/prompt")
                    }
                case "AddMatch": peer.reply(to: call)
                case "Prompt":
                    // The signal may come before the reply.
                    var signal = DBusMessage(
                        "Completed",
                        of: "org.freedesktop.Secret.Prompt",
                        at: "/prompt",
                        to: ":1.1",
                        signature: "bv"
                    ) { writer in
                        writer.boolean(dismisses)
                        writer.signature("s")
                        writer.string("")
                    }
                    signal.kind = .signal
                    peer.send(signal.encoded)
                    peer.reply(to: call)
                default: peer.refuse(call, "org.example.Done")
                }
            }
        }
    }

    @Test("a locked key store is opened by the user, or by nobody")
    func prompts() throws {
        let cases: [(dismisses: Bool, mayAsk: Bool, CredentialStoreError)] = [
            (false, false, .locked), (true, true, .dismissed),
            // Unlocked, it goes on to the call after.
            (false, true, .refused("org.example.Done: words")),
        ]
        for (dismisses, mayAsk, error) in cases {
            let bus = try lockedBus(dismisses: dismisses)
            #expect(throws: error) { try service(bus, mayAsk: mayAsk).allCredentials() }
        }
    }
}
