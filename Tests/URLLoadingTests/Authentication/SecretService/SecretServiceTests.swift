import FoundationEssentials
import TestSupport
import Testing

@testable import URLLoading

@Suite("Secret Service", .timeLimit(.minutes(1)))
struct SecretServiceTests {
    @Test("a credential saved in gnome-keyring is found there, replaced, and removed")
    func keyring() async throws {
        let keyring = try PrivateKeyring()
        let service = keyring.service()
        let key = space().key
        #expect(try service.allCredentials() == [])
        try service.save(stored("me", "old"))
        try service.save(stored("you", "n\"e\\w\n秘"))
        try service.save(stored("other", "pw", space(realm: nil)))
        try service.save(stored("empty", "", space(realm: "")))
        try service.save(stored("me", "new"))
        // Times are in seconds: items of one second have no defined order.
        #expect(
            Set(try service.credentials(for: key)) == [
                stored("me", "new"), stored("you", "n\"e\\w\n秘"),
            ]
        )
        #expect(try service.allCredentials().count == 4)
        let noRealm = space(realm: nil).key
        #expect(try service.credentials(for: noRealm).map(\.user) == ["other"])
        let emptyRealm = space(realm: "").key
        #expect(try service.credentials(for: emptyRealm).map(\.password.text) == [""])
        #expect(try service.credentials(for: space(scheme: "http").key) == [])

        #expect(try service.remove(user: "me", for: key))
        #expect(try !service.remove(user: "me", for: key))
        #expect(try !service.remove(user: "other", for: key))
        #expect(try service.credentials(for: key).map(\.user) == ["you"])
    }

    @Test("a realm or user that the bus cannot carry is stored as well")
    func strangeText() throws {
        let keyring = try PrivateKeyring()
        let service = keyring.service()
        let strange = stored("me\u{1FFFF}", "pw", space(realm: "a\u{FFFE}"))
        let plain = stored("me\u{1FFFF}", "other", space(realm: "a%ef%bf%be"))
        try service.save(strange)
        try service.save(plain)
        #expect(try service.credentials(for: strange.key) == [strange])
        #expect(try service.credentials(for: plain.key) == [plain])
        #expect(try service.remove(user: strange.user, for: strange.key))
        #expect(try service.allCredentials() == [plain])
    }

    @Test("other programs find a saved credential, under a readable label")
    func secretTool() async throws {
        let keyring = try PrivateKeyring()
        try keyring.service().save(stored("me", "topsecret"))
        let found = try await keyring.shell("secret-tool lookup host h.example user me")
        #expect(found.stdoutText == "topsecret")
        let listed = try await keyring.shell("secret-tool search --all host h.example 2>&1")
        #expect(listed.stdoutText.contains("label = me at https h.example:443"))
        // Other programs' items in the same store are ignored.
        _ = try await keyring.shell(
            "printf x | secret-tool store --label=other host h.example user other"
        )
        #expect(try keyring.service().allCredentials().map(\.user) == ["me"])
    }

    @Test("a locked collection is reported as locked, where no prompt is permitted")
    func locked() async throws {
        let keyring = try PrivateKeyring()
        let service = keyring.service()
        try service.save(stored("me"))
        let lock = try await keyring.shell(
            """
            path=/org/freedesktop/secrets
            dbus-send --session --print-reply --dest=org.freedesktop.secrets "$path" \\
                org.freedesktop.Secret.Service.Lock array:objpath:"$path/collection/login"
            """
        )
        #expect(lock.status == 0, "\(lock)")
        #expect(throws: CredentialStoreError.locked) {
            try service.credentials(for: space().key)
        }
        #expect(throws: CredentialStoreError.locked) { try service.save(stored("you")) }
    }

    @Test("a session's storage keeps permanent credentials in the key store, and not in a file")
    func storage() async throws {
        let keyring = try PrivateKeyring()
        let folder = try TemporaryFolder()
        let file = try #require(CredentialFile(path: folder.path("credentials")))
        let credential = URLCredential(user: "me", password: "pw", persistence: .permanent)
        let stores = FallbackCredentialStore([keyring.service(), file])
        try URLCredentialStorage(stores).save(credential, for: space(), isDefault: true)
        #expect(!folder.exists("credentials"))
        #expect(URLCredentialStorage(stores).defaultCredential(for: space())?.password == "pw")
    }

    @Test("a session's storage keeps credentials in the file without a service")
    func fallback() async throws {
        let folder = try TemporaryFolder()
        let file = try #require(CredentialFile(path: folder.path("credentials")))
        let service = SecretService(
            mayAsk: false,
            [MessageBus.address(ofSocket: folder.path("none"))]
        )
        let credential = URLCredential(user: "me", password: "pw", persistence: .permanent)
        let stores = FallbackCredentialStore([service, file])
        try URLCredentialStorage(stores).save(credential, for: space())
        #expect(try file.allCredentials().map(\.user) == ["me"])
        #expect(URLCredentialStorage(stores).credentials(for: space())?["me"] == credential)
    }
}
