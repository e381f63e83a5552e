import Glibc
import Synchronization
import TestSupport
import Testing

@testable import URLLoading

/// Messages of a bus and a service in which each byte is changed or missing.
@Suite("A key store with malformed messages", .timeLimit(.minutes(1)))
struct BrokenBusTests {
    /// The bits to change in the byte at an index; `nil`: the connection ends there.
    private struct Change {
        var index = Int.max
        var bits: UInt8?

        /// Changes a piece that begins at an offset; returns whether the connection ends in it.
        func apply(to bytes: inout [UInt8], from offset: Int) -> Bool {
            guard bytes.indices.contains(index - offset) else { return false }
            guard let bits else {
                bytes.removeLast(bytes.count - (index - offset))
                return true
            }
            bytes[index - offset] ^= bits
            return false
        }
    }

    /// Forwards a service's messages with one change.
    private static func serve(
        _ connection: CInt,
        _ change: Change,
        _ reached: (_ count: Int, _ isCut: Bool) -> Void
    ) {
        var ends: [CInt] = [0, 0]
        guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0
        else { return }
        let (inner, outer) = (ends[0], ends[1])
        FakeBus.thread {
            FakeService.serve(inner, respond)
            // Shut down, so that the other thread notices it however many descriptors are open.
            shutdown(inner, CInt(SHUT_RDWR))
            close(inner)
        }
        defer {
            shutdown(outer, CInt(SHUT_RDWR))
            close(outer)
        }
        var count = 0
        var ready = [connection, outer].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while poll(&ready, 2, -1) > 0 {
            for (from, to) in [(0, outer), (1, connection)] where ready[from].revents != 0 {
                var bytes = [UInt8](repeating: 0, count: 4_096)
                let size = recv(ready[from].fd, &bytes, bytes.count, 0)
                guard size > 0 else { return }
                bytes.removeLast(bytes.count - size)
                var isCut = false
                if from == 1 {
                    isCut = change.apply(to: &bytes, from: count)
                    count += size
                    reached(count, isCut)
                }
                let sent = send(to, bytes, bytes.count, CInt(MSG_NOSIGNAL))
                guard sent == bytes.count, !isCut else { return }
            }
        }
    }

    /// A service with one credential.
    private static func respond(_ member: String) -> FakeService.Response {
        respond(member, space().key) { _ in }
    }

    /// A service with one credential of another key, whose item has more properties.
    private static func respond(
        _ member: String,
        _ key: CredentialKey,
        _ more: @escaping (inout BusMessage) -> Void
    ) -> FakeService.Response {
        switch member {
        case "Hello": FakeService.hello
        case "OpenSession":
            .reply { reply in
                reply.append("v", of: "s") { $0.append("") }
                reply.append("/s", as: "o")
            }
        case "SearchItems":
            .reply { reply in
                reply.append(paths: ["/i"])
                reply.append(paths: [])
            }
        case "GetSecrets":
            .reply { reply in
                reply.append("a", of: "{o(oayays)}") { secrets in
                    secrets.append("e", of: "o(oayays)") { entry in
                        entry.append("/i", as: "o")
                        entry.append("r", of: "oayays") { secret in
                            secret.append("/s", as: "o")
                            secret.append([])
                            secret.append(Array("pw".utf8))
                            secret.append("text/plain")
                        }
                    }
                }
            }
        case "GetAll":
            .reply { reply in
                reply.append("a", of: "{sv}") { properties in
                    properties.append("e", of: "sv") { property in
                        property.append("Label")
                        property.append("v", of: "s") { $0.append("x") }
                    }
                    properties.append("e", of: "sv") { property in
                        property.append("Attributes")
                        property.append("v", of: "a{ss}") {
                            $0.append(SecretAttributes(key, user: "me").values)
                        }
                    }
                    more(&properties)
                }
            }
        default: .error("org.example.Unknown")
        }
    }

    @Test("a property of the wrong type is ignored")
    func otherTypes() throws {
        let bus = try FakeBus { connection in
            FakeService.serve(connection) { member in
                Self.respond(member, space().key) { properties in
                    for name in ["Modified", "Created"] {
                        properties.append("e", of: "sv") { property in
                            property.append(name)
                            property.append("v", of: "s") { $0.append("today") }
                        }
                    }
                }
            }
        }
        let service = SecretService(mayAsk: false, [bus.address])
        #expect(try service.allCredentials() == [stored("me", "pw")])
    }

    @Test("text that a bus cannot carry is encoded or refused, and the key store remains in use")
    func strangeText() throws {
        let strange = space(realm: "a\u{FFFE}")
        let bus = try FakeBus { connection in
            FakeService.serve(connection) { Self.respond($0, strange.key) { _ in } }
        }
        let folder = try TemporaryFolder()
        let file = try #require(CredentialFile(path: folder.path("credentials")))
        let service = SecretService(mayAsk: false, [bus.address])
        let stores = FallbackCredentialStore([service, file])
        let error = #expect(throws: CredentialStoreError.self) {
            _ = try service.credentials(for: space(realm: "a\0").key)
        }
        guard case .refused = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(
            try stores.credentials(for: strange.key) == [stored("me", "pw", strange)]
        )
        #expect(!folder.exists("credentials"))
    }

    /// The next change by a thread's bus, and the observations of the bus.
    private final class State: Sendable {
        let change = Mutex(Change())
        let length = Mutex(0)
        /// Whether the connection ended at the change's index: handshakes differ in length.
        let isCut = Mutex(false)

        func bus() throws -> FakeBus {
            try FakeBus { [self] connection in
                BrokenBusTests.serve(connection, change.withLock { $0 }) { count, isCut in
                    length.withLock { $0 = max($0, count) }
                    if isCut { self.isCut.withLock { $0 = true } }
                }
            }
        }
    }

    @Test("a message with any byte changed, or truncated anywhere, is read or refused without harm")
    func mutated() async throws {
        let threads = 4
        let refused = try await onThreads(threads) { thread in
            let state = State()
            let bus = try state.bus()
            func check() throws {
                let service = SecretService(mayAsk: false, [bus.address])
                #expect(try service.allCredentials() == [stored("me", "pw")])
            }
            try check()
            let count = state.length.withLock { $0 }
            #expect(count > 500)
            var refused = 0
            for index in stride(from: thread, to: count, by: threads) {
                for bits: UInt8? in [nil, 1, 0x80, 0xFF] {
                    state.change.withLock { $0 = Change(index: index, bits: bits) }
                    state.isCut.withLock { $0 = false }
                    // A larger length makes the client wait for missing bytes.
                    let service = SecretService(
                        mayAsk: false,
                        [bus.address],
                        timeout: .milliseconds(30)
                    )
                    guard let found = try? service.allCredentials() else {
                        refused += 1
                        continue
                    }
                    #expect(found.count <= 1)
                    // A truncated message is never taken for a complete one.
                    #expect(bits != nil || !state.isCut.withLock { $0 })
                }
            }
            state.change.withLock { $0 = Change() }
            try check()
            return refused
        }
        #expect(refused.allSatisfy { $0 > 125 })
    }
}
