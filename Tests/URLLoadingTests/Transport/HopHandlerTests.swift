import FoundationEssentials
import Synchronization
import Testing

@testable import CurlMulti
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

    private let client = HoldingClient()
    private let control = Control()
    private let loop: TransferLoop
    private let hop: CurlHop
    private let handler: HopHandler

    init() throws {
        loop = try TransferLoop()
        hop = CurlHop(loop, loop.makeID(), temporaryFolder: "/tmp")
        let request = HopRequest(
            request: try PreparedRequest(
                request("https://h/"),
                SessionSettings(kind: .ephemeral).defaultFields
            ),
            body: nil,
            bodyIsReplayable: true,
            priority: 0.5,
            responseContext: ResponseContext()
        )
        handler = HopHandler(HopID(number: 1), request, client: client, control: hop)
    }

    private var isCancelled: Bool { hop.response.isCancelled.load(ordering: .acquiring) }

    @Test("T-09 the handler ends a response whose body is too long before it is to be dropped")
    func longBeforeDecision() {
        defer { loop.finish() }
        let field = HTTPHeaderFields.Field(name: "Transfer-Encoding", value: "chunked")
        let head = ResponseHead(version: "1.1", status: 302, reason: "Found", fields: [field])
        handler.didReceive(head, sent: 0)
        let body = [UInt8](repeating: 7, count: DiscardingSink.limit + 1)
        #expect(body.withUnsafeBytes { handler.didReceive($0) } == .taken)
        #expect(!isCancelled)
        hop.decide(.discard)
        handler.didWake(control)
        #expect(isCancelled)
    }

    @Test(
        "A-01 alerts of a server that refuses the client's certificate are told from a lost connection",
        arguments: [
            (CurlCode.receiveError, "tlsv1 alert unknown ca", .clientCertificateRejected),
            (.receiveError, "tlsv1 alert access denied", .clientCertificateRejected),
            (.receiveError, "tlsv13 alert certificate required", .clientCertificateRequired),
            (.tlsConnectError, "tlsv1 alert unknown ca", .clientCertificateRejected),
            (.tlsConnectError, "sslv3 alert bad certificate", .secureConnectionFailed),
            (.receiveError, "Connection reset by peer", .networkConnectionLost),
        ] as [(CurlCode, String, URLError.Code)]
    )
    func alerts(code: CurlCode, words: String, expected: URLError.Code) {
        let failure = TransferFailure(.curl(code), detail: words)
        #expect(URLError(failure, proxy: nil).code == expected)
        loop.finish()
    }

    @Test("the handler keeps waiting for the decision on a response after another wake-up")
    func wokenEarly() {
        defer { loop.finish() }
        let head = ResponseHead(version: "1.1", status: 200, reason: "OK", fields: [])
        handler.didReceive(head, sent: 0)
        let verdict = Array("body".utf8).withUnsafeBytes { handler.didReceive($0) }
        #expect(verdict == .taken)
        handler.didComplete(TransferOutcome(failure: nil), control)
        handler.didWake(control)
        #expect(!client.heard.withLock { $0.hasEnded })
        hop.decide(.deliver)
        handler.didWake(control)
        #expect(client.heard.withLock { $0.hasEnded })
        #expect(client.heard.withLock { $0.data } == Data("body".utf8))
    }
}
