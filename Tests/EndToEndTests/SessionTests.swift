import Foundation
import TestSupport
import Testing

/// Named sessions, and the files of runs without one.
@Suite("Named sessions", .timeLimit(.minutes(2)))
struct SessionTests {
    private let home: TemporaryFolder

    init() throws {
        home = try TemporaryFolder("home")
    }

    private func run(_ arguments: String...) async throws -> ProcessResult {
        let bus = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(home.path)/none"]
        return try await FetchProcess(arguments, home: home, environment: bus).run()
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: home.path(path))[.posixPermissions] as? Int
    }

    @Test("a session has credentials of its own, which only its later runs use")
    func credentials() async throws {
        let url = try Apache.shared.url("/digest/hello.txt")
        let user = TestUser.usual.pair
        let saved = try await run("-qO-", "--session", "s", "--save-credentials", "-u", user, url)
        #expect(saved.status == 0, "\(saved)")
        #expect(try mode(".local/state/fetch/sessions/s") == 0o700)
        #expect(try mode(".local/state/fetch/sessions/s/credentials") == 0o600)
        #expect(try await run("-qO-", "--session", "s", url).status == 0)
        #expect(try await run("-qO-", url).status == 6)
        #expect(try await run("-qO-", "--save-credentials", url).status == 6)
        #expect(try await run("-qO-", "--session", "other", url).status == 6)
        let forgotten = try await run("--session", "s", "--forget-credentials", url)
        #expect(forgotten.stderr.contains("forgotten: a user and password"), "\(forgotten)")
        #expect(try await run("-qO-", "--session", "s", url).status == 6)
    }

    @Test("a session has its own cache")
    func cache() async throws {
        let nginx = try Nginx.shared
        try nginx.addFile("session-cache", text: "text", modified: 1_600_000_000)
        let url = nginx.url("/cached/session-cache?control=max-age=60")
        #expect(try await run("-qO-", "--session", "s", url).status == 0)
        #expect(try mode(".cache/fetch/sessions/s") == 0o700)
        let only = "--cache-policy=only-cache"
        #expect(try await run("-qO-", only, url).status == 11)
        #expect(try await run("-qO-", only, "--session", "other", url).status == 11)
        #expect(try await run("-qO-", only, "--session", "s", url).stdoutText == "text")
        #expect(try await run("-q", "--clear-cache", "--session", "s").status == 0)
        #expect(try await run("-qO-", only, "--session", "s", url).status == 11)
    }

    @Test("--session-list lists sessions with their content, and --session-remove removes them")
    func orders() async throws {
        let nginx = try Nginx.shared
        #expect(try await run("--session-list").stdoutText == "")
        for name in ["work", "home.2"] {
            let url = nginx.url("/cookies/set/a/1")
            #expect(try await run("-qO-", "--session", name, url).status == 0)
        }
        let list = try await run("--session-list")
        #expect(list.status == 0)
        #expect(list.stdoutText == "home.2: 1 cookie\nwork: 1 cookie\n")
        let removed = try await run("--session-remove", "work")
        #expect(removed.status == 0, "\(removed)")
        #expect(removed.stdoutText + removed.stderr == "")
        #expect(!home.exists(".local/state/fetch/sessions/work"))
        #expect(try await run("--session-list").stdoutText == "home.2: 1 cookie\n")
        let missing = try await run("--session-remove", "work")
        #expect(missing.status == 1)
        #expect(missing.stderr.contains("there is no session work"), "\(missing)")
    }

    @Test("fetch removes a link in a session's place, and not the link's target")
    func link() async throws {
        try home.write("precious", to: "other/file")
        try home.write("", to: ".local/state/fetch/sessions/x/y")
        for folder in [".local/state/fetch/sessions", ".local/state/fetch", ".local/state"] {
            #expect(chmod(home.path(folder), 0o700) == 0)
        }
        let place = home.path(".local/state/fetch/sessions/linked")
        #expect(symlink(home.path("other"), place) == 0)
        #expect(try await run("--session-remove", "linked").status == 0)
        #expect(home.readText("other/file") == "precious")
        #expect(!home.exists(".local/state/fetch/sessions/linked"))
    }
}
