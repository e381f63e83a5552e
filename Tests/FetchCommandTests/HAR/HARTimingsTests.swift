import Testing
import URLLoading

@testable import FetchCommand

@Suite("The phases of a request")
struct HARTimingsTests {
    private func hop(_ change: (inout HopMetrics) -> Void) -> HopMetrics {
        var hop = HopMetrics()
        hop.fetchType = .networkLoad
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

    @Test("without TLS there is none, and all adds up to the whole")
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

    @Test("TLS is counted with connecting")
    func secure() {
        let timings = HARTimings(hop { $0.secureConnect = 80 }, isSecure: true)
        #expect(timings.secureConnect == 50)
        #expect(timings.connect == 70)
        #expect(timings.blocked == 5 + 10)
        #expect(timings.total == 505)
    }

    @Test("over a connection that was there, nothing is looked up or connected")
    func reused() {
        let timings = HARTimings(hop { $0.connections = 0 }, isSecure: true)
        #expect(timings.nameLookup == nil)
        #expect(timings.connect == nil)
        #expect(timings.secureConnect == nil)
        #expect(timings.blocked == 95)
        #expect(timings.total == 505)
    }

    /// How far a request has come that failed.
    enum Furthest: CaseIterable {
        case nothing, name, connection, request, head
    }

    @Test(
        "what failed has the time until then, and what follows has none",
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

    @Test("a moment that was not noted, with later ones that were, takes no time")
    func gaps() {
        let timings = HARTimings(hop { $0.nameLookup = 0 }, isSecure: false)
        #expect(timings.nameLookup == 0)
        #expect(timings.connect == 30)
        #expect(timings.total == 505)
    }

    @Test("what needed no network waits and receives")
    func local() {
        var hop = HopMetrics()
        hop.fetchType = .localCache
        hop.responseStart = 7
        hop.end = 9
        let timings = HARTimings(hop, isSecure: true)
        #expect(timings.wait == 7)
        #expect(timings.receive == 2)
        #expect(timings.total == 9)
    }
}
