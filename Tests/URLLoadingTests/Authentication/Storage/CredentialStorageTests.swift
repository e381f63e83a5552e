import Dispatch
import FoundationEssentials
import TestSupport
import Testing

@testable import URLLoading

@Suite("Credential storage", .timeLimit(.minutes(1)))
struct CredentialStorageTests {
    private func credential(
        _ user: String,
        _ password: String = "pw",
        _ persistence: URLCredential.Persistence = .forSession
    ) -> URLCredential {
        URLCredential(user: user, password: password, persistence: persistence)
    }

    @Test("a session's credential is found by its space, and by no other")
    func session() {
        let storage = URLCredentialStorage()
        storage.set(credential("me"), for: space())
        storage.set(credential("you"), for: space())
        #expect(storage.credentials(for: space())?.keys.sorted() == ["me", "you"])
        let others = [
            space("k.example"), space(realm: "s"), space(realm: nil), space(scheme: "http"),
            space(method: NSURLAuthenticationMethodHTTPDigest),
        ]
        for other in others {
            #expect(storage.credentials(for: other) == nil, "\(other)")
            #expect(storage.defaultCredential(for: other) == nil, "\(other)")
        }
        #expect(storage.allCredentials.keys.map(\.host) == ["h.example"])
    }

    @Test("a credential without persistence is not stored")
    func none() {
        let storage = URLCredentialStorage()
        storage.set(credential("me", "pw", .none), for: space())
        storage.setDefaultCredential(credential("me", "pw", .none), for: space())
        #expect(storage.credentials(for: space()) == nil)
        #expect(storage.defaultCredential(for: space()) == nil)
    }

    @Test("the default credential is the one that was set, with its latest password")
    func defaults() {
        let storage = URLCredentialStorage()
        storage.set(credential("first"), for: space())
        #expect(storage.defaultCredential(for: space()) == nil)
        storage.setDefaultCredential(credential("me", "old"), for: space())
        storage.set(credential("other"), for: space())
        #expect(storage.defaultCredential(for: space())?.user == "me")
        storage.set(credential("me", "new"), for: space())
        #expect(storage.defaultCredential(for: space())?.password == "new")
        #expect(storage.credentials(for: space())?.count == 3)
        storage.remove(credential("other"), for: space())
        #expect(storage.defaultCredential(for: space())?.user == "me")
        storage.remove(credential("me"), for: space())
        #expect(storage.defaultCredential(for: space()) == nil)
        #expect(storage.credentials(for: space())?.keys.sorted() == ["first"])
    }

    @Test("a client certificate can be the default of its space")
    func identities() {
        let storage = URLCredentialStorage()
        let space = space(realm: nil, method: NSURLAuthenticationMethodClientCertificate)
        let identity = URLCredential(identity: .init(file: "/c.pem"), persistence: .forSession)
        storage.remove(identity, for: space)
        storage.setDefaultCredential(identity, for: space)
        #expect(storage.defaultCredential(for: space) == identity)
        storage.remove(identity, for: space)
        #expect(storage.defaultCredential(for: space) == nil)
    }

    @Test("a permanent credential is stored in the key store, and found by the next storage")
    func permanent() {
        let store = MemoryCredentialStore()
        let storage = URLCredentialStorage(store)
        storage.set(credential("session"), for: space())
        #expect(store.calls == 0)
        storage.set(credential("me", "pw", .permanent), for: space())
        storage.setDefaultCredential(credential("you", "pw", .synchronizable), for: space())
        #expect(store.content.map(\.user) == ["you", "me"])
        let next = URLCredentialStorage(store)
        #expect(next.credentials(for: space())?.keys.sorted() == ["me", "you"])
        #expect(next.defaultCredential(for: space())?.user == "you")
        #expect(next.defaultCredential(for: space())?.persistence == .permanent)
        #expect(next.defaultCredential(for: space(scheme: "http")) == nil)
        #expect(next.allCredentials[space()]?.count == 2)
        next.remove(credential("you"), for: space())
        #expect(store.content.map(\.user) == ["me"])
    }

    @Test("the session's own credentials count before those of the key store")
    func precedence() {
        let storage = URLCredentialStorage(MemoryCredentialStore([stored("me", "old")]))
        storage.set(credential("me", "new"), for: space())
        #expect(storage.credentials(for: space())?["me"]?.password == "new")
        #expect(storage.allCredentials[space()]?["me"]?.password == "new")
    }

    @Test(
        "a failing key store is an error where the caller can get it, and the session keeps working"
    )
    func failing() throws {
        let storage = URLCredentialStorage(MemoryCredentialStore(failing: .locked))
        let me = credential("me", "pw", .permanent)
        #expect(throws: CredentialStoreError.locked) { try storage.save(me, for: space()) }
        #expect(throws: CredentialStoreError.locked) {
            try storage.save(me, for: space(), isDefault: true)
        }
        #expect(storage.credentials(for: space())?["me"] == me)
        #expect(storage.defaultCredential(for: space()) == me)
        #expect(throws: CredentialStoreError.locked) { try storage.forget(me, for: space()) }
        #expect(storage.credentials(for: space()) == nil)
        try storage.save(credential("session"), for: space())
    }

    @Test("removing a credential reports whether it existed")
    func forgotten() throws {
        let storage = URLCredentialStorage(MemoryCredentialStore([stored("kept")]))
        try storage.save(credential("own"), for: space())
        #expect(try storage.forget(credential("kept"), for: space()))
        #expect(try storage.forget(credential("own"), for: space()))
        #expect(try !storage.forget(credential("own"), for: space()))
    }

    @Test("the methods with a task do the same, and call back on the session's queue")
    func tasks() async throws {
        let session = try URLSession.testing()
        defer { session.invalidateAndCancel() }
        let task = session.dataTask(with: try url("https://h.example/"))
        let storage = URLCredentialStorage()
        storage.setDefaultCredential(credential("me"), for: space(), task: task)
        storage.set(credential("you"), for: space(), task: task)
        func users() async -> [String] {
            await withCheckedContinuation { continuation in
                storage.getCredentials(for: space(), task: task) { found in
                    dispatchPrecondition(condition: .onQueue(session.delegateQueue))
                    continuation.resume(returning: found?.keys.sorted() ?? [])
                }
            }
        }
        #expect(await users() == ["me", "you"])
        let found = await withCheckedContinuation { continuation in
            storage.getDefaultCredential(for: space(), task: task) {
                continuation.resume(returning: $0)
            }
        }
        #expect(found?.user == "me")
        storage.remove(credential("me"), for: space(), task: task)
        #expect(await users() == ["you"])
    }
}
