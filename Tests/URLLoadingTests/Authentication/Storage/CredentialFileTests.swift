import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import URLLoading

@Suite("Credential file", .timeLimit(.minutes(1)))
struct CredentialFileTests {
    private let folder: TestSupport.TemporaryFolder
    private let file: CredentialFile

    init() throws {
        folder = try TemporaryFolder("credentials")
        file = try #require(CredentialFile(path: folder.path("data/fetch/credentials")))
    }

    private func mode(_ name: String) -> mode_t? {
        var status = stat()
        return lstat(folder.path(name), &status) == 0 ? status.st_mode & 0o777 : nil
    }

    @Test("what is saved is found again, the last one first, and each user once")
    func saved() throws {
        #expect(try file.allCredentials() == [])
        try file.save(stored("me", "old"))
        try file.save(stored("you"))
        try file.save(stored("me", "n\"e\\w\n秘"))
        try file.save(stored("me", "other", space(realm: nil)))
        let found = try file.credentials(for: CredentialKey(space()))
        #expect(found == [stored("me", "n\"e\\w\n秘"), stored("you")])
        #expect(try file.credentials(for: CredentialKey(space(realm: nil))).count == 1)
        #expect(try file.credentials(for: CredentialKey(space("k.example"))) == [])
        let proxy = URLProtectionSpace(
            proxyHost: "p.example",
            port: 3_128,
            type: nil,
            realm: "",
            authenticationMethod: NSURLAuthenticationMethodHTTPDigest
        )
        try file.save(stored("me", "proxy", proxy))
        #expect(try file.credentials(for: CredentialKey(proxy)).map(\.key.space) == [proxy])
        #expect(try file.allCredentials().count == 4)
    }

    @Test("only its owner can read it, and the folders that were made for it")
    func modes() throws {
        try file.save(stored("me"))
        #expect(mode("data") == 0o700)
        #expect(mode("data/fetch") == 0o700)
        #expect(mode("data/fetch/credentials") == 0o600)
        #expect(mode("data/fetch/credentials.lock") == 0o600)
        #expect(mode("data/fetch/credentials~") == nil)
    }

    @Test("what is forgotten is gone, and with the last one the file")
    func removed() throws {
        #expect(try !file.remove(user: "me", for: CredentialKey(space())))
        #expect(!folder.exists("data"))
        try file.save(stored("me"))
        try file.save(stored("you"))
        #expect(try file.remove(user: "me", for: CredentialKey(space())))
        #expect(try !file.remove(user: "me", for: CredentialKey(space())))
        #expect(try !file.remove(user: "you", for: CredentialKey(space("k.example"))))
        #expect(try file.allCredentials().map(\.user) == ["you"])
        #expect(try file.remove(user: "you", for: CredentialKey(space())))
        #expect(!folder.exists("data/fetch/credentials"))
        #expect(try file.allCredentials() == [])
    }

    /// Whether reading and writing are both refused as unsafe, and nothing has changed.
    private func expectUnsafe(_ reason: String) {
        func words(_ body: () throws(CredentialStoreError) -> Void) -> String {
            do throws(CredentialStoreError) {
                try body()
                return "no error"
            } catch {
                if case .file(.unsafe) = error { return "\(error)" }
                return "another error: \(error)"
            }
        }
        let reading = words { () throws(CredentialStoreError) in _ = try file.allCredentials() }
        #expect(reading.contains(reason), "\(reading)")
        let writing = words { () throws(CredentialStoreError) in try file.save(stored("new")) }
        #expect(writing.contains(reason), "\(writing)")
    }

    @Test(
        "a file that others may read is not used, and not mended",
        arguments: [0o644, 0o640, 0o602]
    )
    func looseFile(loose: mode_t) throws {
        try file.save(stored("me"))
        let before = folder.read("data/fetch/credentials")
        #expect(chmod(file.path, loose) == 0)
        expectUnsafe("mode \(String(loose, radix: 8))")
        #expect(folder.read("data/fetch/credentials") == before)
        #expect(mode("data/fetch/credentials") == loose)
    }

    @Test("a folder that others may write to is not used", arguments: [0o770, 0o707, 0o777])
    func looseFolder(loose: mode_t) throws {
        try file.save(stored("me"))
        #expect(chmod(folder.path("data/fetch"), loose) == 0)
        expectUnsafe("other users can write to it")
    }

    @Test("a symbolic link, a folder or a pipe in its place is not followed, read or waited for")
    func impostors() throws {
        let secret = try folder.write("untouched", to: "elsewhere")
        chmod(secret, 0o600)
        try file.save(stored("me"))
        unlink(file.path)
        #expect(symlink(secret, file.path) == 0)
        expectUnsafe("symbolic link")
        #expect(folder.readText("elsewhere") == "untouched")
        unlink(file.path)
        #expect(mkfifo(file.path, 0o600) == 0)
        expectUnsafe("not a file")
        unlink(file.path)
        #expect(mkdir(file.path, 0o700) == 0)
        expectUnsafe("not a file")
    }

    @Test("what is another user's is not used", .needs(.root))
    func foreign() throws {
        try file.save(stored("me"))
        #expect(chown(file.path, 65_534, 65_534) == 0)
        expectUnsafe("another user")
        #expect(chown(file.path, 0, 0) == 0)
        #expect(chown(folder.path("data/fetch"), 65_534, 65_534) == 0)
        expectUnsafe("another user")
    }

