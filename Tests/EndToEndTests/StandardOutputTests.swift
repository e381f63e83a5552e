import Foundation
import TestSupport
import Testing

/// Bodies on standard output, and all messages on standard error.
@Suite("Standard output", .timeLimit(.minutes(2)))
struct StandardOutputTests {
    @Test("T-02 -O - writes the body and nothing else, and makes no file")
    func body() async throws {
        let nginx = try Nginx.shared
        let path = try nginx.addLargeFile("stdout-body", size: 3_000_000, seed: 3)
        let result = try await FetchProcess.run("-vv", "-S", "-O", "-", nginx.url(path))
        #expect(result.status == 0, "\(result)")
        #expect(isSameBytes(result.stdout, PseudoRandom.bytes(3_000_000, seed: 3)))
        #expect(result.folder.names() == [])
        #expect(result.home.names() == [".cache"])
    }

    @Test("the bodies of several URLs are written one after the other, in order")
    func order() async throws {
        let server = try SocketServer { connection in
            while let head = try connection.nextHead() {
                try connection.respond(body: head.target)
            }
        }
        let result = try await FetchProcess.run(
            "-qO-",
            server.url("/1"),
            server.url("/2"),
            server.url("/3")
        )
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText == "/1/2/3")
        #expect(server.heads.map(\.target).sorted() == ["/1", "/2", "/3"])
    }

    @Test("fetch writes a body as it arrives, and not at its end")
    func streams() async throws {
        let gate = Gate()
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfirst")
            try gate.wait()
            try connection.send("later")
        }
        let process = try FetchProcess(["-O", "-", server.url()]).start()
        #expect(try await process.waitForStdout(bytes: 5) == Array("first".utf8))
        gate.open()
        #expect(try await process.wait().stdoutText == "firstlater")
    }

    @Test("a reader that closes early ends the program by SIGPIPE, without a message")
    func closedEarly() async throws {
        let nginx = try Nginx.shared
        let path = try nginx.addLargeFile("stdout-early", size: 20_000_000)
        let result = try await FetchProcess.shell(
            #"{ "$FETCH" -O - "$1"; echo "status $?" >&2; } | head -c 10 | wc -c"#,
            nginx.url(path)
        )
        #expect(result.stdoutText == "10\n")
        #expect(result.stderr == "status 141\n")
    }

    @Test("a reader that closes before the first byte ends the program in the same way")
    func closedBefore() async throws {
        let result = try await FetchProcess.shell(
            #"{ "$FETCH" -O - "$1"; echo "status $?" >&2; } | :"#,
            Nginx.shared.url("/files/hello.txt")
        )
        // `:` may end before or after the body is written, which decides between the two.
        #expect(["status 141\n", "status 0\n"].contains(result.stderr))
    }

    @Test("a slow reader gets every byte")
    func slowReader() async throws {
        let nginx = try Nginx.shared
        let path = try nginx.addLargeFile("stdout-slow", size: 8_000_000, seed: 5)
        let result = try await FetchProcess.shell(
            #"""
            "$FETCH" -T 10 -O - "$1" | {
                dd bs=1k count=1 iflag=fullblock status=none; sleep 0.3; cat
            } | sha256sum
            """#,
            nginx.url(path)
        )
        #expect(result.status == 0, "\(result)")
        #expect(
            try result.stdoutText.hasPrefix(sha256(PseudoRandom.bytes(8_000_000, seed: 5))),
            "\(result)"
        )
    }

    @Test("a reader that does not read does not delay another URL's download to a file")
    func stuckReader() async throws {
        let nginx = try Nginx.shared
        let path = try nginx.addLargeFile("stdout-stuck", size: 8_000_000, seed: 6)
        let folder = try TemporaryFolder("stdout")
        #expect(mkfifo(folder.path("fifo"), 0o600) == 0)
        let reader = open(folder.path("fifo"), O_RDWR | O_CLOEXEC)
        defer { close(reader) }
        let process = try FetchProcess(
            shell: #"exec "$FETCH" -q -O - "$1" -O one "$1" -O two "$1" >fifo"#,
            [nginx.url(path)],
            in: folder
        ).start()
        // The files exist while the first body is blocked.
        #expect(await eventually { folder.exists("one") && folder.exists("two") })
        #expect(process.isRunning)
        let reading = FileHandle(fileDescriptor: reader, closeOnDealloc: false)
        var got = Data()
        // The read waits for the requested number of bytes.
        while got.count < 8_000_000,
            let piece = try reading.read(upToCount: min(65_536, 8_000_000 - got.count))
        {
            got += piece
        }
        let result = try await process.wait()
        #expect(result.status == 0, "\(result)")
        #expect(Array(got) == PseudoRandom.bytes(8_000_000, seed: 6))
    }

    @Test("-I prints the head, also of a response that announces a body", arguments: ["-I", "-X"])
    func head(flag: String) async throws {
        let nginx = try Nginx.shared
        let arguments = flag == "-X" ? ["-X", "HEAD"] : [flag]
        let result = try await FetchProcess(arguments + [nginx.url("/files/hello.txt")]).run()
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(result.stdoutText.contains("\r\nContent-Length: 14\r\n"))
        #expect(result.stdoutText.hasSuffix("\r\n\r\n"))
        #expect(result.folder.names() == [])
    }

    @Test("fetch reads standard input only when a flag requests it")
    func standardInputIsLeftAlone() async throws {
        let result = try await FetchProcess.shell(
            #"while read -r word; do "$FETCH" -qO - "$1"; echo "$word"; done"#,
            Nginx.shared.url("/files/hello.txt"),
            input: .text("one\ntwo\n")
        )
        #expect(result.stdoutText == "Hello, world!\none\nHello, world!\ntwo\n")
        let open = try FetchProcess(
            ["-qO-", Nginx.shared.url("/files/hello.txt")],
            input: .pipe
        ).start()
        #expect(try await open.wait().stdoutText == "Hello, world!\n")
    }
}
