import FoundationEssentials
import TestSupport
import Testing

@testable import URLLoading

@Suite("Interim responses and trailers", .timeLimit(.minutes(1)))
struct InterimResponseTests {
    private static let final = "HTTP/1.1 200 OK\r\nX-Which: final\r\nContent-Length: 4\r\n\r\nbody"

    private static func early(_ status: Int, count: Int = 1, fields: String = "") -> String {
        String(repeating: "HTTP/1.1 \(status) Wait\r\n\(fields)\r\n", count: count)
    }

    private func load(_ message: String) async throws -> (String, HTTPURLResponse, Int) {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send(message)
        }
        let recorder = RecordingDelegate()
        let session = try URLSession.testing(recorder)
        defer { session.finishTasksAndInvalidate() }
        let task = session.dataTask(with: try url(server.url()))
        task.resume()
        if let code = await recorder.completion(of: task, within: .seconds(20)) {
            throw URLError(code)
        }
        try server.verify()
        return (
            String(decoding: recorder.data(task), as: UTF8.self),
            try #require(task.response as? HTTPURLResponse),
            recorder.calls(task).count {
                if case .response = $0 { true } else { false }
            }
        )
    }

    @Test(
        "T-14 the client takes no interim response for the final one, whatever it carries",
        arguments: [
            early(100), early(102, count: 3), early(199),
            early(103, fields: "Link: </style.css>; rel=preload\r\nX-Which: early\r\n"),
            early(103, count: 500),
            early(100, fields: "Content-Length: 7\r\nContent-Encoding: gzip\r\n"),
            early(
                103,
                fields: "Location: /elsewhere\r\nContent-Type: multipart/x-mixed-replace\r\n"
            ),
            early(100) + early(103) + early(102),
        ]
    )
    func interim(early: String) async throws {
        let (body, response, count) = try await load(early + Self.final)
        #expect(body == "body")
        #expect(response.statusCode == 200)
        #expect(response.value(forHTTPHeaderField: "X-Which") == "final")
        #expect(response.value(forHTTPHeaderField: "Content-Encoding") == nil)
        #expect(count == 1)
    }

    @Test("T-14 the client fails on endless interim responses and an unrequested protocol")
    func hostile() async throws {
        let filler = "X-Filler: \(String(repeating: "x", count: 1_000))\r\n"
        let endless = Self.early(103, count: 300, fields: filler)
        #expect(await errorCode { _ = try await load(endless + Self.final) } == .badServerResponse)
        #expect(await errorCode { _ = try await load(Self.early(103)) } == .networkConnectionLost)
        let other = Self.early(101, fields: "Upgrade: x\r\n")
        let body = String(repeating: "not HTTP any more ", count: 30_000)
        #expect(await errorCode { _ = try await load(other + body) } == .badServerResponse)
    }

    @Test(
        "T-14 the client adds no trailer to the response's fields, and obeys none",
        arguments: [
            "X-Sum: 1\r\n", "Content-Length: 1\r\n", "Content-Encoding: gzip\r\n",
            "HTTP/1.1: 500 Hostile\r\nX: y\r\n", "Set-Cookie: a=b\r\n: x\r\n",
            String(repeating: "X-Many: 1\r\n", count: 2_000),
        ]
    )
    func trailers(text: String) async throws {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n"
        let (body, response, count) = try await load(head + "4\r\nbody\r\n0\r\n\(text)\r\n")
        #expect(body == "body")
        #expect(response.headerFields.fields.map(\.name) == ["Transfer-Encoding", "Trailer"])
        #expect(count == 1)
    }

    @Test(
        "T-14 trailers that are no fields make a malformed response",
        arguments: ["no field\r\n", "HTTP/1.1 500 Hostile\r\n\r\n", "X: 1\r\nno field\r\n"]
    )
    func malformedTrailers(text: String) async throws {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        let code = await errorCode {
            _ = try await load(head + "4\r\nbody\r\n0\r\n\(text)\r\n")
        }
        #expect(code == .badServerResponse)
    }

    @Test("T-14 an interim response after the response is a part of its body")
    func late() async throws {
        let (body, response, _) = try await load(
            "HTTP/1.1 200 OK\r\n\r\n" + Self.early(100) + Self.final
        )
        #expect(body == Self.early(100) + Self.final)
        #expect(response.value(forHTTPHeaderField: "X-Which") == nil)
    }

    @Test(
        "T-14 the client reads nginx's trailers over every version of HTTP",
        arguments: ["http", "tls", "h2"]
    )
    func fromNginx(server: String) async throws {
        let nginx = try Nginx.shared
        let bytes = PseudoRandom.bytes(100_000)
        _ = try nginx.addFile("trailers-\(server).bin", bytes: bytes)
        let path = "/trailers/trailers-\(server).bin"
        let address =
            switch server {
            case "h2": nginx.http2URL(path)
            case "tls": nginx.tlsURL(path)
            default: nginx.url(path)
            }
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        for _ in 0..<3 {
            let (data, response) = try await session.data(from: try url(address))
            #expect(isSameBytes(data, bytes))
            let http = try #require(response as? HTTPURLResponse)
            #expect(http.statusCode == 200)
            #expect(http.value(forHTTPHeaderField: "X-Sum") == nil)
        }
        #expect(await nginx.accessLog(path, waitingFor: 3).count == 3)
    }
}
