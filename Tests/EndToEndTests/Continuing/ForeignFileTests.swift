import Foundation
import TestSupport
import Testing

/// Files that the download must neither write to nor replace.
@Suite("Files that -c must not change", .timeLimit(.minutes(1)))
struct ForeignFileTests {
    private let folder: TemporaryFolder
    private let bytes = PseudoRandom.bytes(200_000)

    init() throws {
        folder = try TemporaryFolder("foreign")
    }

    private func address(_ name: String) throws -> String {
        let nginx = try Nginx.shared
        return try nginx.url(nginx.addFile(name, bytes: bytes, modified: 1_000_000_000))
    }

    private func run(_ arguments: String...) async throws -> ProcessResult {
        try await FetchProcess(arguments, in: folder).run()
    }

    /// A server of the bytes that cuts every response.
    private func cutting() throws -> SocketServer {
        var file = ServedFile(bytes)
        file.cutAfter = 50_000
        return try SocketServer { [file] in try file.serve($0) }
    }

    @Test("T-15 fetch obeys Retry-After when the server is busy during the comparison of a part")
    func busy() async throws {
        try folder.write(Array(bytes.prefix(100_000)), to: "file.part")
        let file = ServedFile(bytes)
        let server = try SocketServer { connection in
            guard connection.number > 0 else {
                _ = try connection.readHead()
                return try connection.respond("503 Busy", ["Retry-After: 1"], body: "busy")
            }
            try file.serve(connection)
        }
        let result = try await run("-c", "--waitretry", "0.05", "-O", "file", server.url())
        #expect(result.status == 0, "\(result)")
        #expect(result.stderr.contains("trying again in 1.0 s"), "\(result)")
        #expect(isSameBytes(folder.read("file"), bytes))
        #expect(
            server.heads.map { $0.values("Range").first } == [
                "bytes=34464-99999", "bytes=34464-99999", "bytes=100000-",
            ]
        )
    }

    @Test("T-08 fetch compares a part that another program overwrote in place, and starts over")
    func overwritten() async throws {
        let nginx = try Nginx.shared
        try nginx.addLargeFile("foreign-overwritten", size: 2_000_000)
        let url = nginx.url("/slow/foreign-overwritten?rate=100000")
        let process = try FetchProcess(["-O", "file", url], in: folder).start()
        #expect(await eventually { folder.size("file.part") ?? 0 > 80_000 })
        process.interrupt()
        _ = try await process.wait()
        #expect(folder.exists("file.part.resume"))
        let part = try #require(FileHandle(forWritingAtPath: folder.path("file.part")))
        try part.seek(toOffset: try part.seekToEnd() - 1_000)
        try part.write(contentsOf: Data(repeating: 7, count: 100))
        try part.close()
        let fast = try await run("-c", "-U", "hurry", "-O", "file", url)
        #expect(fast.status == 0, "\(fast)")
        #expect(isSameBytes(folder.read("file"), PseudoRandom.bytes(2_000_000)))
    }

    @Test(
        "T-08 fetch neither trusts nor writes to a part with a second hard link",
        arguments: [true, false]
    )
    func hardLink(continues: Bool) async throws {
        try folder.write("precious", to: "victim")
        link(folder.path("victim"), folder.path("file.part"))
        let flags = continues ? ["-c"] : []
        let result = try await FetchProcess(
            flags + ["-O", "file", try address("foreign-link-\(continues)")],
            in: folder
        ).run()
        #expect(result.status == 3, "\(result)")
        #expect(result.stderr.contains("has a second hard link"))
        #expect(folder.readText("victim") == "precious")
    }

    @Test("T-08 fetch neither trusts nor writes to a part of another user", .needs(.root))
    func otherUser() async throws {
        try folder.write(Array(bytes.prefix(50_000)), to: "file.part")
        chown(folder.path("file.part"), 65_534, 65_534)
        let result = try await run("-c", "-O", "file", try address("foreign-user"))
        #expect(result.status == 3, "\(result)")
        #expect(result.stderr.contains("belongs to another user"))
        #expect(!folder.exists("file"))
    }

    @Test("T-08 an empty part is ignored")
    func emptyPart() async throws {
        try folder.write(Array(bytes.prefix(50_000)), to: "file")
        try folder.write("", to: "file.part")
        let result = try await run("-c", "-O", "file", try address("foreign-empty"))
        #expect(result.status == 0, "\(result)")
        #expect(isSameBytes(folder.read("file"), bytes))
        #expect(folder.names() == ["file"])
    }

    @Test("T-08 fetch replaces a file with other content under a derived name too")
    func derivedName() async throws {
        let others = ["something else", "", String(repeating: "longer", count: 100_000)]
        for (number, text) in others.enumerated() {
            let name = "foreign-derived-\(number)"
            try folder.write(text, to: name)
            let result = try await run("-c", try address(name))
            #expect(result.status == 0, "\(result)")
            #expect(isSameBytes(folder.read(name), bytes))
            #expect(!folder.exists("\(name).1"))
        }
        try folder.write(Array(bytes.prefix(50_000)), to: "foreign-beginning")
        let continued = try await run("-c", try address("foreign-beginning"))
        #expect(continued.status == 0, "\(continued)")
        #expect(isSameBytes(folder.read("foreign-beginning"), bytes))
    }

    @Test("a response without ranges replaces the file, and an error status leaves it")
    func noRanges() async throws {
        let server = try SocketServer { [bytes] connection in
            let head = try connection.readHead()
            guard head.target == "/file" else { return try connection.respond("500 No") }
            try connection.respond(body: bytes)
        }
        try folder.write(Array(bytes.prefix(50_000)), to: "file")
        let result = try await run("-c", server.url("/file"))
        #expect(result.status == 0, "\(result)")
        #expect(isSameBytes(folder.read("file"), bytes))
        #expect(folder.names() == ["file"])
        try folder.write("mine", to: "other")
        let failed = try await run("-c", "-t1", server.url("/other"))
        #expect(failed.status == 8, "\(failed)")
        #expect(folder.readText("other") == "mine")
    }

    @Test(
        "a URL with a new signature is continued with the same strong tag, and else starts over",
        arguments: ["\"one\"", "W/\"one\"", "\"two\""]
    )
    func signedAnew(tag: String) async throws {
        let server = try SocketServer { [bytes] connection in
            let head = try connection.readHead()
            guard head.target == "/file?sign=2" else {
                try connection.send(
                    "HTTP/1.1 200 OK\r\nETag: \"one\"\r\nContent-Length: \(bytes.count)\r\n\r\n"
                )
                return try connection.send(Array(bytes.prefix(60_000)))
            }
            if let range = head["Range"], head["If-Range"] == tag {
                let from = try #require(Int(range.dropFirst("bytes=".count).dropLast()))
                let part = "Content-Range: bytes \(from)-\(bytes.count - 1)/\(bytes.count)"
                try connection.respond(
                    "206 Partial Content",
                    ["ETag: \(tag)", part],
                    body: Array(bytes[from...])
                )
            } else {
                try connection.respond("200 OK", ["ETag: \(tag)"], body: bytes)
            }
        }
        let first = try await run("-t1", "-O", "file", server.url("/file?sign=1"))
        #expect(first.status == 4, "\(first)")
        let second = try await run("-c", "-O", "file", server.url("/file?sign=2"))
        #expect(second.status == 0, "\(second)")
        #expect(isSameBytes(folder.read("file"), bytes))
        #expect(folder.names() == ["file"])
        #expect(
            server.heads.last?["Range"] == (tag == "\"one\"" ? "bytes=60000-" : nil)
                || tag != "\"one\""
        )
    }

    @Test("-c -N completes a short file, and downloads a newer file")
    func timestamping() async throws {
        let nginx = try Nginx.shared
        let long = 1_600_000_000
        let path = try nginx.addFile("foreign-cn", bytes: bytes, modified: long)
        let url = nginx.url(path)
        try folder.write(Array(bytes.prefix(50_000)), to: "foreign-cn")
        try folder.setModified(long, of: "foreign-cn")
        let completed = try await run("-cN", url)
        #expect(completed.status == 0, "\(completed)")
        #expect(isSameBytes(folder.read("foreign-cn"), bytes))
        let again = try await run("-c", "-N", url)
        #expect(again.status == 0)
        #expect(again.stderr.contains("not modified"), "\(again)")
        let newer = bytes.reversed() as [UInt8]
        try nginx.addFile("foreign-cn", bytes: newer, modified: long + 1_000)
        let fetched = try await run("-cN", url)
        #expect(fetched.status == 0, "\(fetched)")
        #expect(isSameBytes(folder.read("foreign-cn"), newer))
        #expect(folder.names() == ["foreign-cn"])
        let log = await nginx.accessLog(path, waitingFor: 5)
        #expect(log.contains { $0.status == 206 }, "\(log)")
    }

    @Test("T-08 the command in the message about a numbered name continues that file")
    func numberedName() async throws {
        let server = try cutting()
        try folder.write("old", to: "file")
        let first = try await run("-t", "1", server.url("/file"))
        #expect(first.status == 4, "\(first)")
        #expect(first.stderr.contains("with -c -O file.1, for this URL only, continues there"))
        let second = try await run("-c", "-O", "file.1", server.url("/file"))
        #expect(second.status == 0, "\(second)")
        #expect(folder.readText("file") == "old")
        #expect(isSameBytes(folder.read("file.1"), bytes))
    }

    @Test("T-08 a complete file that cannot be renamed remains a part, and -c renames it")
    func unmovable() async throws {
        let gate = Gate()
        var file = ServedFile(bytes)
        file.hold = (after: 100_000, gate)
        let server = try SocketServer { [file] in try file.serve($0) }
        let url = server.url()
        let process = try FetchProcess(["-O", "file", url], in: folder).start()
        #expect(await eventually { folder.exists("file.part") })
        try folder.makeFolder("file/inner")
        gate.open()
        let result = try await process.wait()
        #expect(result.status == 3, "\(result)")
        #expect(result.stderr.contains("are kept in file.part"), "\(result)")
        #expect(isSameBytes(folder.read("file.part"), bytes))
        rmdir(folder.path("file/inner"))
        rmdir(folder.path("file"))
        let again = try await run("-c", "-O", "file", url)
        #expect(again.status == 0, "\(again)")
        #expect(isSameBytes(folder.read("file"), bytes))
        #expect(folder.names() == ["file"])
    }

    @Test(
        "-c refuses a name that is no regular file before it sends anything",
        arguments: ["folder", "fifo"]
    )
    func kinds(kind: String) async throws {
        let server = try SocketServer { try ServedFile([1]).serve($0) }
        if kind == "fifo" { mkfifo(folder.path(kind), 0o600) } else { try folder.makeFolder(kind) }
        let result = try await run("-c", server.url("/\(kind)"))
        #expect(result.status == 3, "\(result)")
        #expect(server.requestCount == 0)
    }
}
