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

    @Test("a saved credential is found again, the last one first, and each user once")
    func saved() throws {
        #expect(try file.allCredentials() == [])
        try file.save(stored("me", "old"))
        try file.save(stored("you"))
        try file.save(stored("me", "n\"e\\w\n秘"))
        try file.save(stored("me", "other", space(realm: nil)))
        let found = try file.credentials(for: space().key)
        #expect(found == [stored("me", "n\"e\\w\n秘"), stored("you")])
        #expect(try file.credentials(for: space(realm: nil).key).count == 1)
        #expect(try file.credentials(for: space("k.example").key) == [])
        let proxy = URLProtectionSpace(
            proxyHost: "p.example",
            port: 3_128,
            type: nil,
            realm: "",
            authenticationMethod: NSURLAuthenticationMethodHTTPDigest
        )
        try file.save(stored("me", "proxy", proxy))
        #expect(try file.credentials(for: proxy.key).map(\.key.space) == [proxy])
        #expect(try file.allCredentials().count == 4)
    }

    @Test("only the owner can read the file and the folders made for it")
    func modes() throws {
        try file.save(stored("me"))
        #expect(mode("data") == 0o700)
        #expect(mode("data/fetch") == 0o700)
        #expect(mode("data/fetch/credentials") == 0o600)
        #expect(mode("data/fetch/credentials.lock") == 0o600)
        #expect(mode("data/fetch/credentials~") == nil)
    }

    @Test("a removed credential is gone, and with the last one the file")
    func removed() throws {
        #expect(try !file.remove(user: "me", for: space().key))
        #expect(!folder.exists("data"))
        try file.save(stored("me"))
        try file.save(stored("you"))
        #expect(try file.remove(user: "me", for: space().key))
        #expect(try !file.remove(user: "me", for: space().key))
        #expect(try !file.remove(user: "you", for: space("k.example").key))
        #expect(try file.allCredentials().map(\.user) == ["you"])
        #expect(try file.remove(user: "you", for: space().key))
        #expect(!folder.exists("data/fetch/credentials"))
        #expect(try file.allCredentials() == [])
    }

    /// Expects reading and writing to be refused as unsafe, without a change.
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
        "a file that others may read is neither used nor changed",
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

    @Test("the client uses no folder that others may write to", arguments: [0o770, 0o707, 0o777])
    func looseFolder(loose: mode_t) throws {
        try file.save(stored("me"))
        #expect(chmod(folder.path("data/fetch"), loose) == 0)
        expectUnsafe("other users can write to it")
    }

    @Test("a link, folder or pipe in the file's place is neither followed nor read")
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

    @Test("another user's file is not used", .needs(.root))
    func foreign() throws {
        try file.save(stored("me"))
        #expect(chown(file.path, 65_534, 65_534) == 0)
        expectUnsafe("another user")
        #expect(chown(file.path, 0, 0) == 0)
        #expect(chown(folder.path("data/fetch"), 65_534, 65_534) == 0)
        expectUnsafe("another user")
    }

    @Test("a link in place of the lock or the draft is not followed")
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
        "a malformed file is not overwritten",
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
            if case .file(.malformed) = error as? CredentialStoreError { true } else { false }
        }
        #expect { try file.allCredentials() } throws: { isGarbled($0) }
        #expect { try file.save(stored("new")) } throws: { isGarbled($0) }
        #expect { try file.remove(user: "me", for: space().key) } throws: {
            isGarbled($0)
        }
        #expect(folder.readText("data/fetch/credentials") == content)
    }

    @Test("a file that is too large is not read")
    func large() throws {
        try file.save(stored("me"))
        #expect(truncate(file.path, 1 << 40) == 0)
        let error = #expect(throws: CredentialStoreError.self) { try file.allCredentials() }
        #expect(error.map { "\($0)".contains("too large") } == true)
    }

    @Test("a lock held for too long is reported, and reading continues")
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

    @Test("simultaneous saves lose no credential")
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

    @Test("a failed write leaves the old content")
    func unwritable() throws {
        try file.save(stored("me"))
        // A folder has the draft's name.
        #expect(mkdir(file.path + "~", 0o700) == 0)
        func isFailed(_ error: any Error) -> Bool {
            if case .file(.failed) = error as? CredentialStoreError { true } else { false }
        }
        #expect { try file.save(stored("new")) } throws: { isFailed($0) }
        #expect(try file.allCredentials() == [stored("me")])
        rmdir(file.path + "~")
        try file.save(stored("new"))
    }

    /// The environment, and the file's path.
    static let places: [([String: String], String?)] = [
        (["XDG_DATA_HOME": "/d", "HOME": "/h"], "/d/fetch/credentials"),
        (["XDG_DATA_HOME": "rel", "HOME": "/h"], "/h/.local/share/fetch/credentials"),
        (["XDG_DATA_HOME": "", "HOME": "/h"], "/h/.local/share/fetch/credentials"),
        (["HOME": "/h"], "/h/.local/share/fetch/credentials"), (["HOME": "h"], nil), ([:], nil),
    ]

    @Test("the file is in the data folder of the XDG specification", arguments: places)
    func place(environment: [String: String], path: String?) {
        #expect(
            CredentialFile(folders: UserFolders(program: "fetch") { environment[$0] })?.path == path
        )
    }

    @Test(
        "a path that names no file is refused",
        arguments: ["", "a", "a/b", "/", "/a/", "/a/..", "/."]
    )
    func noPath(path: String) {
        #expect(CredentialFile(path: path) == nil)
    }

    @Test("no error contains a secret")
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
