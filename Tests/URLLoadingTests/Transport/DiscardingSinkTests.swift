import FoundationEssentials
import TestSupport
import Testing

@testable import URLLoading

@Suite("Discarded bodies", .timeLimit(.minutes(1)))
struct DiscardingSinkTests {
    private func sink(_ fields: [String: String], version: String = "HTTP/1.1") -> DiscardingSink {
        var head = HopHead(
            status: 302,
            httpVersion: version,
            reason: "",
            fields: HTTPHeaderFields()
        )
        for (name, value) in fields { head.fields[name] = value }
        return DiscardingSink(head)
    }

    @Test("the sink reads no body that ends with its connection, or exceeds its limit")
    func atOnce() {
        #expect(sink([:]).hasEnough)
        #expect(sink(["Transfer-Encoding": "gzip"]).hasEnough)
        #expect(sink(["Content-Length": "65537"]).hasEnough)
        #expect(!sink(["Content-Length": "65536"]).hasEnough)
        #expect(!sink(["Transfer-Encoding": "chunked"]).hasEnough)
        // An HTTP/2 stream ends by itself.
        #expect(!sink([:], version: "HTTP/2").hasEnough)
        #expect(!DiscardingSink().hasEnough)
    }

    @Test("the sink waits for the rest no longer than a moment")
    func later() async {
        let sink = sink(["Content-Length": "5"])
        sink.iterationEnded()
        #expect(!sink.hasEnough && sink.nextDeadline != nil)
        #expect(
            await eventually {
                sink.iterationEnded()
                return sink.hasEnough
            }
        )
        #expect(sink.nextDeadline == nil)
    }

    /// The framings of an endless body.
    static let framings = ["", "Content-Length: 100\r\n", "Transfer-Encoding: chunked\r\n"]

    @Test(
        "T-09 A-01 the task follows a redirect or a challenge whose body does not end",
        arguments: framings,
        ["302 Found\r\nLocation: /next", "401 Auth\r\nWWW-Authenticate: Basic realm=\"r\""]
    )
    func endless(framing: String, status: String) async throws {
        let gate = Gate()
        defer { gate.open() }
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            guard head.target == "/first", head["Authorization"] == nil else {
                return try connection.respond(body: "next")
            }
            let text = framing.contains("chunked") ? "5\r\nbo" : "bo"
            try connection.send("HTTP/1.1 \(status)\r\n\(framing)\r\n\(text)")
            // The client leaves by itself.
            try connection.waitForPeerToClose()
        }
        let session = try URLSession.testing { $0.timeoutIntervalForRequest = 20 }
        defer { session.finishTasksAndInvalidate() }
        let first = try url(server.url("/first").replacing("//", with: "//me:pw@"))
        let start = ContinuousClock.now
        let (data, response) = try await session.data(from: first)
        #expect(String(decoding: data, as: UTF8.self) == "next")
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        #expect(ContinuousClock.now - start < .seconds(15))
        #expect(server.requestCount == 2)
    }
}
