import Glibc
import TestSupport
import Testing

@testable import URLLoading

@Suite("A key store that does not respond", .timeLimit(.minutes(1)))
struct SilentBusTests {
    private let key = space().key

    private func service(
        _ bus: FakeBus,
        mayAsk: Bool = false,
        timeout: Duration = .seconds(20)
    ) -> SecretService {
        SecretService(mayAsk: mayAsk, [bus.address], timeout: timeout)
    }

    /// The timeout for a bus that never sends the awaited message.
    private static let shortTimeout: Duration = .milliseconds(300)

    /// Expects a reason why a service is unavailable, and that no second attempt follows.
    private func expectUnavailable(
        _ bus: FakeBus,
        _ reason: String? = nil,
        timeout: Duration = .seconds(20)
    ) {
        let service = service(bus, timeout: timeout)
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

    @Test("a silent bus times out, and the client makes no second attempt")
    func silent() throws {
        let bus = try FakeBus { FakePeer(connection: $0).readToEnd() }
        expectUnavailable(bus, "not respond", timeout: Self.shortTimeout)
    }

    @Test("a bus that is silent after the authentication times out")
    func halfSilent() throws {
        let bus = try FakeBus { connection in
            let peer = FakePeer(connection: connection)
            peer.authenticate()
            peer.readToEnd()
        }
        expectUnavailable(bus, "not respond", timeout: Self.shortTimeout)
    }

    @Test("a silent service times out")
    func silentService() throws {
        let bus = try FakeBus { connection in
            FakeService.serve(connection) { member in
                member == "Hello" ? FakeService.hello : FakeService.silence
            }
        }
        expectUnavailable(bus, "not respond", timeout: Self.shortTimeout)
    }

    @Test("a bus that sends signals for ever times out")
    func dripping() throws {
        let bus = try FakeBus { connection in
            FakeService.serve(connection) { $0 == "Hello" ? FakeService.hello : .end(Self.drip) }
        }
        expectUnavailable(bus, "not respond", timeout: Self.shortTimeout)
        // Before the client has its name, a signal violates the protocol.
        let early = try FakeBus { connection in
            FakePeer(connection: connection).authenticate()
            Self.drip(connection)
        }
        expectUnavailable(early, "not a Secret Service")
    }

    /// Sends a signal each millisecond until the client closes: none is a reply.
    private static func drip(_ connection: CInt) {
        var peerGone = pollfd(fd: connection, events: 0, revents: 0)
        repeat {
            let count = send(connection, signal, signal.count, CInt(MSG_NOSIGNAL))
            guard count > 0 || errno == EAGAIN else { return }
        } while Glibc.poll(&peerGone, 1, 1) == 0
    }

    /// The signal `S` of `a.b` at `/`, as the specification defines it.
    private static let signal: [UInt8] =
        [0x6C, 4, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 42, 0, 0, 0]
        + [1, 1, 0x6F, 0, 1, 0, 0, 0, 0x2F, 0, 0, 0, 0, 0, 0, 0]
        + [2, 1, 0x73, 0, 3, 0, 0, 0, 0x61, 0x2E, 0x62, 0, 0, 0, 0, 0]
        + [3, 1, 0x73, 0, 1, 0, 0, 0, 0x53, 0, 0, 0, 0, 0, 0, 0]

    @Test(
        "a bus that closes, refuses, or speaks another protocol is unavailable",
        arguments: ["", "REJECTED EXTERNAL\r\n", "HTTP/1.1 400 Bad Request\r\n\r\n"]
    )
    func refusing(reply: String) throws {
        let bus = try FakeBus { connection in
            let peer = FakePeer(connection: connection)
            _ = peer.read(1)
            peer.send(Array(reply.utf8))
        }
        expectUnavailable(bus)
    }

    @Test("a bus that replies with garbage is unavailable")
    func garbage() throws {
        let endless = try FakeBus { connection in
            let bytes = [UInt8](repeating: 0x41, count: 1 << 16)
            while send(connection, bytes, bytes.count, CInt(MSG_NOSIGNAL)) > 0 {}
        }
        expectUnavailable(endless, "not a Secret Service")
        let after = try FakeBus { connection in
            let peer = FakePeer(connection: connection)
            peer.authenticate()
            peer.send([UInt8](repeating: 0x6C, count: 1_000))
            peer.readToEnd()
        }
        expectUnavailable(after, "not a Secret Service")
    }

    @Test("a missing bus takes no time and is reported")
    func none() throws {
        let folder = try TemporaryFolder()
        let missing = SecretService(
            mayAsk: false,
            [MessageBus.address(ofSocket: folder.path("bus"))]
        )
        #expect(throws: CredentialStoreError.self) { try missing.allCredentials() }
        let unnamed = SecretService(mayAsk: false, environment: { _ in nil })
        #expect(
            throws: CredentialStoreError.unavailable("the environment names no session bus")
        ) { try unnamed.allCredentials() }
        let long = SecretService(
            mayAsk: false,
            [MessageBus.address(ofSocket: "/" + String(repeating: "x", count: 200))]
        )
        #expect(throws: CredentialStoreError.self) { try long.allCredentials() }
    }

