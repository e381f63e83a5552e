import Testing

@testable import URLLoading

@Suite("Several key stores")
struct FallbackCredentialStoreTests {
    private let away = MemoryCredentialStore(failing: .unavailable("away"))
    private let locked = MemoryCredentialStore(failing: .locked)

    @Test("the first store that responds saves a credential, and the others remove an old one")
    func saving() throws {
        let first = MemoryCredentialStore()
        let second = MemoryCredentialStore([stored("me", "old"), stored("other")])
        try FallbackCredentialStore([away, first, second]).save(stored("me", "new"))
        #expect(first.content.map(\.password.text) == ["new"])
        #expect(second.content.map(\.user) == ["other"])
    }

    @Test("a store that refuses is not skipped")
    func refusing() {
        let second = MemoryCredentialStore()
        let stores = FallbackCredentialStore([locked, second])
        #expect(throws: CredentialStoreError.locked) { try stores.save(stored("me")) }
        #expect(second.content == [])
        #expect(throws: CredentialStoreError.unavailable("away")) {
            try FallbackCredentialStore([away]).save(stored("me"))
        }
    }

    @Test("all stores are searched, and the first one's credentials count first")
    func reading() throws {
        let first = MemoryCredentialStore([stored("me", "first")])
        let second = MemoryCredentialStore([stored("you"), stored("me", "second")])
        let stores = FallbackCredentialStore([away, first, locked, second])
        let found = try stores.credentials(for: space().key)
        #expect(found == [stored("me", "first"), stored("you")])
        #expect(try stores.allCredentials() == found)
        #expect(try FallbackCredentialStore([away]).allCredentials() == [])
        #expect(throws: CredentialStoreError.locked) {
            try FallbackCredentialStore([away, locked]).allCredentials()
        }
    }

    @Test(
        "a credential is removed from all stores, and reported as removed only where that is certain"
    )
    func removing() throws {
        let first = MemoryCredentialStore([stored("me")])
        let second = MemoryCredentialStore([stored("me")])
        let key = space().key
        #expect(try FallbackCredentialStore([away, first, second]).remove(user: "me", for: key))
        #expect(first.content + second.content == [])
        #expect(try !FallbackCredentialStore([first, away]).remove(user: "me", for: key))
        try second.save(stored("me"))
        #expect(throws: CredentialStoreError.locked) {
            try FallbackCredentialStore([locked, second]).remove(user: "me", for: key)
        }
        #expect(second.content == [])
    }
}
