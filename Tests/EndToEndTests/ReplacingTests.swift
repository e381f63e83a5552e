import Glibc
import TestSupport
import Testing

@Suite("Files that a download replaces", .timeLimit(.minutes(2)))
struct ReplacingTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func mode(_ name: String) -> mode_t? {
        var status = stat()
        return lstat(folder.path(name), &status) == 0 ? status.st_mode & 0o7777 : nil
    }

    @Test("T-07 a 304 leaves the file unchanged, makes none, and is a success")
    func notModified() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 304 Not Modified\r\nETag: \"x\"\r\n\r\n")
        }
        _ = try folder.write("good", to: "kept")
        let replaced = try await FetchProcess.run("-O", "kept", server.url("/new"), in: folder)
        #expect(replaced.status == 0)
        #expect(folder.readText("kept") == "good")
        let fresh = try await FetchProcess.run(server.url("/new"), in: folder)
        #expect(fresh.status == 0)
        #expect(fresh.stderr.contains("not modified"))
        #expect(folder.names() == ["kept"])
    }

    @Test(
        "T-07 the new file gets the old file's mode",
        arguments: [0o600, 0o755, 0o640] as [mode_t]
    )
    func keepsMode(mode old: mode_t) async throws {
        let path = try folder.write("old", to: "file")
        chmod(path, old)
        let url = try Nginx.shared.url("/files/hello.txt")
        let result = try await FetchProcess.run("-O", "file", url, in: folder)
        #expect(result.status == 0)
        #expect(folder.readText("file") == "Hello, world!\n")
        #expect(mode("file") == old)
    }

    @Test("T-07 an empty part that the user had gives no bits that the umask forbids")
    func partsMode() async throws {
        chmod(try folder.write("", to: "file.part"), 0o666)
        let url = try Nginx.shared.url("/files/hello.txt")
        let result = try await FetchProcess.run("-O", "file", url, in: folder)
        #expect(result.status == 0)
        #expect(mode("file") == 0o644)
    }

    @Test("T-07 -O follows a link and keeps it; a link in the part file's place is never followed")
    func followsLink() async throws {
        _ = try folder.write("old", to: "real")
        symlink("real", folder.path("link"))
        let url = try Nginx.shared.url("/files/hello.txt")
        let result = try await FetchProcess.run("-O", "link", url, in: folder)
        #expect(result.status == 0)
        #expect(folder.readText("real") == "Hello, world!\n")
        var status = stat()
        lstat(folder.path("link"), &status)
        #expect(status.st_mode & S_IFMT == S_IFLNK)
    }

    @Test(
        "T-07 fetch writes to a name of the file system's maximum length",
        arguments: [250, 251, 255]
    )
    func longName(length: Int) async throws {
        let name = String(repeating: "n", count: length)
        let url = try Nginx.shared.url("/files/hello.txt")
        let result = try await FetchProcess.run("-O", name, url, in: folder)
        #expect(result.status == 0)
        #expect(folder.names() == [name])
    }

    @Test("fetch refuses an argument that is not UTF-8, and sends or writes nothing")
    func notUTF8() async throws {
        let server = try SocketServer { try $0.respond() }
        let result = try await FetchProcess.shell(
            #""$FETCH" -d "$(printf 'caf\351')" "$1""#,
            server.url(),
            in: folder
        )
        #expect(result.status == 2)
        #expect(result.stderr.contains("argument 2 is not UTF-8"))
        #expect(server.connectionCount == 0)
        #expect(folder.names() == [])
    }

    @Test(
        "a closed standard input does not count as an empty body, by whatever name",
        arguments: ["--upload-file -", "--upload-file /dev/stdin", "-d @-", "-d @/dev/stdin"]
    )
    func closedInput(flags: String) async throws {
        let server = try SocketServer { connection in
            _ = try connection.readBody(connection.readHead())
            try connection.respond()
        }
        let result = try await FetchProcess.shell(
            "\"$FETCH\" \(flags) \"$1\" <&-",
            server.url(),
            in: folder
        )
        #expect(result.status == 3)
    }

    @Test("S-05 --max-time also ends a run whose output is not read")
    func blockedOutput() async throws {
        let url = try Nginx.shared.url(try Nginx.shared.addLargeFile("blocked.bin", size: 8 << 20))
        let result = try await FetchProcess.shell(
            #"mkfifo f; sleep 30 <>f >f & "$FETCH" -q --max-time 1 -O - "$1" >f; s=$?; kill $!; exit $s"#,
            url,
            in: folder
        )
        #expect(result.status == 124)
    }

    @Test(
        "fetch never prints a user or password of a redirect or a proxy",
        arguments: [
            "ftp://us:s3cret@h/x", "http://us:s3cret@[::bad/", "http://us:s3/cret@host.invalid/",
        ]
    )
    func secrets(location: String) async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond("302 Found", ["Location: \(location)"])
        }
        let result = try await FetchProcess.run("-vv", "-S", server.url(), in: folder)
        #expect(result.status != 0)
        #expect(!result.stderr.contains("s3cret"))
        #expect(!result.stderr.contains("cret@"))
        let proxied = try await FetchProcess.run(
            server.url(),
            in: folder,
            environment: ["http_proxy": "foo://usr:s3cret@127.0.0.1:1"]
        )
        #expect(proxied.status != 0)
        #expect(!proxied.stderr.contains("s3cret"))
    }

    @Test("a host name may have letters beyond ASCII", arguments: ["bücher.invalid", "例え.invalid"])
    func international(host: String) async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond(body: "x")
        }
        let ascii = [
            "bücher.invalid": "xn--bcher-kva.invalid", "例え.invalid": "xn--r8jz45g.invalid",
        ]
        let name = try #require(ascii[host])
        let result = try await FetchProcess.run(
            "-qO-",
            "--resolve",
            "\(name):\(server.port):127.0.0.1",
            "http://\(host):\(server.port)/",
            in: folder,
            environment: ["LC_ALL": "C"]
        )
        #expect(result.status == 0, "\(result.stderr)")
        #expect(server.heads.first?["Host"] == "\(name):\(server.port)")
    }
}
