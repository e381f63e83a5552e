import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import URLLoading

@Suite("Hops without a network")
struct LocalHopTests {
    private final class Client: HopClient {
        struct Heard {
            var heads = 0
            var data: [Data] = []
            var ends: [HopEnd] = []
        }

        let heard = Mutex(Heard())
        private let disposition: BodyDisposition

        init(_ disposition: BodyDisposition) { self.disposition = disposition }

        func hop(_ id: HopID, didReceive trust: ServerTrust) -> TrustDecision? { nil }
        func hop(_ id: HopID, didReceive head: HopHead) -> BodyDisposition {
            heard.withLock { $0.heads += 1 }
            return disposition
        }
        func hop(_ id: HopID, didReceive response: URLResponse) -> BodyDisposition { .discard }
        func hop(_ id: HopID, didReceive data: Data) { heard.withLock { $0.data.append(data) } }
        func hop(_ id: HopID, didSend total: Int64) {}
        func hop(_ id: HopID, didResumeAt offset: Int64, total: Int64?) {}
        func hop(_ id: HopID, didWrite total: Int64) {}
        func hop(_ id: HopID, didEnd end: HopEnd) { heard.withLock { $0.ends.append(end) } }

        var bytes: Int { heard.withLock { $0.data.reduce(0) { $0 + $1.count } } }
        var end: HopEnd? { heard.withLock { $0.ends.first } }
    }

    /// A body of a number of zeros, which comes at its release.
    private final class Source: ResponseSource, Sendable {
        struct State {
            var left: Int
            var isPaused: Bool
            var error: URLError?
            var wake: (@Sendable () -> Void)?
            var stops = 0
        }

        let state: Mutex<State>

        init(_ count: Int, isPaused: Bool = false, error: URLError? = nil) {
            state = Mutex(State(left: count, isPaused: isPaused, error: error))
        }

        func start(wake: @escaping @Sendable () -> Void) { state.withLock { $0.wake = wake } }

        func response() throws(URLError) -> SourceResponse {
            let (isPaused, error) = state.withLock { ($0.isPaused, $0.error) }
            if let error { throw error }
            if isPaused { return .later }
            return .http(
                HopHead(
                    status: 200,
                    httpVersion: "HTTP/1.1",
                    reason: "",
                    fields: HTTPHeaderFields()
                )
            )
        }

        func read(into space: UnsafeMutableRawBufferPointer) -> SourceRead {
            state.withLock { state in
                let count = min(state.left, space.count)
                state.left -= count
                for index in 0..<count { space[index] = 0 }
                return count == 0 ? .end : .bytes(count)
            }
        }

        func stop() { state.withLock { $0.stops += 1 } }

        func letGo() {
            let wake = state.withLock { state in
                state.isPaused = false
                return state.wake
            }
            wake?()
        }

        var left: Int { state.withLock { $0.left } }
        var stops: Int { state.withLock { $0.stops } }
    }

    private func hop(
        _ source: Source,
        _ client: Client,
        timeLimit: Duration? = nil
    ) -> LocalHop {
        LocalHop(
            source,
            ResponseContext(),
            id: HopID(number: 1),
            client: client,
            temporaryFolder: "/tmp",
            timeLimit: timeLimit
        )
    }

    @Test("the hop holds the body until its client's decision, and then delivers it whole")
    func holds() async {
        let (source, client) = (Source(1000), Client(.hold))
        let hop = hop(source, client)
        #expect(await eventually { source.left == 0 })
        #expect(client.bytes == 0)
        #expect(client.end == nil)
        hop.decide(.deliver)
        #expect(await eventually { client.end != nil })
        #expect(client.bytes == 1000)
        #expect(client.end?.error == nil)
        #expect(source.stops == 1)
    }

    @Test("the hop reads no more of a source than its client takes")
    func backPressure() async {
        let size = 10 << 20
        let (source, client) = (Source(size), Client(.deliver))
        let hop = hop(source, client)
        #expect(await eventually { client.bytes >= DeliveryWindow.limit })
        #expect(source.left > size / 2)
        var taken = 0
        while client.end == nil {
            let bytes = client.bytes - taken
            taken += bytes
            if bytes > 0 { hop.consumed(bytes) }
            await Task.yield()
        }
        #expect(client.bytes == size)
    }

    @Test("the hop waits for a source that has nothing yet, and ends at a cancel meanwhile")
    func cancels() async {
        let (source, client) = (Source(1000, isPaused: true), Client(.collect))
        let hop = hop(source, client)
        hop.cancel()
        #expect(await eventually { client.end != nil })
        #expect(client.end?.error?.code == .cancelled)
        #expect(client.heard.withLock { $0.heads } == 0)
        source.letGo()
        hop.resume()
        #expect(source.stops == 1)
    }

    @Test("the hop does nothing while it is suspended")
    func suspends() async {
        let (source, client) = (Source(1000, isPaused: true), Client(.collect))
        let hop = hop(source, client)
        hop.suspend()
        source.letGo()
        #expect(client.heard.withLock { $0.heads } == 0)
        hop.resume()
        #expect(await eventually { client.end != nil })
        #expect(client.end?.collected?.count == 1000)
    }

    @Test("the hop ends at its time limit")
    func timesOut() async {
        let (source, client) = (Source(1000, isPaused: true), Client(.collect))
        let hop = hop(source, client, timeLimit: .milliseconds(50))
        #expect(await eventually { client.end != nil })
        #expect(client.end?.error?.code == .timedOut)
        withExtendedLifetime(hop) {}
    }

    @Test("the hop fails with its source's error")
    func fails() async {
        let source = Source(1000, error: URLError(.fileDoesNotExist))
        let client = Client(.collect)
        let hop = hop(source, client)
        #expect(await eventually { client.end != nil })
        #expect(client.end?.error?.code == .fileDoesNotExist)
        withExtendedLifetime(hop) {}
    }
}
