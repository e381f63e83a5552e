import TestSupport
import Testing

/// Bodies that end early.
@Suite("Truncated bodies", .timeLimit(.minutes(1)))
struct TruncationTests {
    /// The ways to send the beginning of a body without its end.
    enum Way: String, CaseIterable, Sendable {
        case lengthNotReached = "Content-Length: 100\r\n\r\nthe beginning"
        case chunkCut = "Transfer-Encoding: chunked\r\n\r\n40\r\nthe beginning"
        case lastChunkMissing = "Transfer-Encoding: chunked\r\n\r\nd\r\nthe beginning\r\n"
        case trailerCut = "Transfer-Encoding: chunked\r\n\r\nd\r\nthe beginning\r\n0\r\n"

        func server() throws -> SocketServer {
            try SocketServer { [rawValue] connection in
                _ = try connection.readHead()
                try connection.send("HTTP/1.1 200 OK\r\n\(rawValue)")
            }
        }
    }

    @Test("T-07 a truncated body never appears under the final name", arguments: Way.allCases)
    func file(way: Way) async throws {
        let server = try way.server()
        let result = try await FetchProcess.run("-t", "1", server.url("/file"))
        #expect(result.status == 4, "\(result)")
        #expect(result.blames(server.url("/file")).count == 1)
        #expect(result.folder.names() == [])
        try server.verify()
    }

    @Test("T-07 a failed download leaves the old file unchanged", arguments: Way.allCases)
    func oldFile(way: Way) async throws {
        let server = try way.server()
        let folder = try TemporaryFolder("truncated")
        try folder.write("a good old file", to: "file")
        try folder.setModified(1_000_000_000, of: "file")
        let result = try await FetchProcess.run("-t1", "-O", "file", server.url(), in: folder)
        #expect(result.status == 4, "\(result)")
        #expect(folder.names() == ["file"])
        #expect(folder.readText("file") == "a good old file")
        #expect(folder.modified("file") == 1_000_000_000)
        try server.verify()
    }

    @Test("a truncated body on standard output is status 4", arguments: Way.allCases)
    func standardOutput(way: Way) async throws {
        let server = try way.server()
        for arguments in [["-O", "-"], ["-d", "x"]] {
            let result = try await FetchProcess(arguments + [server.url()]).run()
            #expect(result.status == 4, "\(result)")
            #expect(result.stdoutText == "the beginning")
            #expect(result.blames(server.url()).count == 1)
        }
    }

    @Test("a truncated response to an upload is status 4, and no file is made")
    func uploadResponse() async throws {
        let server = try Way.lengthNotReached.server()
        let result = try await FetchProcess.run("-d", "x", "-O", "file", server.url())
        #expect(result.status == 4, "\(result)")
        #expect(result.folder.names() == [])
    }

    @Test("the end of the connection is the end of a body without a length")
    func untilClose() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.0 200 OK\r\n\r\nall there is")
        }
        let result = try await FetchProcess.run("-O", "file", server.url())
        #expect(result.status == 0, "\(result)")
        #expect(result.folder.readText("file") == "all there is")
    }

    @Test("a reset within a body without a length is status 4")
    func untilReset() async throws {
        let gate = Gate()
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.0 200 OK\r\n\r\nsome")
            try gate.wait()
            connection.reset()
        }
        let folder = try TemporaryFolder("reset")
        let process = try FetchProcess(["-t", "1", "-O", "file", server.url()], in: folder)
            .start()
        #expect(await eventually { folder.exists("file.part") })
        gate.open()
        let result = try await process.wait()
        #expect(result.status == 4, "\(result)")
        #expect(folder.names() == [])
    }

    @Test(
        "a TLS connection without close_notify within a body is status 4",
        arguments: ["/files/", "/no-length/"],
        ["--http1.1", "--http2"]
    )
    func cutTLS(location: String, version: String) async throws {
        let nginx = try Nginx.shared
        let name = "truncation-tls\(location.filter { $0 != "/" })\(version.suffix(1))"
        try nginx.addLargeFile(name, size: 400_000)
        let port = nginx.http2Port
        let server = try SocketServer { connection in
            try Relay(port: port).run(connection, cutAfter: 200_000)
        }
        let result = try await FetchProcess.run(
            version,
            "-t",
            "1",
            "--ca-certificate",
            nginx.certificates.authority,
            "https://localhost:\(server.port)\(location)\(name)"
        )
        #expect(result.status == 4, "\(result)")
        #expect(result.stderrLines.count { $0.hasPrefix("fetch: https://") } == 1)
        // A response with an ETag can be continued; the part of one without it is removed.
        let kept = location == "/files/" ? ["\(name).part", "\(name).part.resume"] : []
        #expect(result.folder.names() == kept)
        try server.verify()
    }

    @Test("bytes after the announced length do not belong to the body")
    func longer() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbodymore")
        }
        let result = try await FetchProcess.run("-O", "file", server.url())
        #expect(result.status == 0, "\(result)")
        #expect(result.folder.readText("file") == "body")
    }
}
