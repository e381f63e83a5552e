import TestSupport
import Testing

@Suite("Partial responses", .timeLimit(.minutes(1)))
struct PartTests {
    private static let wrong: [(String, String, Int32)] = [
        // The body is shorter than its fields say, longer, or ends at another byte than requested.
        ("206 Partial Content\r\nContent-Range: bytes 0-9/100\r\n\r\n12345", "0-9", 4),
        ("206 Partial Content\r\nContent-Range: bytes 0-9/100\r\n\r\n123456789012345", "0-9", 7),
        ("206 Partial Content\r\nContent-Range: bytes 5-6/*\r\n\r\n12", "5-", 7),
        ("206 Partial Content\r\nContent-Range: bytes 5-6/*\r\n\r\n12", "-500", 7),
    ]

    @Test(
        "a partial response that disagrees with its fields, or with the request, is a failure",
        arguments: wrong
    )
    func strange(_ response: String, _ range: String, _ status: Int32) async throws {
        let server = try SocketServer { connection in
            while (try connection.nextHead()) != nil {
                try connection.send("HTTP/1.1 \(response)")
                connection.close()
            }
        }
        for output in ["-", "out"] {
            let result = try await FetchProcess.run(
                "-t",
                "1",
                "-O",
                output,
                "--range=\(range)",
                server.url()
            )
            #expect(result.status == status, "\(result)")
            #expect(!result.folder.names().contains("out"), "\(result)")
        }
    }

    @Test("an unrequested partial response is a failure on standard output as well")
    func unasked() async throws {
        let server = try SocketServer { connection in
            _ = try connection.nextHead()
            let fields = ["Content-Range: bytes 0-4/100"]
            try connection.respond("206 Partial Content", fields, body: "12345")
        }
        let result = try await FetchProcess.run("-O", "-", server.url())
        #expect(result.status == 7, "\(result)")
        #expect(result.stdout == [])
    }

    @Test("-N trusts only the validator of a whole response")
    func timestamping() async throws {
        let server = try SocketServer { connection in
            while let head = try connection.nextHead() {
                if head["If-None-Match"] != nil {
                    try connection.respond("304 Not Modified", ["ETag: \"v\""])
                } else {
                    try connection.respond("503 No", ["ETag: \"v\""], body: "error page")
                }
            }
        }
        let folder = try TemporaryFolder("timestamping")
        let flags = ["-N", "-t1", "--content-on-error", "-O", "out"]
        let first = try await FetchProcess(flags + [server.url()], in: folder).run()
        #expect(first.status == 8, "\(first)")
        let second = try await FetchProcess(flags + [server.url()], in: folder).run()
        #expect(second.status == 8, "\(second)")
        #expect(server.heads.allSatisfy { $0["If-None-Match"] == nil })
        for flag in ["--range=0-1", "--auto"] {
            let result = try await FetchProcess.run("-N", flag, server.url())
            #expect(result.status == 2, "\(result)")
        }
    }

    @Test("fetch does not overwrite the local file of a file URL with its reports")
    func localFile() async throws {
        let folder = try TemporaryFolder("local")
        try folder.write("dear", to: "f")
        let url = "file://\(folder.path("f"))"
        for flags in [["-D", "f"], ["--har", "f"], ["--write-out", "%output{f}x"]] {
            let result = try await FetchProcess(["-O", "-"] + flags + [url], in: folder).run()
            #expect(result.status == 2, "\(result)")
            #expect(folder.readText("f") == "dear")
        }
        let nginx = try Nginx.shared
        let same = ["-O", "f", "--save-cookies", "f", nginx.url("/cookies/set/a/1")]
        let result = try await FetchProcess(same, in: folder).run()
        #expect(result.status == 2, "\(result)")
        #expect(folder.readText("f") == "dear")
    }
}
