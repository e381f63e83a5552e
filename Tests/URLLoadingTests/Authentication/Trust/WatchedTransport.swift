import FoundationEssentials
import Glibc
import Synchronization

@testable import URLLoading

/// The real transport, with access to its loop's thread once a server has shown its certificate.
final class WatchedTransport: Transport {
    private let transport: CurlTransport
    private let clock = Mutex<clockid_t?>(nil)

    init(_ settings: SessionSettings) {
        transport = CurlTransport(settings)
    }

    /// The processor time of the loop's thread, in seconds; `nil` before the thread is known.
    var loopTime: Double? {
        clock.withLock { $0 }.map { clock in
            var time = timespec()
            clock_gettime(clock, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
        }
    }

    func start(
        _ request: HopRequest,
        id: HopID,
        client: any HopClient
    ) throws(URLError) -> any RunningHop {
        try transport.start(request, id: id, client: Client(client) { self.noteThread() })
    }

    func finish() {
        transport.finish()
    }

    private func noteThread() {
        var id = clockid_t()
        guard pthread_getcpuclockid(pthread_self(), &id) == 0 else { return }
        clock.withLock { $0 = id }
    }

    /// Forwards all calls.
    private final class Client: HopClient {
        private let client: any HopClient
        private let note: @Sendable () -> Void

        init(_ client: any HopClient, _ note: @escaping @Sendable () -> Void) {
            self.client = client
            self.note = note
        }

        func hop(_ id: HopID, didReceive trust: ServerTrust) -> TrustDecision? {
            note()
            return client.hop(id, didReceive: trust)
        }

        func hop(_ id: HopID, didReceive head: HopHead) -> BodyDisposition {
            client.hop(id, didReceive: head)
        }

        func hop(_ id: HopID, didReceive response: URLResponse) -> BodyDisposition {
            client.hop(id, didReceive: response)
        }

        func hop(_ id: HopID, didReceive data: Data) { client.hop(id, didReceive: data) }

        func hop(_ id: HopID, didSend total: Int64) { client.hop(id, didSend: total) }

        func hop(_ id: HopID, didResumeAt offset: Int64, total: Int64?) {
            client.hop(id, didResumeAt: offset, total: total)
        }

        func hop(_ id: HopID, didWrite total: Int64) { client.hop(id, didWrite: total) }

        func hop(_ id: HopID, didEnd end: HopEnd) { client.hop(id, didEnd: end) }
    }
}
