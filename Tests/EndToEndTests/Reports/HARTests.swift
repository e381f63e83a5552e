import Foundation
import TestSupport
import Testing

/// The record of a run that `--har` makes.
@Suite("--har", .timeLimit(.minutes(1)))
struct HARTests {
    /// An entry as its members.
    typealias Entry = [String: Any]

    private static let schema: JSONSchema = {
        var folder = URL(fileURLWithPath: #filePath)
        for _ in 1...4 { folder.deleteLastPathComponent() }
        return JSONSchema(path: folder.appendingPathComponent("docs/har.schema.json").path)
    }()

    /// The entries of a file, validated against the schema.
    private static func entries(_ bytes: [UInt8]?) throws -> [Entry] {
        let bytes = try #require(bytes)
        let line = bytes.filter { $0 != UInt8(ascii: "\n") } + [UInt8(ascii: "\n")]
        #expect(try schema.violations(in: line) == [])
        let value = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
        let log = try #require(value?["log"] as? [String: Any])
        let entries = try #require(log["entries"] as? [Entry])
        for entry in entries {
            let timings = try #require(entry["timings"] as? [String: Double])
            let phases = ["blocked", "dns", "connect", "send", "wait", "receive"]
            let sum = phases.compactMap { timings[$0] }.filter { $0 >= 0 }.reduce(0, +)
            let time = try #require(entry["time"] as? Double)
            #expect(abs(sum - time) < 0.0005, "\(timings), \(time)")
        }
        return entries
    }

    private static func run(
        _ arguments: [String],
        in folder: TemporaryFolder? = nil
    ) async throws -> (ProcessResult, [Entry]) {
        let result = try await FetchProcess(["-q", "--har", "har"] + arguments, in: folder).run()
        return (result, try entries(result.folder.read("har")))
    }

    private static func status(_ entry: Entry) -> Int? {
        (entry["response"] as? [String: Any])?["status"] as? Int
    }

    private static func header(_ message: String, of entry: Entry) -> [String] {
        let fields = (entry[message] as? [String: Any])?["headers"] as? [[String: String]] ?? []
        return fields.map { "\($0["name"] ?? "?"): \($0["value"] ?? "?")" }
    }

    @Test("each request is an entry, also redirects, refusals and failures")
    func entries() async throws {
        let nginx = try Nginx.shared
        let refusing = try RefusingPort()
        let (result, entries) = try await Self.run([
            "-j1", "-O", "/dev/null", "--user", "name:secret", nginx.url("/redirect/chain/2"),
            nginx.url("/private/hello.txt"), refusing.url("/x?a=%20b&c"),
        ])
        #expect(result.status == 4, "\(result)")
        #expect(entries.map(Self.status) == [302, 302, 200, 401, 200, 0])
        #expect(entries.map { $0["_task"] as? Int } == [1, 1, 1, 2, 2, 3])
        let redirect = try #require(entries.first?["response"] as? [String: Any])
        #expect(redirect["redirectURL"] as? String == nginx.url("/redirect/chain/1"))
        let times = entries.compactMap { $0["startedDateTime"] as? String }
        #expect(times == times.sorted())
        // The other requests reuse the first one's connection.
        let names = entries.prefix(5).map { ($0["timings"] as? [String: Double])?["connect"] ?? 0 }
        #expect(names[0] > 0)
        #expect(names[1...] == [-1, -1, -1, -1])
        #expect(Set(entries.prefix(5).compactMap { $0["connection"] as? String }).count == 1)
        let failed = try #require(entries.last)
        #expect((failed["_error"] as? String)?.hasPrefix("cannot connect") == true)
        let query = (failed["request"] as? [String: Any])?["queryString"] as? [[String: String]]
        #expect(query == [["name": "a", "value": " b"], ["name": "c", "value": ""]])
        #expect(result.folder.names() == ["har"])
    }

    @Test("the header fields and the size in an entry are those of the sent head")
    func headers() async throws {
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            _ = try connection.readBody(head)
            try connection.respond("201 Made", ["Content-Type: text/plain"], body: "four")
        }
        let (_, entries) = try await Self.run([
            "-O", "/dev/null", "-d", "a=b", "-H", "X-A: b", server.url("/p"),
        ])
        let entry = try #require(entries.first)
        let sent = try #require(server.heads.first)
        #expect(Self.header("request", of: entry) == sent.fields.map { "\($0.name): \($0.value)" })
        let request = try #require(entry["request"] as? [String: Any])
        // The text lacks the last line end and the empty line.
        #expect(request["headersSize"] as? Int == sent.text.utf8.count + 3)
        #expect(request["bodySize"] as? Int == 3)
        #expect(request["method"] as? String == "POST")
        let data = try #require(request["postData"] as? [String: Any])
        #expect(data["mimeType"] as? String == "application/x-www-form-urlencoded")
        let response = try #require(entry["response"] as? [String: Any])
        #expect(response["statusText"] as? String == "Made")
        #expect(response["bodySize"] as? Int == 4)
        let content = try #require(response["content"] as? [String: Any])
        #expect(content["size"] as? Int == 4)
        #expect(content["mimeType"] as? String == "text/plain")
    }

