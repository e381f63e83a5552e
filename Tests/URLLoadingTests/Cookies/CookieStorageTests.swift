import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import URLLoading

@Suite("Cookie storage", .timeLimit(.minutes(1)))
struct CookieStorageTests {
    private let folder: TestSupport.TemporaryFolder

    init() throws {
        folder = try TemporaryFolder("cookies")
    }

    private func storage(_ name: String = "state/fetch") -> HTTPCookieStorage {
        let path = folder.path(name)
        return HTTPCookieStorage(.folder { path })
    }

    private func mode(_ name: String) -> mode_t? {
        var status = stat()
        return lstat(folder.path(name), &status) == 0 ? status.st_mode & 0o777 : nil
    }

    private let file = "state/fetch/cookies.txt"

    @Test("S-02 a later run finds persistent cookies, in a private file")
    func kept() throws {
        let first = storage()
        #expect(first.names == [])
        first.setCookie(cookie("session"))
        first.flush()
        #expect(folder.names() == [])
        first.setCookie(cookie("lasting", "v", expires: farAhead))
        first.flush()
        #expect(mode("state") == 0o700)
        #expect(mode("state/fetch") == 0o700)
        #expect(mode(file) == 0o600)
        #expect(storage().pairs("http://example.com/") == ["lasting=v"])
        #expect(first.names == ["session", "lasting"])
        #expect(first.takeStorageError() == nil)
    }

    @Test("a change is written after a short delay")
    func delayed() async throws {
        storage().setCookie(cookie("a", expires: farAhead))
        #expect(await eventually { folder.readText(file)?.contains("\ta\t1") == true })
    }

    @Test("S-02 changes of several storages are kept, deletions too")
    func several() throws {
        let base = storage()
        for name in ["a", "b", "c"] { base.setCookie(cookie(name, expires: farAhead)) }
        base.flush()
        let (one, other) = (storage(), storage())
        #expect(one.names == ["a", "b", "c"])
        #expect(other.names == ["a", "b", "c"])
        one.deleteCookie(cookie("a"))
        one.setCookie(cookie("d", expires: farAhead))
        other.setCookie(cookie("b", "new", expires: farAhead))
        other.setCookie(cookie("e", expires: farAhead))
        one.flush()
        other.flush()
        #expect(storage().names == ["b", "c", "d", "e"])
        #expect(storage().pairs("http://example.com/").first == "b=new")
    }

    @Test("simultaneous writers lose no cookie")
    func hammering() async throws {
        let path = folder.path("state/fetch")
        let errors = try await onThreads(4) { writer in
            (0..<25).compactMap { number in
                let storage = HTTPCookieStorage(.folder { path })
                storage.setCookie(cookie("\(writer).\(number)", expires: farAhead))
                while true {
                    storage.flush()
                    let error = storage.takeStorageError()
                    // On a slow disk other writers may hold the lock for the whole time.
                    let isBusy = error?.hasSuffix("is being written by another process") == true
                    if !isBusy { return error }
                }
            }
        }
        #expect(errors.flatMap(\.self) == [])
        #expect(storage().names.count == 100)
    }

