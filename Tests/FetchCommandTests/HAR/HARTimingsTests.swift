import Testing
import URLLoading

@testable import FetchCommand

@Suite("Timings of a request in HAR")
struct HARTimingsTests {
    private func hop(_ change: (inout HopMetrics) -> Void) -> HopMetrics {
        var hop = HopMetrics()
        hop.resourceFetchType = .networkLoad
        hop.waited = 5
        hop.nameLookup = 10
        hop.connect = 30
        hop.requestStart = 90
        hop.requestEnd = 95
        hop.responseStart = 200
        hop.end = 500
        hop.connections = 1
        change(&hop)
        return hop
    }

    @Test("a request without TLS has no TLS time, and the phases add up to the total")
    func plain() {
        let timings = HARTimings(hop { _ in }, isSecure: false)
        #expect(timings.blocked == 5 + 60)
        #expect(timings.nameLookup == 10)
        #expect(timings.connect == 20)
        #expect(timings.secureConnect == nil)
        #expect(timings.send == 5)
        #expect(timings.wait == 105)
        #expect(timings.receive == 300)
        #expect(timings.total == 505)
    }

    @Test("the connect time includes the TLS handshake")
    func secure() {
        let timings = HARTimings(hop { $0.secureConnect = 80 }, isSecure: true)
        #expect(timings.secureConnect == 50)
        #expect(timings.connect == 70)
        #expect(timings.blocked == 5 + 10)
        #expect(timings.total == 505)
    }

    @Test("a reused connection has no time for name lookup or connecting")
    func reused() {
        let timings = HARTimings(hop { $0.connections = 0 }, isSecure: true)
        #expect(timings.nameLookup == nil)
        #expect(timings.connect == nil)
        #expect(timings.secureConnect == nil)
        #expect(timings.blocked == 95)
        #expect(timings.total == 505)
    }

    /// The last phase that a failed request reached.
    enum Furthest: CaseIterable {
        case nothing, name, connection, request, head
    }

    @Test(
        "a failed phase has the time until the failure, and later phases have none",
        arguments: Furthest.allCases
    )
    func failed(furthest: Furthest) {
        let hop = hop { hop in
            switch furthest {
            case .nothing: hop.nameLookup = 0
            default: break
            }
            if [.nothing, .name].contains(furthest) { hop.connect = 0 }
            if [.nothing, .name, .connection].contains(furthest) {
                (hop.requestStart, hop.requestEnd) = (0, 0)
            }
            if furthest != .head { hop.responseStart = 0 }
        }
        let timings = HARTimings(hop, isSecure: furthest == .connection)
        #expect(timings.total == 505)
        switch furthest {
        case .nothing:
            #expect(timings.nameLookup == 500)
            #expect(timings.connect == nil)
        case .name:
            #expect(timings.connect == 490)
            #expect(timings.send + timings.wait + timings.receive == 0)
        case .connection: #expect(timings.secureConnect == 470)
        case .request: #expect(timings.wait == 405)
        case .head: #expect(timings.receive == 300)
        }
    }

    @Test("a phase without a recorded moment takes no time where later moments are recorded")
    func gaps() {
        let timings = HARTimings(hop { $0.nameLookup = 0 }, isSecure: false)
        #expect(timings.nameLookup == 0)
        #expect(timings.connect == 30)
        #expect(timings.total == 505)
    }

    @Test("a response from the cache has only wait and receive times")
    func local() {
        var hop = HopMetrics()
        hop.resourceFetchType = .localCache
        hop.responseStart = 7
        hop.end = 9
        let timings = HARTimings(hop, isSecure: true)
        #expect(timings.wait == 7)
        #expect(timings.receive == 2)
        #expect(timings.total == 9)
    }
}
