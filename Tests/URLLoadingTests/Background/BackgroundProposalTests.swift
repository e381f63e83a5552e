import FoundationEssentials
import Testing

@testable import URLLoading

/// Stored credentials that a program sends to a transfer process without a delegate's decision.
@Suite("Background sessions and stored credentials", .timeLimit(.minutes(1)))
struct BackgroundProposalTests {
    /// The challenging servers, and whether a stored credential is sent by default.
    static let places:
        [(scheme: String, host: String, port: Int, isProxy: Bool, isReported: Bool)] = [
            ("http", "home.test", 80, false, true),
            ("http", "elsewhere.test", 80, false, false),
            ("http", "home.test", 8_080, false, false),
            ("https", "elsewhere.test", 443, false, true),
            ("https", "home.test", 443, false, true),
            (NSURLProtectionSpaceHTTPProxy, "proxy.test", 3_128, true, true),
        ]

    @Test("C-04 a server that a redirect has chosen gets no stored password in clear text")
    func redirected() async throws {
        let storage = URLCredentialStorage()
        let session = try URLSession.testing { $0.urlCredentialStorage = storage }
        defer { session.invalidateAndCancel() }
        let home = try #require(URL(string: "http://HOME.test/file"))
        let task = session.downloadTask(with: home)
        let credential = URLCredential(user: "u", password: "p", persistence: .forSession)
        for place in Self.places {
            let record = ChallengeRecord(
                host: place.host,
                port: place.port,
                scheme: place.scheme,
                realm: "r",
                method: NSURLAuthenticationMethodHTTPBasic,
                isProxy: place.isProxy,
                failures: 0
            )
            storage.setDefaultCredential(credential, for: record.space)
            let used: String? = await withCheckedContinuation { continuation in
                task.ask(record) { disposition, credential in
                    let isUsed = disposition == .useCredential
                    continuation.resume(returning: isUsed ? credential?.user : nil)
                }
            }
            #expect(used == (place.isReported ? "u" : nil), "\(place)")
        }
    }
}
