import TestSupport
import Testing

/// Waits without a namespace: the local address is one that this machine does not have.
@Suite("Waiting for a network without a namespace", .timeLimit(.minutes(1)))
struct WaitingAnywhereTests {
    /// RFC 5737: a documentation address, which no host has.
    private static let elsewhere = ["--wait-for-connectivity", "--interface", "203.0.113.77"]

    @Test("T-15 --max-time ends an endless wait for a network")
    func maxTime() async throws {
        let nginx = try Nginx.shared
        let result = try await FetchProcess(
            Self.elsewhere + ["--max-time", "5", "-O", "-", nginx.url("/hello.txt")]
        ).run()
        #expect(result.status == 124, "\(result)")
        #expect(result.stderr.contains("waiting for a network"))
    }

    @Test("a host of two addresses, one of which refuses, counts as refused and not as unreachable")
    func twoAddresses() async throws {
        let refusing = try RefusingPort()
        let result = try await FetchProcess.run(
            "--wait-for-connectivity",
            // Where a default route exists, the other address takes its ten seconds each time.
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
