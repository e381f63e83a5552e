import Foundation
import TestSupport
import Testing

/// The time, order and destination of the reports of `--write-out`.
@Suite("Delivery of --write-out", .timeLimit(.minutes(1)))
struct WriteOutDeliveryTests {
    @Test("each task has one report after its body, in order, whatever its outcome")
    func severalTasks() async throws {
        let nginx = try Nginx.shared
        let refusing = try RefusingPort()
        let result = try await FetchProcess.run(
            "-qO-",
            "--write-out",
            #"%{urlnum}:%{http_code}:%{exitcode}%{onerror}:%{errormsg}\n"#,
            nginx.url("/redirect/chain/1"),
            nginx.url("/status/404"),
            refusing.url(),
            nginx.url("/redirect/chain/0")
        )
        let lines = result.stdoutText.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 5)
        #expect(lines.first == "end of chain")
        // The text after %{onerror}, including the line end, is for failures.
        #expect(lines[1] == "0:200:01:404:8:404 Not Found", "\(lines)")
        #expect(lines[2].hasPrefix("2:000:4:cannot connect"), "\(lines)")
        #expect(lines[3] == "end of chain")
        #expect(lines[4] == "3:200:0")
        #expect(result.status == 4)
    }

    @Test("the report has the file's final name, and only the last attempt is reported")
    func fileNames() async throws {
        let nginx = try Nginx.shared
        let folder = try TemporaryFolder("write-out")
        let url = nginx.url("/files/hello.txt")
        for name in ["hello.txt", "hello.txt.1"] {
            let result = try await FetchProcess.run(
                "-q",
                "--write-out",
                "%{filename_effective}",
                url,
                in: folder
            )
            #expect(result.stdoutText == name, "\(result)")
        }
    }

    @Test("output goes to the destinations in the format, and files are emptied or appended to")
    func outputs() async throws {
        let url = try Nginx.shared.url("/files/hello.txt")
        let folder = try TemporaryFolder("write-out")
        try folder.write("old", to: "fresh")
        try folder.write("old ", to: "added")
        let result = try await FetchProcess.run(
            "-q",
            "-O",
            "/dev/null",
            "--write-out",
            "a%{stderr}b\\n%output{fresh}c%output{>>added}d%{stdout}e",
            url,
            in: folder
        )
        #expect(result.stdoutText == "ae", "\(result)")
        #expect(result.stderr == "b\n")
        #expect(folder.readText("fresh") == "c")
        #expect(folder.readText("added") == "old d")
        let failed = try await FetchProcess.run(
            "-qO/dev/null",
            "--write-out",
            "%output{none/x}y",
            url
        )
        #expect(failed.status == 3, "\(failed)")
        #expect(failed.stderr.contains("--write-out: "))
    }

    @Test("a closed reader of reports ends the run like a closed reader of bodies")
    func closedPipe() async throws {
        let url = try Nginx.shared.url("/files/hello.txt")
        let result = try await FetchProcess.shell(
            #"("$FETCH" -q -O /dev/null --write-out x "$1" "$1"; echo $? >status) | :; cat status"#,
            url
        )
        #expect(["141\n", "0\n"].contains(result.stdoutText), "\(result)")
        let full = try await FetchProcess.shell(
            #"exec "$FETCH" -q -O /dev/null --write-out x "$1" >/dev/full"#,
            url
        )
        #expect(full.status == 3, "\(full)")
    }

    @Test(
        "a reader that does not read delays no transfer, and a signal leaves parts to continue",
        arguments: [true, false]
    )
    func stuckReader(isRead: Bool) async throws {
        let gate = Gate()
        let server = try SocketServer { connection in
            while let head = try connection.nextHead() {
                guard head.target == "/late" else {
                    try connection.respond(body: head.target)
                    continue
                }
                try connection.send(
                    "HTTP/1.1 200 OK\r\nContent-Length: 9\r\nETag: \"e\"\r\n\r\nhalf, "
                )
                try gate.wait()
                try connection.send("all")
            }
        }
        let folder = try TemporaryFolder("write-out")
        #expect(mkfifo(folder.path("fifo"), 0o600) == 0)
        let reader = open(folder.path("fifo"), O_RDWR | O_CLOEXEC)
        defer { close(reader) }
        let process = try FetchProcess(
            shell: #"""
                head -c 65536 /dev/zero >fifo
                exec "$FETCH" -q --write-out '%{urlnum},' "$1/one" "$1/two" "$1/late" >fifo
                """#,
            [server.url("")],
            in: folder
        ).start()
        try #require(await eventually { folder.exists("one") && folder.exists("two") })
        guard isRead else {
            try #require(await eventually { folder.exists("late.part") })
            process.interrupt()
            #expect(try await process.wait().signal == SIGINT)
            #expect(folder.exists("late.part.resume"))
            return gate.open()
        }
        gate.open()
        try #require(await eventually { folder.readText("late") == "half, all" })
        #expect(process.isRunning)
        var got = [UInt8](repeating: 0, count: 65_536 + 6)
        var count = 0
        while count < got.count {
            let more = got.withUnsafeMutableBytes { bytes in
                read(reader, bytes.baseAddress?.advanced(by: count), bytes.count - count)
            }
            guard more > 0 else { break }
            count += more
        }
        let result = try await process.wait()
        #expect(result.status == 0, "\(result)")
        let words = String(decoding: got[65_536..<count], as: UTF8.self)
        #expect(words.split(separator: ",").sorted() == ["0", "1", "2"], "\(words)")
    }
}
