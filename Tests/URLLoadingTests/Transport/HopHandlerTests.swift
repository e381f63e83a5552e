import CurlMulti
import FoundationEssentials
import Synchronization
import Testing

@testable import URLLoading

@Suite("Hop handlers")
struct HopHandlerTests {
    /// Holds every head, and keeps the received calls.
    private final class HoldingClient: HopClient {
        struct Heard {
            var data = Data()
            var hasEnded = false
        }

        let heard = Mutex(Heard())

        func hop(_ id: HopID, didReceive trust: ServerTrust) -> TrustDecision? { nil }
        func hop(_ id: HopID, didReceive head: HopHead) -> BodyDisposition { .hold }
        func hop(_ id: HopID, didReceive response: URLResponse) -> BodyDisposition { .hold }
        func hop(_ id: HopID, didReceive data: Data) { heard.withLock { $0.data += data } }
        func hop(_ id: HopID, didSend total: Int64) {}
        func hop(_ id: HopID, didResumeAt offset: Int64, total: Int64?) {}
        func hop(_ id: HopID, didWrite total: Int64) {}
        func hop(_ id: HopID, didEnd end: HopEnd) { heard.withLock { $0.hasEnded = true } }
    }

    private final class Control: TransferControl {
        func resumeReceiving() {}
        func release() {}
    }

    @Test("the handler keeps waiting for the decision on a response after another wake-up")
    func wokenEarly() throws {
        let client = HoldingClient()
        let loop = try TransferLoop()
        defer { loop.finish() }
        let hop = CurlHop(loop, loop.makeID(), temporaryFolder: "/tmp")
        let request = HopRequest(
            request: try PreparedRequest(request("https://h/"), SessionSettings(kind: .ephemeral)),
            body: nil,
            bodyIsReplayable: true,
            priority: 0.5,
            responseContext: ResponseContext()
        )
        let handler = HopHandler(HopID(number: 1), request, client: client, control: hop)
        let control = Control()
        handler.didReceive(ResponseHead(version: "1.1", status: 200, reason: "OK", fields: []))
        let verdict = Array("body".utf8).withUnsafeBytes { handler.didReceive($0) }
        #expect(verdict == .taken)
        handler.didComplete(TransferOutcome(failure: nil, metrics: TransferMetrics()), control)
        handler.didWake(control)
        #expect(!client.heard.withLock { $0.hasEnded })
        hop.decide(.deliver)
        handler.didWake(control)
        #expect(client.heard.withLock { $0.hasEnded })
        #expect(client.heard.withLock { $0.data } == Data("body".utf8))
    }
}
