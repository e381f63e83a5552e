import Testing

@testable import URLLoading

@Suite("Whose answers a session shares")
struct CacheScopeTests {
    private func scope(
        isSecure: Bool = true,
        _ identity: String? = nil,
        _ change: (inout URLSessionConfiguration.TransportOptions) -> Void = { _ in }
    ) -> String? {
        var settings = SessionSettings(kind: .ephemeral)
        change(&settings.transport)
        return settings.cacheScope(identity, isSecure: isSecure)
    }

    @Test("C-01 a session that is told nothing of servers shares with all such")
    func shared() {
        #expect(scope() == nil)
        #expect(scope { $0.connectTimeout = 5 } == nil)
        #expect(scope { $0.proxy = .none } == nil)
        #expect(scope(isSecure: false) { $0.trust.verifiesServer = false } == nil)
    }

    @Test("C-01 what came from a server that need not prove itself serves nobody who wants proof")
    func apart() {
        let scopes = [
            scope { $0.trust.verifiesServer = false },
            scope { $0.trust.certificateAuthorityFile = "/a" },
            scope { $0.trust.certificateAuthorityFolder = "/a" },
            scope { $0.unixSocketPath = "/a" },
            scope { $0.resolve = ["h:80:127.0.0.1"] },
            scope("NTLM user"),
        ]
        #expect(!scopes.contains(nil))
        #expect(Set(scopes.compactMap { $0 }).count == scopes.count)
    }
}
