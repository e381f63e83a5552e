import TestSupport
import Testing

/// `-N`: fetch downloads changed files only.
@Suite("Timestamping", .timeLimit(.minutes(1)))
struct TimestampingTests {
    @Test(
        "-N sends tag and date, keeps a file equal to the server's, and replaces any other",
        arguments: ["\"1\"", "W/\"1\""]
    )
    func conditions(tag: String) async throws {
        let origin = try TaggedOrigin(tag: tag)
        let url = origin.server.url("/name")
        let first = try await FetchProcess.run("-N", url)
        #expect(first.status == 0, "\(first)")
        #expect(first.folder.readText("name") == "the first")
        #expect(origin.server.heads.last?["If-None-Match"] == nil)
        #expect(origin.server.heads.last?["If-Modified-Since"] == nil)
        let second = try await FetchProcess.run("-N", url, in: first.folder)
        #expect(second.status == 0, "\(second)")
        #expect(second.stderr.contains("not modified"), "\(second)")
        #expect(origin.server.heads.last?["If-None-Match"] == tag)
        #expect(origin.server.heads.last?["If-Modified-Since"] == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(first.folder.names() == ["name"])
        #expect(first.folder.modified("name") == 784_111_777)
        origin.changed.open()
        let third = try await FetchProcess.run("-N", url, in: first.folder)
        #expect(third.status == 0, "\(third)")
        #expect(first.folder.readText("name") == "the second")
        #expect(first.folder.names() == ["name"])
        let fourth = try await FetchProcess.run("-N", "-O", "name", url, in: first.folder)
        #expect(fourth.status == 0, "\(fourth)")
        #expect(fourth.stderr.contains("not modified"))
        #expect(origin.server.requestCount == 4)
        try origin.server.verify()
    }

    @Test("-N keeps a date of the year 2300, and a later run can compare and upload the file")
    func farDate() async throws {
        let server = try SocketServer { connection in
            while let head = try connection.nextHead() {
                if head["Content-Length"] != nil { _ = try connection.readBody(head) }
                try connection.respond(
                    "200 OK",
                    ["Last-Modified: Mon, 01 Jan 2300 00:00:00 GMT", "ETag: \"1\""],
                    body: "far"
                )
            }
        }
        let url = server.url("/name")
        let folder = try TemporaryFolder("far")
        for arguments in [["-N", url], ["-N", url], ["--upload-file", "name", "-O", "-", url]] {
            let result = try await FetchProcess(arguments, in: folder).run()
            #expect(result.status == 0, "\(arguments) \(result)")
            #expect(folder.readText("name") == "far")
        }
    }

    @Test("-N against nginx uses tag and date, notices a change, and adds no number to the name")
    func nginx() async throws {
        let nginx = try Nginx.shared
        _ = try nginx.addFile("stamp.txt", text: "one", modified: 1_700_000_000)
        let url = nginx.url("/files/stamp.txt?stamp")
        let folder = try TemporaryFolder("stamp")
        for expected in ["one", "one", "two", "two"] {
            if expected == "two", folder.readText("stamp.txt") == "one" {
                _ = try nginx.addFile("stamp.txt", text: "two", modified: 1_700_000_100)
            }
            let result = try await FetchProcess.run("-N", url, in: folder)
            #expect(result.status == 0, "\(result)")
            #expect(folder.readText("stamp.txt") == expected)
            #expect(folder.names() == ["stamp.txt"])
        }
        let statuses = await nginx.accessLog("/files/stamp.txt?stamp", waitingFor: 4).map(\.status)
        #expect(statuses == [200, 304, 200, 304])
        #expect(folder.modified("stamp.txt") == 1_700_000_100)
    }

