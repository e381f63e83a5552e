import Testing

@testable import CurlMulti

@Suite("Origin gate")
struct OriginGateTests {
    private func ids(_ range: Range<UInt64>) -> [TransferID] {
        range.map(TransferID.init(rawValue:))
    }

    @Test(
        "the gate runs at most one transfer per connection, and each end admits the next in order"
    )
    func single() {
        var gate = OriginGate(connectionsPerHost: 2)
        let all = ids(0..<5)
        let admitted = all.map { gate.admit($0, to: "http://h", mayMultiplex: false) }
        #expect(admitted == [true, true, false, false, false])
        do {
            let result = gate.admit(ids(9..<10)[0], to: "http://other", mayMultiplex: false)
            #expect(result)
        }
        do {
            let result = gate.ended("http://h")
            #expect(result == [all[2]])
        }
        do {
            let result = gate.ended("http://h")
            #expect(result == [all[3]])
        }
        gate.withdraw(all[4], from: "http://h")
        do {
            let result = gate.ended("http://h")
            #expect(result == [])
        }
        do {
            let result = gate.ended("http://h")
            #expect(result == [])
        }
        do {
            let result = gate.admit(all[0], to: "http://h", mayMultiplex: false)
            #expect(result)
        }
    }

    @Test(
        "one transfer goes first where HTTP/2 is possible, and its protocol decides about the others"
    )
    func multiplexed() {
        var gate = OriginGate(connectionsPerHost: 2)
        let all = ids(0..<5)
        let admitted = all.map { gate.admit($0, to: "https://h", mayMultiplex: true) }
        #expect(admitted == [true, false, false, false, false])
        do {
            let result = gate.connected("https://h")
            #expect(result == [all[1]])
        }
        do {
            let result = gate.connected("https://h")
            #expect(result == [])
        }
        do {
            let result = gate.multiplexes("https://h")
            #expect(result == [all[2], all[3], all[4]])
        }
        do {
            let result = gate.multiplexes("https://h")
            #expect(result == [])
        }
    }

    @Test("the next transfer goes first where the first one fails")
    func leaderFails() {
        var gate = OriginGate(connectionsPerHost: 2)
        let all = ids(0..<3)
        for id in all { _ = gate.admit(id, to: "https://h", mayMultiplex: true) }
        do {
            let result = gate.ended("https://h")
            #expect(result == [all[1]])
        }
        do {
            let result = gate.ended("https://h")
            #expect(result == [all[2]])
        }
        do {
            let result = gate.ended("https://h")
            #expect(result == [])
        }
    }

    @Test(
        "the gate counts connections per scheme, host and port, and per Unix socket",
        arguments: [
            ("http://h/a/b?c", "http://h"), ("HTTP://H:81", "http://h:81"),
            ("http://h?q", "http://h"),
            ("https://[::1]:8/x", "https://[::1]:8"), ("https://h:443/", "https://h"),
            ("http://h:80/", "http://h"), ("https://h:80/", "https://h:80"),
        ]
    )
    func names(url: String, origin: String) {
        var request = TransferRequest(url: url)
        #expect(request.origin == origin)
        request.connection.unixSocketPath = "/s"
        #expect(request.origin == "/s" + origin)
    }
}
