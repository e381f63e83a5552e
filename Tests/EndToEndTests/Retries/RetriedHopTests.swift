import Synchronization
import TestSupport
import Testing

/// Attempts after a redirect: the failed request is sent again, and not the first.
@Suite("Retries after redirects", .timeLimit(.minutes(1)))
struct RetriedHopTests {
    /// Responds to each target's requests in the order of `script`, with the last step for all others.
    ///
    /// `nil` resets the connection.
    private static func scripted(
        _ script: [String: [(@Sendable (SocketConnection, HTTPHead) throws -> Void)?]]
    ) throws -> SocketServer {
        let counts = Mutex<[String: Int]>([:])
        return try SocketServer { connection in
            let head = try connection.readHead()
            _ = try connection.readBody(head)
            let count = counts.withLock { counts in
                defer { counts[head.target, default: 0] += 1 }
                return counts[head.target] ?? 0
            }
            guard let steps = script[head.target], let last = steps.last else {
                return try connection.respond("404 Not Found")
            }
            guard let step = count < steps.count ? steps[count] : last else {
                return connection.reset()
            }
            try step(connection, head)
        }
    }

    private static func redirect(
        _ status: String,
        to target: String
    ) -> @Sendable (SocketConnection, HTTPHead) throws -> Void {
        { connection, _ in try connection.respond(status, ["Location: \(target)"]) }
    }

    private static func respond(
        _ status: String = "200 OK",
        _ body: String = ""
    ) -> @Sendable (SocketConnection, HTTPHead) throws -> Void {
        { connection, head in
            try connection.respond(status, body: body.isEmpty ? head.method : body)
        }
    }

    private func run(_ arguments: String...) async throws -> ProcessResult {
        try await FetchProcess(["--waitretry", "0.05"] + arguments).run()
    }

    @Test(
        "T-15 fetch sends the failed request again, and not the first one",
        arguments: ["-", "file"]
    )
    func failedHop(output: String) async throws {
        let server = try Self.scripted([
            "/in": [Self.redirect("302 Found", to: "/next")],
            "/next": [nil, Self.respond("503 Service Unavailable"), Self.respond()],
        ])
        let result = try await run("-O", output, server.url("/in"))
        #expect(result.status == 0, "\(result)")
        #expect((output == "-" ? result.stdoutText : result.folder.readText("file")) == "GET")
        #expect(server.heads.map(\.target) == ["/in", "/next", "/next", "/next"])
    }