    @Test("-N compares the time and length of a file that fetch has not made")
    func foreign() async throws {
        let nginx = try Nginx.shared
        _ = try nginx.addFile("foreign.txt", text: "the whole", modified: 1_700_000_000)
        let folder = try TemporaryFolder("stamp")
        try folder.write("THE WHOLE", to: "foreign.txt")
        try folder.setModified(1_700_000_000, of: "foreign.txt")
        let url = nginx.url("/files/foreign.txt?foreign")
        let same = try await FetchProcess.run("-N", "-O", "foreign.txt", url, in: folder)
        #expect(same.status == 0, "\(same)")
        #expect(folder.readText("foreign.txt") == "THE WHOLE")
        // A time older than the server's.
        try folder.setModified(1_600_000_000, of: "foreign.txt")
        let old = try await FetchProcess.run("-N", "-O", "foreign.txt", url, in: folder)
        #expect(old.status == 0, "\(old)")
        #expect(folder.readText("foreign.txt") == "the whole")
        // A part of another program, with a time that shows no change since the server's.
        try folder.write("the", to: "part.txt")
        try folder.setModified(1_700_000_000, of: "part.txt")
        let part = try await FetchProcess.run("-N", "-O", "part.txt", url, in: folder)
        #expect(part.status == 0, "\(part)")
        #expect(folder.readText("part.txt") == "the whole")
        #expect(part.stderr.contains("part.txt has 3 of 9 bytes, and is fetched again"))
        let entries = await nginx.accessLog("/files/foreign.txt?foreign", waitingFor: 6)
        #expect(
            entries.map { "\($0.method) \($0.status)" } == [
                "GET 304", "HEAD 200", "GET 200", "GET 304", "HEAD 200", "GET 200",
            ]
        )
    }

    @Test("-N requests the length again if the server is busy, and obeys Retry-After")
    func busyLength() async throws {
        let folder = try TemporaryFolder("stamp")
        try folder.write("THE WHOLE", to: "file")
        let isBusy = Switch()
        let server = try SocketServer { connection in
            while let head = try connection.nextHead() {
                if head.method != "HEAD" {
                    try connection.send("HTTP/1.1 304 Not Modified\r\n\r\n")
                } else if isBusy.isOpen {
                    try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n")
                } else {
                    isBusy.open()
                    try connection.send(
                        "HTTP/1.1 503 Busy\r\nRetry-After: 1\r\nContent-Length: 4\r\n\r\n"
                    )
                }
            }
        }
        let url = server.url("/file")
        let result = try await FetchProcess.run("-N", "--waitretry", "0.05", url, in: folder)
        #expect(result.status == 0, "\(result)")
        #expect(result.stderr.contains("503"), "\(result)")
        #expect(result.stderr.contains("trying again in 1.0 s"), "\(result)")
        #expect(server.heads.map(\.method) == ["GET", "HEAD", "GET", "HEAD"])
        let stays = try SocketServer { connection in
            while let head = try connection.nextHead() {
                try connection.send(
                    head.method == "HEAD"
                        ? "HTTP/1.1 503 Busy\r\nContent-Length: 4\r\n\r\n"
                        : "HTTP/1.1 304 Not Modified\r\n\r\n"
                )
            }
        }
        let failed = try await FetchProcess.run(
            "-N",
            "-t",
            "2",
            "--waitretry",
            "0.05",
            stays.url("/file"),
            in: folder
        )
        #expect(failed.status == 8, "\(failed)")
        #expect(folder.readText("file") == "THE WHOLE")
    }

    @Test("-N: tasks with one file name run one after the other, and fetch the file once")
    func oneName() async throws {
        let origin = try TaggedOrigin(tag: "\"1\"")
        let folder = try TemporaryFolder("stamp")
        let url = origin.server.url("/name")
        let result = try await FetchProcess(
            ["-N", "-j", "4"] + Array(repeating: url, count: 4),
            in: folder
        ).run()
        #expect(result.status == 0, "\(result)")
        #expect(folder.names() == ["name"])
        #expect(folder.readText("name") == "the first")
        #expect(origin.server.heads.count { $0["If-None-Match"] == nil } == 1)
        #expect(origin.server.requestCount == 4)
    }

    @Test(
        "-N conflicts with flags that make no file",
        arguments: [
            ["-O", "-"], ["-I"], ["-X", "POST"], ["-O", "/dev/null"],
            ["-H", "If-None-Match: x"],
        ]
    )
    func conflicts(flags: [String]) async throws {
        let result = try await FetchProcess(["-N"] + flags + ["http://127.0.0.1:1/"]).run()
        #expect(result.status == 2, "\(result)")
        #expect(result.stderr.contains("--timestamping"))
    }

    @Test("a download by -N continues after an interruption like any other")
    func retried() async throws {
        let bytes = PseudoRandom.bytes(400_000)
        let server = try SocketServer { connection in
            while let head = try connection.nextHead() {
                let fields = "ETag: \"e\"\r\nAccept-Ranges: bytes\r\n"
                guard let range = head["Range"] else {
                    try connection.send(
                        "HTTP/1.1 200 OK\r\nContent-Length: \(bytes.count)\r\n\(fields)\r\n"
                    )
                    try connection.send(Array(bytes[..<200_000]))
                    return
                }
                let start = Int(range.dropFirst(6).dropLast()) ?? 0
                #expect(head["If-Modified-Since"] == nil)
                try connection.respond(
                    "206 Partial Content",
                    [
                        "ETag: \"e\"",
                        "Content-Range: bytes \(start)-\(bytes.count - 1)/\(bytes.count)",
                    ],
                    body: Array(bytes[start...])
                )
            }
        }
        let folder = try TemporaryFolder("stamp")
        try folder.write("old", to: "name")
        try folder.setModified(1_000_000_000, of: "name")
        let result = try await FetchProcess.run("-N", "-O", "name", server.url(), in: folder)
        #expect(result.status == 0, "\(result)")
        #expect(server.heads.first?["If-Modified-Since"] != nil)
        #expect(server.heads.last?["Range"] != nil)
        #expect(folder.read("name")?.elementsEqual(bytes) == true)
    }
}