    @Test(
        "entries of TLS and HTTP/2 have their phases and their version",
        arguments: [false, true]
    )
    func tls(isHTTP2: Bool) async throws {
        let nginx = try Nginx.shared
        let path = "/files/hello.txt"
        let (result, entries) = try await Self.run([
            "-O", "/dev/null", "--ca-certificate", try Certificates.shared.authority,
            isHTTP2 ? nginx.http2URL(path) : nginx.tlsURL(path),
        ])
        #expect(result.status == 0, "\(result)")
        let entry = try #require(entries.first)
        let timings = try #require(entry["timings"] as? [String: Double])
        let ssl = try #require(timings["ssl"])
        #expect(ssl > 0)
        #expect(try ssl < #require(timings["connect"]))
        let version = (entry["request"] as? [String: Any])?["httpVersion"] as? String
        #expect(version == (isHTTP2 ? "HTTP/2" : "HTTP/1.1"))
    }

    @Test("the file contains no credential, in whatever way it was given")
    func secrets() async throws {
        let server = try SocketServer { connection in
            while try connection.nextHead() != nil {
                let fields = [
                    "Set-Cookie: id=s3cret; Path=/; HttpOnly", "Location: http://you:s3cret@h/",
                    "X-Token: s3cret",
                ]
                try connection.respond("200 OK", fields, body: "x")
            }
        }
        let url = "http://me:s3cret@127.0.0.1:\(server.port)/?next=http://a:s3cret@b/"
        let (result, entries) = try await Self.run([
            "-O", "/dev/null", "--auth", "basic", "-H", "Cookie: a=s3cret; b=s3cret",
            "--secret-header", "X-Token", "-H", "X-Token: s3cret", url,
        ])
        #expect(result.status == 0, "\(result)")
        #expect(server.heads.first?["Authorization"]?.hasPrefix("Basic ") == true)
        let text = result.folder.readText("har") ?? ""
        #expect(!text.contains("s3cret"), "\(text)")
        #expect(!text.contains(server.heads.first?["Authorization"] ?? "-"))
        let entry = try #require(entries.first)
        #expect(Self.header("request", of: entry).contains("Authorization: (redacted)"))
        let cookies = (entry["request"] as? [String: Any])?["cookies"] as? [[String: String]]
        #expect(cookies?.map { $0["name"] } == ["a", "b"])
    }

