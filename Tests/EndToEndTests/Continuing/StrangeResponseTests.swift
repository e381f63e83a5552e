import Foundation
import Synchronization
import TestSupport
import Testing

/// Servers that send unexpected responses to a request for the rest of a file.
@Suite("Unexpected responses to a continued download", .timeLimit(.minutes(1)))
struct StrangeResponseTests {
    private let folder: TemporaryFolder
    private let bytes = PseudoRandom.bytes(300_000)

    init() throws {
        folder = try TemporaryFolder("strange")
    }

    private func run(_ arguments: String...) async throws -> ProcessResult {
        try await FetchProcess(arguments, in: folder).run()
    }

    /// Makes `file.part` with this many bytes, and its resume data.
    private func leavePart(
        _ count: Int,
        from served: ServedFile,
        at path: String = "/"
    ) async throws
        -> SocketServer
    {
        let isFirst = Mutex(true)
        let server = try SocketServer { connection in
            var file = served
            let cuts = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            file.cutAfter = cuts ? count : served.cutAfter
            if cuts { (file.status, file.contentRange, file.fields) = (nil, nil, []) }
            try file.serve(connection)
        }
        let first = try await run("-t", "1", "-O", "file", server.url(path))
        #expect(first.status == 4, "\(first)")
        #expect(folder.size("file.part") == count)
        return server
    }

    @Test("T-08 a 416 for the last byte of a complete part keeps the whole part")
    func unsatisfiedLastByte() async throws {
        var served = ServedFile(bytes)
        served.hasLength = false
        let server = try await leavePart(300_000, from: served)
        let refusing = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send(
                "HTTP/1.1 416 No\r\nContent-Range: bytes */300000\r\nContent-Length: 0\r\n\r\n"
            )
        }
        // Another server serves the same URL.
        let result = try await run(
            "-c",
            "-O",
            "file",
            "-x",
            "http://127.0.0.1:\(refusing.port)",
            "--noproxy",
            "x",
            server.url()
        )
        #expect(result.status == 0, "\(result)")
        #expect(isSameBytes(folder.read("file"), bytes))
        #expect(folder.names() == ["file"])
    }

    @Test("T-08 fetch continues after a range without a total length")
    func shortRange() async throws {
        var served = ServedFile(bytes)
        served.hasLength = false
        let server = try await leavePart(100_000, from: served)
        let relay = try SocketServer { [bytes] connection in
            let head = try connection.readHead()
            let range = head.values("Range").first?.dropFirst(6).split(separator: "-").first
            let start = range.flatMap { Int($0) } ?? 0
            guard start < 300_000 else {
                return try connection.send(
                    "HTTP/1.1 416 No\r\nETag: \"one\"\r\nContent-Range: bytes */300000\r\n"
                        + "Content-Length: 0\r\nConnection: close\r\n\r\n"
                )
            }
            let end = min(start + 80_000, 300_000)
            try connection.send(
                "HTTP/1.1 206 Part\r\nETag: \"one\"\r\nContent-Length: \(end - start)\r\n"
                    + "Content-Range: bytes \(start)-\(end - 1)/*\r\nConnection: close\r\n\r\n"
            )
            try connection.send(Array(bytes[start..<end]))
        }
        let result = try await run(
            "-c",
            "-O",
            "file",
            "-x",
            "http://127.0.0.1:\(relay.port)",
            "--noproxy",
            "x",
            server.url()
        )
        #expect(result.status == 0, "\(result)")
        #expect(isSameBytes(folder.read("file"), bytes))
    }

    @Test("T-08 a response longer or shorter than its range is a failure", arguments: [5, 250_000])
    func otherLength(sent: Int) async throws {
        let server = try await leavePart(100_000, from: ServedFile(bytes))
        let lying = try SocketServer { [bytes] connection in
            _ = try connection.readHead()
            try connection.send(
                "HTTP/1.1 206 Part\r\nETag: \"one\"\r\nContent-Range: bytes 100000-299999/300000"
                    + "\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
            )
            let body = Array((bytes[100_000...] + bytes).prefix(sent))
            try connection.send("\(String(sent, radix: 16))\r\n")
            try connection.send(body)
            try connection.send("\r\n0\r\n\r\n")
        }
        let result = try await run(
            "-c",
            "-t",
            "1",
            "-O",
            "file",
            "-x",
            "http://127.0.0.1:\(lying.port)",
            "--noproxy",
            "x",
            server.url()
        )
        #expect(result.status != 0, "\(result)")
        #expect(!folder.exists("file"))
        #expect(folder.size("file.part") ?? 0 >= 100_000, "nothing that was good is lost")
    }

    @Test(
        "T-08 a status that does not fit the request is an error, and the part remains",
        arguments: [202, 204, 300, 304]
    )
    func senseless(status: Int) async throws {
        var served = ServedFile(bytes)
        served.status = status
        served.knowsRanges = false
        served.cutAfter = 0
        let server = try await leavePart(100_000, from: served)
        let result = try await run("-c", "-t", "1", "-O", "file", server.url())
        #expect(result.status == 7, "\(result)")
        #expect(folder.size("file.part") == 100_000)
        #expect(!folder.exists("file"))
    }

    @Test("T-08 an error page never replaces a part", arguments: [404, 503])
    func contentOnError(status: Int) async throws {
        var served = ServedFile(bytes)
        served.status = status
        let server = try await leavePart(100_000, from: served)
        let result = try await run("-c", "-t1", "--content-on-error", "-O", "file", server.url())
        #expect(result.status == 8, "\(result)")
        #expect(result.stderr.contains("are kept in file.part"))
        #expect(folder.names() == ["file.part", "file.part.resume"])
        #expect(folder.size("file.part") == 100_000)
    }

    @Test(
        "T-08 fetch compares the part's end each time without a strong validator",
        arguments: [nil, "W/\"1\""]
    )
    func weak(tag: String?) async throws {
        try folder.write(Array(bytes.prefix(100_000)), to: "file")
        let served = Mutex(ServedFile(bytes))
        served.withLock { file in
            file.entityTag = tag
            file.cutAfter = 90_000
        }
        let server = try SocketServer { try served.withLock { $0 }.serve($0) }
        let first = try await run("-c", "-t", "1", "-O", "file", server.url())
        #expect(first.status == 4, "\(first)")
        #expect(folder.names() == ["file", "file.part"], "nothing to ask by, nothing written down")
        let other = PseudoRandom.bytes(300_000, seed: 8)
        served.withLock { file in
            file.bytes = other
            file.cutAfter = nil
        }
        let result = try await run("-c", "-O", "file", server.url())
        #expect(result.status == 0, "\(result)")
        #expect(isSameBytes(folder.read("file"), other))
    }

    @Test("T-08 a signal during a stalled refusal loses no byte")
    func stalledRefusal() async throws {
        var served = ServedFile(bytes)
        served.hasLength = false
        let server = try await leavePart(300_000, from: served)
        let stalling = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send(
                "HTTP/1.1 416 No\r\nContent-Range: bytes */300000\r\nContent-Length: 9\r\n\r\n"
            )
            try connection.waitForPeerToClose()
        }
        let process = try FetchProcess(
            [
                "-c", "-O", "file", "-x", "http://127.0.0.1:\(stalling.port)", "--noproxy", "x",
                server.url(),
            ],
            in: folder
        ).start()
        #expect(await eventually { stalling.requestCount == 1 })
        process.interrupt()
        let result = try await process.wait()
        #expect(result.signal == SIGINT, "\(result)")
        #expect(isSameBytes(folder.read("file.part"), bytes))
    }
}
