import Foundation
import TestSupport
import Testing

/// Continued bodies on standard output: each byte is written once, or not at all.
@Suite("Standard output, exactly once", .timeLimit(.minutes(2)))
struct ExactlyOnceTests {
    private let whole = PseudoRandom.bytes(500_000, seed: 7)

    /// Serves a file that is cut in the first response, and as `next` changes it in the others.
    private func server(
        _ first: ServedFile,
        _ next: @escaping @Sendable (inout ServedFile) -> Void = { _ in }
    ) throws -> SocketServer {
        try SocketServer { connection in
            var file = first
            if connection.number > 0 {
                file.cutAfter = nil
                next(&file)
            }
            try file.serve(connection)
        }
    }

    private func cut(after count: Int = 200_000) -> ServedFile {
        var file = ServedFile(whole)
        file.cutAfter = count
        return file
    }

    private func run(_ arguments: String...) async throws -> ProcessResult {
        try await FetchProcess(["--waitretry", "0.05"] + arguments).run()
    }

    @Test("T-15 an interrupted body continues at the byte after the last one")
    func goesOn() async throws {
        let server = try server(cut())
        let result = try await run("-O", "-", server.url())
        #expect(result.status == 0, "\(result)")
        #expect(isSameBytes(result.stdout, whole))
        #expect(server.heads.map { $0.values("Range") } == [[], ["bytes=200000-"]])
        #expect(server.heads.last?.values("If-Range") == ["\"one\""])
        #expect(result.stderr.contains("continuing at 195.3 KiB in 0."))
    }

    @Test("T-15 a body is continued any number of times, while new bytes arrive")
    func oftenCut() async throws {
        let file = cut(after: 60_000)
        let server = try SocketServer { try file.serve($0) }
        let result = try await run("-t", "2", "-O", "-", server.url())
        #expect(result.status == 0, "\(result)")
        #expect(isSameBytes(result.stdout, whole))
        #expect(server.requestCount == 9)
    }

    @Test("an interrupted body without a tag is continued by a date of sufficient age")
    func date() async throws {
        var file = cut()
        file.entityTag = nil
        file.lastModified = "Sat, 05 Nov 1994 08:49:37 GMT"
        let server = try server(file)
        let result = try await run("-O", "-", server.url())
        #expect(result.status == 0, "\(result)")
        #expect(isSameBytes(result.stdout, whole))
        #expect(server.heads.last?.values("If-Range") == ["Sat, 05 Nov 1994 08:49:37 GMT"])
    }

    @Test("T-15 fetch requests the next part from a server that sends less than requested")
    func shortParts() async throws {
        var file = cut(after: 200_000)
        file.maximumPart = 90_000
        let server = try server(file)
        let result = try await run(
            "-t",
            "2",
            "--checksum",
            "sha256:\(try sha256(whole))",
            "-O",
            "-",
            server.url()
        )
        #expect(result.status == 0, "\(result)")
        #expect(isSameBytes(result.stdout, whole))
        let starts = [200_000, 290_000, 380_000, 470_000]
        #expect(server.heads.map { $0.values("Range") } == [[]] + starts.map { ["bytes=\($0)-"] })
        // One attempt has failed, and only its retry waits.
        #expect(result.stderr.components(separatedBy: "continuing at").count == 2, "\(result)")
    }

    @Test("a part without bytes is no progress, and counts as an attempt")
    func emptyPart() async throws {
        let file = cut(after: 200_000)
        let server = try SocketServer { connection in
            guard connection.number > 0 else { return try file.serve(connection) }
            _ = try connection.readHead()
            try connection.send(
                "HTTP/1.1 206 Partial Content\r\nETag: \"one\"\r\nContent-Length: 0\r\n"
                    + "Content-Range: bytes 200000-200009/500000\r\nConnection: close\r\n\r\n"
            )
        }
        let result = try await run("-t", "3", "-O", "-", server.url())
        #expect(result.status == 4, "\(result)")
        #expect(server.requestCount == 3)
        #expect(isSameBytes(result.stdout, Array(whole.prefix(200_000))))
    }

    @Test(
        "T-15 a server without ranges sends the body again, and fetch drops the written beginning"
    )
    func withoutRanges() async throws {
        var file = cut()
        file.knowsRanges = false
        let server = try server(file)
        let result = try await run("-O", "-", server.url())
        #expect(result.status == 0, "\(result)")
        #expect(isSameBytes(result.stdout, whole))
    }

    @Test("fetch requests the last byte again without a length", arguments: [200_000, 500_000])
    func chunked(count: Int) async throws {
        var file = cut(after: count)
        file.hasLength = false
        let server = try server(file)
        let result = try await run("-O", "-", server.url())
        #expect(result.status == 0, "\(result)")
        #expect(isSameBytes(result.stdout, whole))
        #expect(server.heads.last?.values("Range") == ["bytes=\(count - 1)-"])
    }

