import TestSupport
import Testing

@Suite("Examples: tasks", .timeLimit(.minutes(1)))
struct TaskExampleTests {
    @Test(
        "T-01 T-02 T-10 T-13 DataTask: the task delivers text, and the delegate cancels an error page"
    )
    func dataTask() async throws {
        let nginx = try Nginx.shared
        let text = try nginx.addFile("example-text.txt", text: "some text\n")
        let taken = try await Example.run("DataTask", nginx.url(text), "out")
        #expect(
            taken.lines == [
                "task 1 is suspended", "task 1 has a response: 200, text/plain", "some text",
                "task 1 is completed, error 0",
            ]
        )
        #expect(taken.folder.names() == [])
        let refused = try await Example.run("DataTask", nginx.url("/status/503"), "out")
        #expect(
            refused.lines == [
                "task 1 is suspended", "task 1 has a response: 503, text/plain",
                "task 1 is completed, error -999",
            ]
        )
        let unreachable = try await Example.run("DataTask", "http://127.0.0.1:1/", "out")
        #expect(unreachable.lines == ["task 1 is suspended", "task 1 is completed, error -1004"])
    }

    @Test("T-10 DataTask: a body that is no text becomes a download, which gets all later calls")
    func becoming() async throws {
        let nginx = try Nginx.shared
        let path = try nginx.addLargeFile("example-large", size: 2_000_000, seed: 3)
        let result = try await Example.run("DataTask", nginx.url(path), "out")
        #expect(
            result.lines == [
                "task 1 is suspended",
                "task 1 has a response: 200, application/octet-stream",
                "task 1 becomes download 2", "saved 2000000 bytes", "task 2 is completed, error 0",
            ]
        )
        #expect(isSameBytes(result.folder.read("out"), PseudoRandom.bytes(2_000_000, seed: 3)))
    }

    @Test(
        "T-09 Redirects: the delegate follows, replaces or keeps a redirect, and a loop is an error"
    )
    func redirects() async throws {
        let nginx = try Nginx.shared
        func run(_ choice: String, _ method: String, _ path: String) async throws -> [String] {
            try await Example.run("Redirects", choice, method, nginx.url(path)).lines
        }
        let followed = try await run("follow", "POST", "/redirect/302")
        #expect(
            followed.prefix(3) == ["302 to GET /echo/target", "status 200", "from /echo/target"]
        )
        #expect(followed.contains("method: GET"))
        let kept = try await run("follow", "PUT", "/redirect/308")
        #expect(kept.first == "308 to PUT /echo/target")
        #expect(kept.contains("method: PUT"))
        let replaced = try await run("replace", "GET", "/redirect/307")
        #expect(replaced.contains("x-test: from 307"))
        let stopped = try await run("stop", "GET", "/redirect/301")
        #expect(
            stopped.prefix(3) == ["301 to GET /echo/target", "status 301", "from /redirect/301"]
        )
        let loop = try await run("follow", "GET", "/redirect/loop")
        #expect(loop.last == "too many redirects")
        #expect(loop.dropLast().allSatisfy { $0 == "302 to GET /redirect/loop" })
    }

    @Test("T-11 Parts: the delegate receives a response and its bytes for each part")
    func parts() async throws {
        let nginx = try Nginx.shared
        let body = ["text/plain", "text/html"].map { type in
            "--a b\r\nContent-Type: \(type)\r\n\r\nthis is \(type)\r\n"
        }
        try nginx.addFile("example-parts", text: body.joined() + "--a b--\r\n")
        let result = try await Example.run("Parts", nginx.url("/multipart/example-parts"))
        #expect(
            result.lines == [
                "response: multipart/x-mixed-replace", "response: text/plain",
                "part: this is text/plain", "response: text/html", "part: this is text/html",
                "2 parts, error 0",
            ]
        )
    }

    @Test("T-16 Metrics: each request has a transaction with protocol, connection and times")
    func metrics() async throws {
        let nginx = try Nginx.shared
        let path = try nginx.addFile("example-metrics.txt", text: "0123456789")
        let result = try await Example.run("Metrics", nginx.url("/redirect/302"), nginx.url(path))
        let lines = result.lines
        let requests = lines.filter { !$0.hasPrefix("    ") }
        #expect(requests.count == 5, "\(lines)")
        #expect(requests.first == "task 1: 1 redirects")
        #expect(
            requests.dropFirst().first?.hasPrefix("  /redirect/302: 302, http/1.1, new, ") == true
        )
        #expect(
            requests.dropFirst(2).first?.hasPrefix("  /echo/target: 200, http/1.1, reused, ")
                == true
        )
        #expect(requests.contains("  \(path): 200, http/1.1, reused, 10 bytes"))
        for name in ["connect", "request", "wait", "response"] {
            #expect(lines.contains { $0.hasPrefix("    \(name): ") && $0.hasSuffix(" µs") })
        }
    }
}