    @Test("the file is for its owner only, and replaces an older one only when complete")
    func replacing() async throws {
        let url = try Nginx.shared.url("/files/hello.txt")
        let folder = try TemporaryFolder("har")
        try folder.write("old", to: "har")
        let (_, entries) = try await Self.run(["-O", "/dev/null", url], in: folder)
        #expect(entries.count == 1)
        var status = stat()
        #expect(stat(folder.path("har"), &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        #expect(folder.names() == ["har"])
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nhalf")
            try connection.waitForPeerToClose()
        }
        try folder.write("old", to: "har")
        let process = try FetchProcess(["-q", "--har", "har", "-O", "f", server.url()], in: folder)
            .start()
        #expect(await eventually { folder.exists("f.part") })
        #expect(folder.readText("har") == "old")
        process.interrupt(SIGKILL)
        _ = try await process.wait()
        #expect(folder.readText("har") == "old")
        #expect(folder.names().allSatisfy { $0.hasPrefix("har") || $0.hasPrefix("f.part") })
    }

    @Test(
        "the file is complete after a signal, and contains the request under way",
        arguments: ["f", "-"]
    )
    func interrupted(output: String) async throws {
        let nginx = try Nginx.shared
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nhalf")
            try connection.waitForPeerToClose()
        }
        let folder = try TemporaryFolder("har")
        let names = output == "-" ? ["-O", "-"] : ["-P", "."]
        let process = try FetchProcess(
            ["-q", "-j1", "--har", "har"] + names
                + [nginx.url("/files/hello.txt"), server.url("/f")],
            in: folder
        ).start()
        #expect(await eventually { server.requestCount == 1 })
        // The available part of the response has arrived.
        if output == "f" { #expect(await eventually { folder.exists("f.part") }) }
        if output == "-" {
            try await process.waitForStdout(bytes: "Hello, world!\nhalf".utf8.count)
        }
        process.interrupt(SIGTERM)
        let result = try await process.wait()
        #expect(result.signal == SIGTERM, "\(result)")
        let entries = try Self.entries(folder.read("har"))
        #expect(entries.count == 2)
        #expect((entries.last?["_error"] as? String)?.contains("cancelled") == true)
    }

    @Test("the requests of many tasks are entries in order")
    func many() async throws {
        let nginx = try Nginx.shared
        let urls = (1...200).map { nginx.url("/echo/har-\($0)") }
        let (result, entries) = try await Self.run(["-j1", "-O", "/dev/null"] + urls)
        #expect(result.status == 0, "\(result)")
        let seen = entries.compactMap { ($0["request"] as? [String: Any])?["url"] as? String }
        #expect(seen == urls)
    }

    @Test("a file that cannot be written is an error, and no file remains")
    func failing() async throws {
        let url = try Nginx.shared.url("/files/hello.txt")
        let full = try await FetchProcess.run("-qO/dev/null", "--har", "/dev/full", url)
        #expect(full.status == 3, "\(full)")
        let missing = try await FetchProcess.run("-qO/dev/null", "--har", "none/har", url)
        #expect(missing.status == 3, "\(missing)")
        #expect(missing.stderr.contains("none"))
        let folder = try TemporaryFolder("har")
        try folder.write("x", to: "har/x")
        let directory = try await FetchProcess.run("-qO/dev/null", "--har", "har", url, in: folder)
        #expect(directory.status == 3, "\(directory)")
        let device = try await FetchProcess.run("-qO", "x", "--har", "/dev/stdout", url)
        #expect(device.status == 0, "\(device)")
        #expect(try Self.entries(device.stdout).count == 1)
    }

    @Test("a body that has the record's name is numbered, and -nc refuses the name")
    func sharedName() async throws {
        let url = try Nginx.shared.url("/files/hello.txt")
        let folder = try TemporaryFolder("har")
        for number in 1...2 {
            let result = try await FetchProcess(["-q", "--har", "hello.txt", url], in: folder).run()
            #expect(result.status == 0, "\(result)")
            #expect(folder.readText("hello.txt.\(number)") == "Hello, world!\n")
            #expect(try Self.entries(folder.read("hello.txt")).count == 1)
        }
        let flags = ["-nc", "--har", "hello.txt"]
        let kept = try await FetchProcess(flags + [url], in: folder).run()
        #expect(kept.status == 2, "\(kept)")
        #expect(kept.stderr.contains("both name the same file"))
    }
}
