import FoundationEssentials
import TestSupport
import Testing

@testable import URLLoading

@Suite("Raw bodies", .timeLimit(.minutes(1)))
struct RawBodyTests {
    private static let framed = "5;x=1\r\nhello\r\n1\r\n!\r\n0\r\nX-T: 1\r\n\r\n"

    private static func server(
        _ fields: String...,
        status: String = "200 OK"
    ) throws -> SocketServer {
        let lines = fields.map { $0 + "\r\n" }.joined()
        return try SocketServer { connection in
            while try connection.nextHead() != nil {
                try connection.send(
                    "HTTP/1.1 \(status)\r\nTransfer-Encoding: chunked\r\n\(lines)\r\n\(framed)"
                )
            }
        }
    }

    private static func session(
        _ change: (URLSessionConfiguration) -> Void = { _ in }
    ) throws -> URLSession {
        try URLSession.testing { configuration in
            configuration.transport.contentDecoding = .raw
            change(configuration)
        }
    }

    @Test("a raw body contains chunks and trailers, and no coding is requested or decoded")
    func framing() async throws {
        let server = try Self.server("Content-Encoding: gzip", "Trailer: X-T")
        let session = try Self.session()
        defer { session.invalidateAndCancel() }
        let (data, response) = try await session.data(for: request(server.url()))
        #expect(String(decoding: data, as: UTF8.self) == Self.framed)
        #expect(response.expectedContentLength == -1)
        #expect(server.heads.last?["Accept-Encoding"] == nil)
        let (file, _) = try await session.download(for: request(server.url()))
        #expect(isSameBytes(try Data(contentsOf: file), Self.framed.utf8))
    }

    @Test("a digest of the content is not compared with the raw body")
    func digest() async throws {
        let server = try Self.server(
            "Content-Digest: sha-256=:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=:"
        )
        let session = try Self.session()
        defer { session.invalidateAndCancel() }
        let (data, _) = try await session.data(for: request(server.url()))
        #expect(String(decoding: data, as: UTF8.self) == Self.framed)
    }

    @Test("a raw body is neither stored in the cache nor served from it")
    func cache() async throws {
        let server = try Self.server("Cache-Control: max-age=600")
        let cache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0)
        let raw = try Self.session { $0.urlCache = cache }
        let plain = try URLSession.testing { $0.urlCache = cache }
        defer {
            raw.invalidateAndCancel()
            plain.invalidateAndCancel()
        }
        for (session, body) in [
            (raw, Self.framed), (plain, "hello!"), (raw, Self.framed), (plain, "hello!"),
        ] {
            let (data, _) = try await session.data(for: request(server.url()))
            #expect(String(decoding: data, as: UTF8.self) == body)
        }
        #expect(server.requestCount == 3)
    }

    @Test("a requested range is delivered without its chunks")
    func part() async throws {
        let server = try Self.server("Content-Range: bytes 2-7/20", status: "206 Partial Content")
        let session = try Self.session()
        defer { session.invalidateAndCancel() }
        var request = try request(server.url())
        let (unasked, _) = try await session.data(for: request)
        #expect(String(decoding: unasked, as: UTF8.self) == Self.framed)
        request.setValue("bytes=2-7", forHTTPHeaderField: "Range")
        let (data, _) = try await session.data(for: request)
        #expect(String(decoding: data, as: UTF8.self) == "hello!")
    }

    @Test("a truncated raw body in chunks cannot be continued", arguments: [true, false])
    func resumeData(isChunked: Bool) async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            let framing = isChunked ? "Transfer-Encoding: chunked" : "Content-Length: 20"
            try connection.send("HTTP/1.1 200 OK\r\n\(framing)\r\nETag: \"1\"\r\n\r\n5\r\nhello")
        }
        let session = try Self.session()
        defer { session.invalidateAndCancel() }
        do {
            _ = try await session.download(for: request(server.url()))
            Issue.record("it has not failed")
        } catch let error as URLError {
            #expect((error.downloadTaskResumeData == nil) == isChunked)
        }
    }

    @Test(
        "an unrequested compressed transfer coding is refused, complete or truncated",
        arguments: ["gzip, chunked", "GZIP,chunked", "x-gzip , chunked"]
    )
    func transferCoding(codings: String) async throws {
        let coded = Coder.gzip.code(Coder.text(5_000))
        for count in [coded.count, coded.count / 2] {
            let server = try SocketServer { connection in
                _ = try connection.readHead()
                try connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: \(codings)\r\n\r\n")
                try connection.send("\(String(count, radix: 16))\r\n")
                try connection.send(Array(coded.prefix(count)))
                try connection.send("\r\n0\r\n\r\n")
            }
            let session = try URLSession.testing()
            defer { session.invalidateAndCancel() }
            #expect(
                await errorCode { _ = try await session.download(for: request(server.url())) }
                    == .cannotDecodeRawData
            )
        }
    }
}