    @Test("T-15 a POST that became a GET is repeated as a GET")
    func seeOther() async throws {
        let server = try Self.scripted([
            "/in": [Self.redirect("303 See Other", to: "/next")],
            "/next": [nil, Self.respond()],
        ])
        let result = try await run("-d", "x", server.url("/in"))
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText == "GET")
        #expect(server.heads.map(\.method) == ["POST", "GET", "GET"])
        #expect(server.heads.last?["Content-Length"] == nil)
    }

    @Test("T-15 a PUT after a 307 is sent again with its body, from a pipe too")
    func keepsBody() async throws {
        let bodies = Mutex<[String]>([])
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            let body = String(decoding: try connection.readBody(head), as: UTF8.self)
            bodies.withLock { $0.append("\(head.target) \(body)") }
            switch connection.number {
            case 0: try connection.respond("307 Temporary Redirect", ["Location: /next"])
            case 1: connection.reset()
            default: try connection.respond(body: "done")
            }
        }
        let result = try await FetchProcess(
            ["--waitretry", "0.05", "--upload-file", "-", server.url("/in")],
            input: .text("body")
        ).run()
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText == "done")
        #expect(bodies.withLock { $0 } == ["/in body", "/next body", "/next body"])
    }

    @Test("T-15 a repeated request has no fields that a redirect to another origin has dropped")
    func crossing() async throws {
        let other = try Self.scripted(["/next": [nil, nil, Self.respond()]])
        let first = try Self.scripted(["/in": [Self.redirect("302 Found", to: other.url("/next"))]])
        let result = try await run(
            "-H",
            "Authorization: Bearer secret",
            "-H",
            "X-Own: yes",
            "--cookie",
            "a=b",
            "-O",
            "-",
            first.url("/in")
        )
        #expect(result.status == 0, "\(result)")
        #expect(first.heads.map { $0["Authorization"] } == ["Bearer secret"])
        #expect(other.requestCount == 3)
        #expect(other.heads.allSatisfy { $0["Authorization"] == nil && $0["Cookie"] == nil })
        #expect(other.heads.allSatisfy { $0["X-Own"] == "yes" })
    }

    @Test("T-15 one attempt begins at the first URL when a redirect's URL has expired")
    func ranOut() async throws {
        let target = Mutex("/signed/1")
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            switch (head.target, connection.number) {
            case ("/in", _):
                try connection.respond("302 Found", ["Location: \(target.withLock { $0 })"])
            case ("/signed/1", 1): connection.reset()
            case ("/signed/1", _):
                target.withLock { $0 = "/signed/2" }
                try connection.respond("403 Forbidden")
            default: try connection.respond(body: "body")
            }
        }
        let result = try await run("-O", "-", server.url("/in"))
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText == "body")
        #expect(
            server.heads.map(\.target) == ["/in", "/signed/1", "/signed/1", "/in", "/signed/2"]
        )
        #expect(result.stderr.contains("from the first URL"))
    }

    @Test("only one attempt begins at the first URL, and none where the first attempt is refused")
    func refused() async throws {
        let server = try Self.scripted([
            "/in": [Self.redirect("302 Found", to: "/next")],
            "/next": [nil, Self.respond("403 Forbidden")],
        ])
        let result = try await run("-O", "-", server.url("/in"))
        #expect(result.status == 8, "\(result)")
        #expect(server.heads.map(\.target) == ["/in", "/next", "/next", "/in", "/next"])
        let other = try Self.scripted([
            "/in": [Self.redirect("302 Found", to: "/next")],
            "/next": [Self.respond("403 Forbidden")],
        ])
        let once = try await run("-O", "-", other.url("/in"))
        #expect(once.status == 8, "\(once)")
        #expect(other.requestCount == 2)
    }

    @Test("T-15 a download continues at the failed URL, and at the first URL when that has expired")
    func download() async throws {
        let bytes = PseudoRandom.bytes(400_000, seed: 21)
        let server = try SocketServer { connection in
            var file = ServedFile(bytes)
            switch connection.number {
            case 0, 3:
                _ = try connection.readHead()
                let target = connection.number == 0 ? "/one" : "/two"
                return try connection.respond("302 Found", ["Location: \(target)"])
            case 1: file.cutAfter = 150_000
            case 2: file.status = 403
            default: break
            }
            try file.serve(connection)
        }
        let result = try await run("-O", "file", server.url("/in"))
        #expect(result.status == 0, "\(result)")
        #expect(isSameBytes(result.folder.read("file"), bytes))
        #expect(server.heads.map(\.target) == ["/in", "/one", "/one", "/in", "/two"])
        #expect(server.heads.last?.values("Range") == ["bytes=150000-"])
        #expect(result.folder.names() == ["file"])
    }

    @Test("the part of a redirected download belongs to the first URL")
    func left() async throws {
        let bytes = PseudoRandom.bytes(400_000, seed: 22)
        let server = try SocketServer { connection in
            var file = ServedFile(bytes)
            if [0, 3].contains(connection.number) {
                _ = try connection.readHead()
                return try connection.respond("302 Found", ["Location: /one"])
            }
            if connection.number == 1 { file.cutAfter = 150_000 }
            if connection.number == 2 { file.cutAfter = 100_000 }
            try file.serve(connection)
        }
        let folder = try TemporaryFolder("left")
        let first = try await FetchProcess(
            ["--waitretry", "0.05", "-t", "1", "-O", "file", server.url("/in")],
            in: folder
        ).run()
        #expect(first.status == 4, "\(first)")
        #expect(folder.readText("file.part.resume")?.contains(server.url("/in")) == true)
    }
}