    @Test("a lock and a draft that are links lead nowhere")
    func links() throws {
        try file.save(stored("me"))
        let target = folder.path("target")
        unlink(file.path + ".lock")
        #expect(symlink(target, file.path + ".lock") == 0)
        #expect(throws: CredentialStoreError.self) { try file.save(stored("new")) }
        unlink(file.path + ".lock")
        #expect(symlink(target, file.path + "~") == 0)
        try file.save(stored("new"))
        #expect(!folder.exists("target"))
        #expect(try file.allCredentials().count == 2)
    }

    @Test(
        "what is not understood is not written over",
        arguments: [
            "", "{", "[]", "null", #"{"format": "other", "version": 1, "credentials": []}"#,
            #"{"format": "URLLoading credentials", "version": 2, "credentials": []}"#,
            #"{"format": "URLLoading credentials", "version": 1}"#,
            #"{"format": "URLLoading credentials", "version": 1, "credentials": [{"user": "x"}]}"#,
        ]
    )
    func garbled(content: String) throws {
        try file.save(stored("me"))
        try folder.write(content, to: "data/fetch/credentials")
        chmod(file.path, 0o600)
        func isGarbled(_ error: any Error) -> Bool {
            if case .file(.garbled) = error as? CredentialStoreError { true } else { false }
        }
        #expect { try file.allCredentials() } throws: { isGarbled($0) }
        #expect { try file.save(stored("new")) } throws: { isGarbled($0) }
        #expect { try file.remove(user: "me", for: CredentialKey(space())) } throws: {
            isGarbled($0)
        }
        #expect(folder.readText("data/fetch/credentials") == content)
    }

    @Test("a file too large for one is not read")
    func large() throws {
        try file.save(stored("me"))
        #expect(truncate(file.path, 1 << 40) == 0)
        let error = #expect(throws: CredentialStoreError.self) { try file.allCredentials() }
        #expect(error.map { "\($0)".contains("too large") } == true)
    }

    @Test("where another holds the lock for too long that is said, and reading goes on")
    func busy() throws {
        try file.save(stored("me"))
        let holder = open(file.path + ".lock", O_RDWR | O_CLOEXEC)
        try #require(flock(holder, LOCK_EX) == 0)
        let hasty = try #require(CredentialFile(path: file.path, timeout: .milliseconds(50)))
        #expect(throws: CredentialStoreError.file(.busy(path: file.path + ".lock"))) {
            try hasty.save(stored("new"))
        }
        #expect(try file.allCredentials().count == 1)
        close(holder)
        try file.save(stored("new"))
    }

    @Test("many that save at once lose nothing of each other")
    func concurrent() async throws {
        let path = file.path
        _ = try await onThreads(10) { number in
            let own = try #require(CredentialFile(path: path, timeout: .seconds(30)))
            if number < 8 {
                for index in 0..<10 { try own.save(stored("user\(number)-\(index)")) }
            } else {
                for _ in 0..<50 { _ = try own.allCredentials() }
            }
        }
        #expect(try file.allCredentials().count == 80)
    }

    @Test("where it cannot be written what was there stays")
    func unwritable() throws {
        try file.save(stored("me"))
        // A folder has the name that is written to first.
        #expect(mkdir(file.path + "~", 0o700) == 0)
        func isFailed(_ error: any Error) -> Bool {
            if case .file(.failed) = error as? CredentialStoreError { true } else { false }
        }
        #expect { try file.save(stored("new")) } throws: { isFailed($0) }
        #expect(try file.allCredentials() == [stored("me")])
        rmdir(file.path + "~")
        try file.save(stored("new"))
    }

    /// The environment, and where the file is.
    static let places: [([String: String], String?)] = [
        (["XDG_DATA_HOME": "/d", "HOME": "/h"], "/d/fetch/credentials"),
        (["XDG_DATA_HOME": "rel", "HOME": "/h"], "/h/.local/share/fetch/credentials"),
        (["XDG_DATA_HOME": "", "HOME": "/h"], "/h/.local/share/fetch/credentials"),
        (["HOME": "/h"], "/h/.local/share/fetch/credentials"), (["HOME": "h"], nil), ([:], nil),
    ]

    @Test("the file is where the XDG specification has data", arguments: places)
    func place(environment: [String: String], path: String?) {
        #expect(
            CredentialFile(folders: UserFolders(program: "fetch") { environment[$0] })?.path == path
        )
    }

    @Test(
        "a path that names no file is none",
        arguments: ["", "a", "a/b", "/", "/a/", "/a/..", "/."]
    )
    func noPath(path: String) {
        #expect(CredentialFile(path: path) == nil)
    }

    @Test("no error has a secret in it")
    func words() throws {
        try file.save(stored("me", "topsecret"))
        try folder.write(
            #"{"format":"URLLoading credentials","version":1,"credentials":[{"password":"topsecret"}]}"#,
            to: "data/fetch/credentials"
        )
        chmod(file.path, 0o600)
        let error = #expect(throws: CredentialStoreError.self) { try file.allCredentials() }
        #expect(error.map { !"\($0)".contains("topsecret") } == true)
        #expect(!"\(stored("me", "topsecret"))".contains("topsecret"))
    }
}