    @Test("C-03 a file that contains no cookies is not changed, with an error")
    func foreign() throws {
        _ = try folder.makeFolder("state")
        chmod(folder.path("state"), 0o700)
        _ = try folder.makeFolder("state/fetch")
        chmod(folder.path("state/fetch"), 0o700)
        try folder.write("my diary\n", to: file)
        chmod(folder.path(file), 0o600)
        let storage = storage()
        storage.setCookie(cookie("a", expires: farAhead))
        storage.flush()
        #expect(folder.readText(file) == "my diary\n")
        #expect(
            storage.takeStorageError()?.contains("line 1 is not a line of a cookie file") == true
        )
        #expect(storage.names == ["a"])
        // After the file was repaired, no cookie is lost, also without a further change.
        unlink(folder.path(file))
        storage.flush()
        #expect(self.storage().names == ["a"])
        #expect(storage.takeStorageError() == nil)
        storage.setCookie(cookie("b", expires: farAhead))
        storage.flush()
        #expect(self.storage().names == ["a", "b"])
    }

    @Test("a link is not followed, and a file that others can change is not used")
    func unsafe() throws {
        let good = storage()
        good.setCookie(cookie("a", expires: farAhead))
        good.flush()
        rename(folder.path(file), folder.path("elsewhere"))
        symlink(folder.path("elsewhere"), folder.path(file))
        let before = folder.readText("elsewhere")
        let linked = storage()
        #expect(linked.names == [])
        #expect(linked.takeStorageError()?.contains("symbolic link") == true)
        linked.setCookie(cookie("b", expires: farAhead))
        linked.flush()
        #expect(folder.readText("elsewhere") == before)
        unlink(folder.path(file))
        rename(folder.path("elsewhere"), folder.path(file))
        chmod(folder.path(file), 0o644)
        let loose = storage()
        #expect(loose.names == [])
        #expect(loose.takeStorageError()?.contains("mode 644") == true)
    }

    @Test("cookies without a folder stay in memory, with an error if any is persistent")
    func homeless() {
        let storage = HTTPCookieStorage(.folder { nil })
        storage.setCookie(cookie("a"))
        storage.flush()
        #expect(storage.takeStorageError() == nil)
        storage.setCookie(cookie("b", expires: farAhead))
        storage.flush()
        #expect(storage.takeStorageError()?.contains("XDG_STATE_HOME") == true)
        #expect(storage.names == ["a", "b"])
    }

    @Test("C-03 the caller's file is read and written in place, through links")
    func named() throws {
        try folder.write("example.com\tFALSE\t/\tFALSE\t4102444800\told\t1\n", to: "real.txt")
        chmod(folder.path("real.txt"), 0o640)
        symlink("real.txt", folder.path("jar.txt"))
        let storage = HTTPCookieStorage(
            file: try url("file://\(folder.path("jar.txt"))"),
            keepsSessionCookies: true
        )
        #expect(storage.names == ["old"])
        storage.setCookie(cookie("new"))
        storage.flush()
        let text = try #require(folder.readText("real.txt"))
        #expect(text.contains("\told\t1\n") && text.contains("\tnew\t1\n"))
        #expect(mode("real.txt") == 0o640)
        #expect(folder.names() == ["jar.txt", "real.txt"])
    }

    @Test("a file that is not read keeps its cookies")
    func savedOnly() throws {
        try folder.write("example.com\tFALSE\t/\tFALSE\t4102444800\told\t1\n", to: "jar.txt")
        let storage = HTTPCookieStorage(
            path: folder.path("jar.txt"),
            isRead: false,
            keepsSessionCookies: false
        )
        #expect(storage.names == [])
        storage.setCookie(cookie("new", expires: farAhead))
        storage.flush()
        #expect(try HTTPCookieStorage.cookies(inFile: folder.path("jar.txt")).cookies.count == 2)
    }

    @Test("policies apply to cookies of servers, and of setCookies")
    func policies() throws {
        let document = try url("http://www.example.com/")
        let storage = HTTPCookieStorage()
        storage.cookieAcceptPolicy = .onlyFromMainDocumentDomain
        func set(_ name: String, _ host: String) throws {
            storage.setCookies(
                [cookie(name)],
                for: try url("http://\(host)/"),
                mainDocumentURL: document
            )
        }
        try set("same", "www.example.com")
        try set("below", "a.www.example.com")
        try set("above", "example.com")
        try set("beside", "ads.example.net")
        #expect(storage.names == ["same", "below", "above"])
        storage.cookieAcceptPolicy = .never
        try set("never", "www.example.com")
        #expect(storage.names == ["same", "below", "above"])
        storage.removeCookies(since: .distantPast)
        #expect(storage.names == [])
    }
}
