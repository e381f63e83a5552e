import TestSupport
import Testing

/// What needs no namespace: an address to connect from that this machine does not have.
@Suite("Waiting for a network, without one of our own", .timeLimit(.minutes(1)))
struct WaitingAnywhereTests {
    /// RFC 5737: no host's.
    private static let elsewhere = ["--wait-for-connectivity", "--interface", "203.0.113.77"]

    @Test("T-15 --max-time ends a wait that nothing else does")
    func maxTime() async throws {
        let nginx = try Nginx.shared
        let result = try await FetchProcess(
            Self.elsewhere + ["--max-time", "5", "-O", "-", nginx.url("/hello.txt")]
        ).run()
        #expect(result.status == 124, "\(result)")
        #expect(result.stderr.contains("waiting for a network"))
    }

    @Test("a host of two addresses of which one refuses is refused, and not without a network")
    func twoAddresses() async throws {
        let refusing = try RefusingPort()
        let result = try await FetchProcess.run(
            "--wait-for-connectivity",
            // Where a route leads to everywhere, the other address takes its ten seconds each time.
            "-t",
            "1",
            "--resolve",
            "two.example:\(refusing.port):127.0.0.1,[2001:db8::1]",
            "--connect-timeout",
            "10",
            "http://two.example:\(refusing.port)/"
        )
        #expect(result.status == 4, "\(result)")
        #expect(!result.stderr.contains("waiting for a network"), "\(result)")
        #expect(!result.stderr.contains("notConnectedToInternet"), "\(result)")
    }
}
