import Foundation
import TestSupport
import Testing

/// Credentials that are stored from run to run.
@Suite("Stored credentials", .timeLimit(.minutes(2)))
struct StoredCredentialTests {
    private static func works(_ home: TemporaryFolder, _ environment: [String: String]) async throws
    {
        let apache = try Apache.shared
        let url = apache.url("/digest/hello.txt")
        func run(_ arguments: String...) async throws -> ProcessResult {
            try await FetchProcess(arguments, home: home, environment: environment).run()
        }
        let wrong = try await run("-qO-", "--save-credentials", "-u", "name:wrong", url)
        #expect(wrong.status == 6)
        #expect(try await run("-qO-", url).status == 6)
        let saved = try await run("-O-", "--save-credentials", "-u", TestUser.usual.pair, url)
        #expect(saved.status == 0, "\(saved)")
        #expect(!saved.stderr.contains("not kept"), "\(saved)")
        // A run without --save-credentials sends no stored credentials.
        #expect(try await run("-qO-", url).status == 6)
        let again = try await run("-qO-", "--save-credentials", "--events-file", "events", url)
        #expect(again.status == 0, "\(again)")
        let events = try Events(again.folder.read("events"))
        #expect(events.named("didReceiveChallenge").map { $0["source"] } == ["storage"])
        #expect(try await run("-qO-", "--save-credentials", "-u", "other", url).status == 6)
        // Credentials stored for Digest are not sent with Basic.
        let basic = apache.url("/basic/hello.txt")
        #expect(try await run("-qO-", "--save-credentials", basic).status == 6)
        let forgotten = try await run("--forget-credentials", url)
        #expect(forgotten.status == 0, "\(forgotten)")
        #expect(forgotten.stderr.contains("forgotten: a user and password for"))
        #expect(!forgotten.stderr.contains(TestUser.usual.password))
        #expect(try await run("-qO-", "--save-credentials", url).status == 6)
        #expect(try await run("--forget-credentials", url).stderr.contains("nothing is saved"))
    }

    @Test("S-02 the key store keeps credentials that a server accepted, and forgets them on demand")
    func keyring() async throws {
        let home = try TemporaryFolder("home")
        let keyring = try Keyring()
        // The keyring's folder is deleted together with the keyring.
        defer { withExtendedLifetime(keyring) {} }
        try await Self.works(home, keyring.environment)
        #expect(!home.exists(".local/share/fetch/credentials"))
    }

    @Test("S-02 the credentials are in a file that no other user can read, without a key store")
    func file() async throws {
        let home = try TemporaryFolder("home")
        let bus = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(home.path)/none"]
        try await Self.works(home, bus)
        let url = try Apache.shared.url("/basic/hello.txt")
        let arguments = ["-qO-", "--save-credentials", "-u", TestUser.usual.pair, url]
        #expect(try await FetchProcess(arguments, home: home, environment: bus).run().status == 0)
        var status = stat()
        #expect(stat(home.path(".local/share/fetch/credentials"), &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
    }

    @Test("fetch warns when credentials cannot be stored, and still succeeds")
    func unsaved() async throws {
        let home = try TemporaryFolder("home")
        try home.write("no folder", to: ".local/share/fetch")
        let url = try Apache.shared.url("/basic/hello.txt")
        let result = try await FetchProcess(
            ["-O-", "--save-credentials", "-u", TestUser.usual.pair, url],
            home: home,
            environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(home.path)/none"]
        ).run()
        #expect(result.status == 0, "\(result)")
        #expect(result.stderr.contains("warning: --save-credentials"))
        #expect(!result.stderr.contains(TestUser.usual.pair))
    }
}
