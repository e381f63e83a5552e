import HTTPSemantics
import Synchronization
import TestSupport
import Testing

@testable import CurlMulti

@Suite("Recycled handles", .timeLimit(.minutes(1)))
struct RecycledHandleTests {
    /// Takes all bytes, and reports the end.
    private final class Handler: TransferHandler {
        let ended: @Sendable (TransferOutcome) -> Void

        init(_ ended: @escaping @Sendable (TransferOutcome) -> Void) {
            self.ended = ended
        }

        func didReceive(_ head: ResponseHead, sent: Int64) {}
        func didReceive(_ bytes: UnsafeRawBufferPointer) -> ReceiveVerdict { .taken }
        func supplyBody(_ space: UnsafeMutableRawBufferPointer) -> BodySupply { .end }
        func rewindBody(to offset: Int64, wasRefused: Bool) -> Bool { false }
        func didIterate(sent: Int64) -> MonotonicInstant? { nil }
        func didWake(_ control: any TransferControl) {}

        func didComplete(_ outcome: TransferOutcome, _ control: any TransferControl) {
            ended(outcome)
            control.release()
        }
    }

    /// A request, and the request line and header that the server must receive.
    private struct Step {
        var request: TransferRequest
        var line: String
        var header: String?

        init(_ server: SocketServer, _ path: String, _ line: String, header: String? = nil) {
            request = TransferRequest(url: server.url(path))
            request.headerLines = ["Expect:"] + (header.map { ["X-Step: \($0)"] } ?? [])
            self.line = line
            self.header = header
        }
    }

    @Test("the settings of one request are neither sent with the next request nor missing there")
    func steps() async throws {
        let server = try SocketServer { connection in
            while (try connection.nextHead()) != nil { try connection.respond(body: "body") }
        }
        var steps = [
            Step(server, "/1", "GET /1 HTTP/1.1", header: "first"),
            Step(server, "/2", "GET /2 HTTP/1.1"), Step(server, "/3", "OPTIONS * HTTP/1.1"),
            Step(server, "/4", "GET /4 HTTP/1.1", header: "fourth"),
            Step(server, "/a/../5", "GET /a/../5 HTTP/1.1"),
            Step(server, "/a/../6", "GET /6 HTTP/1.1"), Step(server, "/7", "POST /7 HTTP/1.1"),
            Step(server, "/8", "GET /8 HTTP/1.1"), Step(server, "/9", "GET /9 HTTP/1.0"),
            Step(server, "/10", "GET /10 HTTP/1.1"), Step(server, "/11", "HEAD /11 HTTP/1.1"),
            Step(server, "/12", "GET /12 HTTP/1.1"), Step(server, "/13", "GET /13 HTTP/1.1"),
        ]
        steps[2].request.method = "OPTIONS"
        steps[2].request.requestTarget = "*"
        steps[4].request.keepsDotSegments = true
        steps[6].request.method = "POST"
        steps[6].request.body = .length(0)
        steps[8].request.connection.httpVersion = .http10
        steps[10].request.method = "HEAD"
        steps[12].request.readsCookies = true
        let loop = try TransferLoop()
        defer { loop.finish() }
        for (number, step) in steps.enumerated() {
            let outcome = Mutex<TransferOutcome?>(nil)
            await withCheckedContinuation { continuation in
                do {
                    try loop.start(loop.makeID(), step.request) {
                        Handler { ended in
                            outcome.withLock { $0 = ended }
                            continuation.resume()
                        }
                    }
                } catch {
                    Issue.record(error)
                    continuation.resume()
                }
            }
            #expect(outcome.withLock { $0?.failure } == nil, "step \(number + 1)")
            let head = try #require(server.heads.last)
            #expect("\(head.method) \(head.target) \(head.version)" == step.line)
            #expect(head["X-Step"] == step.header)
            #expect(server.requestCount == number + 1)
        }
    }
}