    /// A bus whose service fails the first call.
    private func bus(refusing name: String) throws -> FakeBus {
        try FakeBus { connection in
            FakeService.serve(connection) { $0 == "Hello" ? FakeService.hello : .error(name) }
        }
    }

    @Test("a bus without the service is unavailable; a service's refusal keeps its own text")
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

    /// A service with one locked item, and a user that replies to a prompt.
    private func lockedBus(dismisses: Bool) throws -> FakeBus {
        try FakeBus { connection in
            FakeService.serve(connection) { member in
                switch member {
                case "Hello": FakeService.hello
                case "OpenSession":
                    .reply { reply in
                        reply.append("v", of: "s") { $0.append("") }
                        reply.append("/session", as: "o")
                    }
                case "SearchItems":
                    .reply { reply in
                        reply.append(paths: [])
                        reply.append(paths: ["/item"])
                    }
                case "Unlock":
                    .reply { reply in
                        reply.append(paths: [])
                        reply.append("/prompt", as: "o")
                    }
                case "AddMatch": .reply { _ in }
                case "Prompt":
                    // The signal may arrive before the reply.
                    .signal(
                        member: "Completed",
                        interface: "org.freedesktop.Secret.Prompt",
                        path: "/prompt"
                    ) { signal in
                        signal.append(dismisses)
                        signal.append("v", of: "s") { $0.append("") }
                    }
                default: .error("org.example.Done")
                }
            }
        }
    }

    @Test("the user unlocks a locked key store, or it stays locked")
    func prompts() throws {
        let cases: [(dismisses: Bool, mayAsk: Bool, CredentialStoreError)] = [
            (false, false, .locked), (true, true, .dismissed),
            // After unlocking the client makes the next call.
            (false, true, .refused("org.example.Done: words")),
        ]
        for (dismisses, mayAsk, error) in cases {
            let bus = try lockedBus(dismisses: dismisses)
            #expect(throws: error) { try service(bus, mayAsk: mayAsk).allCredentials() }
        }
    }

    @Test("the client has no key store without the library, and connects to no bus")
    func noLibrary() throws {
        let bus = try FakeBus { FakePeer(connection: $0).readToEnd() }
        let folder = try TemporaryFolder()
        for name in ["libnone.so.0", "libc.so.6"] {
            let service = SecretService(mayAsk: true, [bus.address], libraries: [name])
            let missing = CredentialStoreError.unavailable("no \(name) is installed")
            #expect(throws: missing) { try service.allCredentials() }
            #expect(throws: missing) { try service.save(stored("me")) }
            let file = try #require(CredentialFile(path: folder.path(name)))
            try FallbackCredentialStore([service, file]).save(stored("me"))
            #expect(try file.allCredentials() == [stored("me")])
        }
        #expect(bus.connections == 0)
    }

    /// The environment, and the possible addresses of the bus.
    static let addresses: [([String: String], [String])] = [
        ([:], []), (["XDG_RUNTIME_DIR": "/run/user/1"], ["unix:path=/run/user/1/bus"]),
        (["XDG_RUNTIME_DIR": "/a b;c,%"], ["unix:path=/a%20b%3bc%2c%25/bus"]),
        (["XDG_RUNTIME_DIR": "run"], []),
        (
            ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/a,guid=0f", "XDG_RUNTIME_DIR": "/r"],
            ["unix:path=/a,guid=0f"]
        ),
        (
            [
                "DBUS_SESSION_BUS_ADDRESS":
                    "tcp:host=x;unixexec:path=/bin/sh;unix:guid=1,abstract=/b;unix:path=/c%2c%25"
            ],
            ["unix:guid=1,abstract=/b", "unix:path=/c%2c%25"]
        ),
        (["DBUS_SESSION_BUS_ADDRESS": "autolaunch:;;"], []),
    ]

    @Test("the environment names the bus's addresses", arguments: addresses)
    func address(environment: [String: String], addresses: [String]) {
        #expect(MessageBus.addresses { environment[$0] } == addresses)
    }

    @Test("addresses without a bus are skipped, and a bus with a strange name is used")
    func manyAddresses() throws {
        let bus = try bus(refusing: "org.freedesktop.Secret.Error.IsLocked")
        let folder = try TemporaryFolder("b us;,%")
        let path = folder.path("bus")
        #expect(symlink(bus.path, path) == 0)
        let addresses = ["unix:", "unix:path=", "unix:path=/%zz", "unix:path=/none"]
        for address in addresses {
            let service = SecretService(mayAsk: false, [address])
            #expect(throws: CredentialStoreError.self) { try service.allCredentials() }
        }
        let service = SecretService(mayAsk: false, addresses + [MessageBus.address(ofSocket: path)])
        #expect(throws: CredentialStoreError.locked) { try service.allCredentials() }
    }
}