    @Test("T-15 a compressed body is requested as a whole, and continues after the decoded bytes")
    func compressed() async throws {
        let text = (0..<60_000).map { "line \($0)\n" }.joined()
        let packed = Coder.gzip.code(Array(text.utf8))
        var file = ServedFile(packed)
        file.fields = ["Content-Encoding: gzip"]
        file.cutAfter = packed.count / 2
        let server = try server(file)
        let result = try await run("-O", "-", server.url())
        #expect(result.status == 0, "\(result)")
        #expect(isSameBytes(result.stdout, Array(text.utf8)))
        #expect(server.heads.allSatisfy { $0.values("Range").isEmpty })
        let other = try self.server(file) { $0.entityTag = "\"two\"" }
        let failed = try await run("-O", "-", other.url())
        #expect(failed.status == 4, "\(failed)")
        #expect(text.hasPrefix(failed.stdoutText))
    }

    /// The change of the file before the second response.
    enum Change: CaseIterable {
        case otherTag, otherTagWithoutIfRange, noTag, otherRange, gone, forbidden

        func apply(_ file: inout ServedFile) {
            switch self {
            case .otherTag: file.entityTag = "\"two\""
            case .otherTagWithoutIfRange:
                file.entityTag = "\"two\""
                file.knowsIfRange = false
            case .noTag:
                file.knowsRanges = false
                file.entityTag = nil
            case .otherRange: file.shift = 1
            case .gone: file.status = 404
            case .forbidden: file.status = 403
            }
        }
    }

    @Test(
        "T-15 fetch writes no byte without proof that it follows: status 4, with the written count",
        arguments: Change.allCases
    )
    func changed(change: Change) async throws {
        let server = try server(cut()) { change.apply(&$0) }
        let result = try await run("--content-on-error", "-O", "-", server.url())
        #expect(result.status == 4, "\(result)")
        #expect(isSameBytes(result.stdout, Array(whole.prefix(200_000))))
        #expect(server.requestCount == 2)
        let blame = result.blames(server.url()).last ?? ""
        #expect(blame.contains("200000 bytes of the body were written"), "\(result)")
    }

    @Test("T-15 a run without a validator ends at once", arguments: [["-r", "0-399999"], []])
    func unproved(arguments: [String]) async throws {
        var file = cut()
        if arguments.isEmpty { file.entityTag = nil }
        let server = try server(file)
        let result = try await FetchProcess(arguments + ["-O", "-", server.url()]).run()
        #expect(result.status == 4, "\(result)")
        #expect(isSameBytes(result.stdout, Array(whole.prefix(200_000))))
        #expect(server.requestCount == 1)
        #expect(result.stderr.contains("200000 bytes of the body were written"), "\(result)")
    }

    @Test("fetch waits for a busy server between, and does not write the error's body")
    func busyBetween() async throws {
        let file = cut()
        let server = try SocketServer { connection in
            guard connection.number != 1 else {
                _ = try connection.readHead()
                return try connection.respond("503 Service Unavailable", body: "busy")
            }
            var file = file
            if connection.number > 0 { file.cutAfter = nil }
            try file.serve(connection)
        }
        let result = try await run("--content-on-error", "-O", "-", server.url())
        #expect(result.status == 0, "\(result)")
        #expect(isSameBytes(result.stdout, whole))
    }

    @Test("a server that stays busy is status 4, since no error's body was written")
    func staysBusy() async throws {
        let file = cut()
        let server = try SocketServer { connection in
            guard connection.number == 0 else {
                _ = try connection.readHead()
                return try connection.respond("503 Service Unavailable", body: "busy")
            }
            try file.serve(connection)
        }
        let result = try await run("-t", "2", "-O", "-", server.url())
        #expect(result.status == 4, "\(result)")
        #expect(isSameBytes(result.stdout, Array(whole.prefix(200_000))))
        #expect(result.stderr.contains("the server responded with status 503"), "\(result)")
    }

    @Test("a FIFO's reader gets one body and one end, though the body was continued")
    func fifo() async throws {
        let server = try server(cut())
        let folder = try TemporaryFolder("fifo")
        let result = try await FetchProcess(
            shell: #"""
                mkfifo fifo
                cat fifo >copy &
                "$FETCH" --waitretry 0.05 -O fifo "$1"
                status=$?
                wait
                exit $status
                """#,
            [server.url()],
            in: folder
        ).run()
        #expect(result.status == 0, "\(result)")
        #expect(isSameBytes(folder.read("copy"), whole))
    }

    @Test("a response to a POST is not requested again once a byte is written")
    func post() async throws {
        let server = try server(cut())
        let result = try await run("-d", "x", server.url())
        #expect(result.status == 4, "\(result)")
        #expect(isSameBytes(result.stdout, Array(whole.prefix(200_000))))
        #expect(server.requestCount == 1)
    }
}
