import Foundation
import TestSupport
import Testing

/// `--error-body`: fetch saves the bodies of errors in their own file.
@Suite("Bodies of errors", .timeLimit(.minutes(1)))
struct ErrorBodyTests {
    @Test("--error-body saves an error's body elsewhere, and the exit status remains 8")
    func errorBody() async throws {
        let url = try Nginx.shared.url("/status/500")
        for more in [["-O", "out"], ["-O", "-"], ["-O", "-", "-d", "x"], ["--auto"]] {
            let folder = try TemporaryFolder("error-body")
            try folder.write("old", to: "err")
            try folder.write("mine", to: "out")
            let result = try await FetchProcess(
                ["-t1", "--error-body", "err", url] + more,
                in: folder
            ).run()
            #expect(result.status == 8, "\(result)")
            #expect(folder.readText("err") == "status 500\n", "\(more)")
            #expect(folder.readText("out") == "mine")
            #expect(folder.names().sorted() == ["err", "out"])
            #expect(result.stdout == [])
            #expect(result.stderrLines == ["fetch: \(url): 500 Internal Server Error"])
        }
        let good = try Nginx.shared.url("/files/hello.txt")
        let result = try await FetchProcess.run("-q", "--error-body", "err", "-O", "out", good)
        #expect(result.folder.names() == ["out"])
    }

    @Test("--error-body may be a device, and a truncated body leaves the old file unchanged")
    func errorBodyElsewhere() async throws {
        let url = try Nginx.shared.url("/status/404")
        let result = try await FetchProcess.shell(
            "\"$FETCH\" -q --error-body /dev/fd/3 -O - \"$1\" 3>&1 >/dev/null",
            url
        )
        #expect(result.status == 8, "\(result)")
        #expect(result.stdoutText == "status 404\n")
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 503 No\r\nContent-Length: 100\r\n\r\nshort")
        }
        let folder = try TemporaryFolder("error-short")
        try folder.write("old", to: "err")
        let short = try await FetchProcess.run(
            "-q",
            "-t",
            "1",
            "--error-body",
            "err",
            "-O",
            "out",
            server.url(),
            in: folder
        )
        #expect(short.status == 8, "\(short)")
        #expect(short.stderr.contains(": 503 "), "\(short)")
        #expect(short.stderr.contains("warning: \(server.url()): the error's body"), "\(short)")
        #expect(folder.readText("err") == "old")
        #expect(folder.names() == ["err"])
        try server.verify()
    }

    @Test("--error-body to a FIFO without a reader delays no other URL, and one signal is enough")
    func unreadErrorBody() async throws {
        let hasFailed = Gate()
        let server = try SocketServer { connection in
            while let head = try connection.nextHead() {
                guard head.target == "/good" else {
                    try connection.send("HTTP/1.1 404 No\r\nContent-Length: 5\r\n\r\nerror")
                    hasFailed.open()
                    continue
                }
                try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf, ")
                try hasFailed.wait()
                try connection.send("all")
            }
        }
        let folder = try TemporaryFolder("error-unread")
        #expect(mkfifo(folder.path("fifo"), 0o600) == 0)
        let process = try FetchProcess(
            ["-q", "--error-body", "fifo", server.url("/bad"), server.url("/good")],
            in: folder
        ).start()
        try #require(await eventually { folder.readText("good") == "half, all" })
        #expect(process.isRunning)
        process.interrupt()
        #expect(try await process.wait().signal == SIGINT)
    }

    @Test("--error-body to a FIFO writes the bodies of all errors, and then one end")
    func readErrorBodies() async throws {
        let url = try Nginx.shared.url("/status/404")
        let result = try await FetchProcess.shell(
            #"mkfifo q; "$FETCH" -q --error-body q -O - "$1" "$1" "$1" 2>/dev/null & cat q; wait $!"#,
            url
        )
        #expect(result.status == 8, "\(result)")
        #expect(result.stdoutText == String(repeating: "status 404\n", count: 3))
    }
}
