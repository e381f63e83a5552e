import Testing

@testable import URLLoading

@Suite("Sessions that share responses")
struct CacheScopeTests {
    private func scope(
        isSecure: Bool = true,
        fields: [String: String] = [:],
        through proxy: String? = nil,
        _ change: (inout URLSessionConfiguration.TransportOptions) -> Void = { _ in }
    ) throws -> String? {
        var settings = SessionSettings(kind: .ephemeral)
        change(&settings.transport)
        var request = try request(isSecure ? "https://h/" : "http://h/")
        for field in fields { request.setValue(field.value, forHTTPHeaderField: field.key) }
        return settings.cacheScope(
            try PreparedRequest(request, settings.defaultFields),
            proxy.flatMap { ProxyServer($0) }
        )
    }

    @Test("C-01 a session without trust settings shares responses with all others without them")
    func shared() throws {
        #expect(try scope() == nil)
        #expect(try scope { $0.connectTimeout = 5 } == nil)
        #expect(try scope { $0.proxy = .none } == nil)
        #expect(try scope(isSecure: false) { $0.trust.verifiesServer = false } == nil)
        #expect(try scope(fields: ["Accept": "text/html"]) == nil)
        #expect(try scope(through: "http://p:1") == nil)
    }

    @Test("C-01 a response from an unverified server serves no session that verifies")
    func apart() throws {
        let scopes = [
            try scope { $0.trust.verifiesServer = false },
            try scope { $0.trust.certificateAuthorityFile = "/a" },
            try scope { $0.trust.certificateAuthorityFolder = "/a" },
            try scope { $0.unixSocketPath = "/a" },
            try scope { $0.resolve = ["h:80:127.0.0.1"] },
            try scope { $0.trust.pinnedPublicKey = "sha256//a" },
            try scope { $0.trust.revocationListFile = "/a" },
            try scope { $0.ciphers = "a" },
            try scope(isSecure: false, through: "http://p:1"),
            try scope(isSecure: false, through: "http://p:2"),
            try scope(fields: ["Host": "other"]),
            try scope(fields: ["X-Key": "alice"]) { $0.secretHeaders = ["X-Key"] },
        ]
        #expect(!scopes.contains(nil))
        #expect(Set(scopes.compactMap { $0 }).count == scopes.count)
    }
}
