import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import URLLoading

@Suite("Hosts with an HSTS policy", .timeLimit(.minutes(1)))
struct HSTSTests {
    private static let now: Int64 = 1_800_000_000

    private func field(_ age: Int64, subdomains: Bool = false) throws -> HSTSField {
        try #require(HSTSField("max-age=\(age)" + (subdomains ? "; includeSubDomains" : "")))
    }

    private func hosts(_ promises: [(String, Bool)]) throws -> HSTSHosts {
        var hosts = HSTSHosts()
        for (host, includesSubdomains) in promises {
            hosts[ExactText(host)] = .init(
                end: Self.now + 100,
                includesSubdomains: includesSubdomains
            )
        }
        return hosts
    }

    /// A field, its age, and whether it includes the hosts below.
    static let fields: [(String, Int64?, Bool)] = [
        ("max-age=100", 100, false), ("MAX-AGE=0", 0, false),
        ("max-age=\"31536000\" ; includeSubDomains; preload", 31_536_000, true),
        ("includesubdomains;max-age=1;", 1, true), (" ; max-age = 5", 5, false),
        ("max-age=99999999999999999999", 3_153_600_000, false),
        ("", nil, false), ("max-age", nil, false), ("max-age=", nil, false),
        ("max-age=-1", nil, false), ("max-age=1; max-age=2", nil, false),
        ("max-age=1; includeSubDomains=yes", nil, false), ("includeSubDomains", nil, false),
        ("max-age=1; in valid", nil, false), ("max-age=1, max-age=2", nil, false),
    ]

    @Test("the field follows RFC 6797", arguments: fields)
    func field(text: String, age: Int64?, includesSubdomains: Bool) {
        let field = HSTSField(text)
        #expect(field?.maximumAge == age)
        #expect(field.map(\.includesSubdomains) ?? false == includesSubdomains)
    }

    /// A URL and its upgraded form, where example.com has promised for all hosts below it, and
    /// exact.example for itself.
    static let urls: [(String, String?)] = [
        ("http://example.com/x?y#z", "https://example.com/x?y#z"),
        ("http://EXAMPLE.com", "https://EXAMPLE.com"),
        ("http://a.b.example.com:80/", "https://a.b.example.com/"),
        ("http://example.com:8080/", "https://example.com:8080/"),
        ("http://example.com./", "https://example.com./"),
        ("http://u:p@example.com/", "https://u:p@example.com/"),
        ("http://exact.example/", "https://exact.example/"), ("http://a.exact.example/", nil),
        ("http://badexample.com/", nil), ("http://com/", nil), ("https://example.com/", nil),
        ("ftp://example.com/", nil), ("http://127.0.0.1/", nil),
    ]

    @Test("the client reaches a host that has promised TLS over TLS", arguments: urls)
    func upgraded(text: String, expected: String?) throws {
        let hosts = try hosts([("example.com", true), ("exact.example", false)])
        #expect(hosts.upgraded(try url(text), Self.now)?.absoluteString == expected)
        #expect(hosts.upgraded(try url(text), Self.now + 100) == nil)
    }

    @Test("an age of 0 removes the policy, and one that is a day longer changes nothing")
    func changes() throws {
        let hosts = try hosts([("example.com", false)])
        let gone = hosts.change(by: try field(0), of: "example.com", Self.now)
        #expect(gone != nil && gone?.policy == nil)
        #expect(hosts.change(by: try field(0), of: "other.example", Self.now) == nil)
        #expect(hosts.change(by: try field(86_400), of: "example.com", Self.now) == nil)
        #expect(hosts.change(by: try field(200_000), of: "example.com", Self.now) != nil)
        #expect(hosts.change(by: try field(50), of: "example.com", Self.now) != nil)
        #expect(
            hosts.change(by: try field(100, subdomains: true), of: "example.com", Self.now) != nil
        )
        #expect(hosts.change(by: try field(100), of: "192.0.2.1", Self.now) == nil)
        #expect(hosts.change(by: try field(100), of: "[::1]", Self.now) == nil)
    }

    @Test("the client reads curl's file, and writes it as curl does")
    func file() throws {
        let text = """
            # Your HSTS cache. https://curl.se/docs/hsts.html
            .example.com "20991231 23:59:59"
            exact.example "unlimited"
            old.example "20010203 04:05:06"

            """
        let content = HSTSFile.read(Data(text.utf8))
        #expect(content.invalidLine == nil)
        #expect(content.hosts[ExactText("example.com")]?.end == 4_102_444_799)
        #expect(content.hosts[ExactText("old.example")]?.end == 981_173_106)
        var changes = StateChanges<ExactText, HSTSHosts.Policy>()
        changes.note(ExactText("new.example"), .init(end: Self.now + 1, includesSubdomains: true))
        let data = try HSTSFile.merged(Data(text.utf8), path: "p", changes, Self.now)
        let lines = data.map { String(decoding: $0, as: UTF8.self) }?.split(separator: "\n")
        #expect(
            lines?.dropFirst(2) == [
                "exact.example \"unlimited\"", ".example.com \"20991231 23:59:59\"",
                ".new.example \"20270115 08:00:01\"",
            ]
        )
        // wget has its own file format.
        let foreign = Data("example.com\t0\t1\t1700000000\t31536000\n".utf8)
        #expect(throws: PrivateFileError.self) {
            try HSTSFile.merged(foreign, path: "p", changes, Self.now)
        }
    }

    @Test(
        "the client refuses a line of the file whose name is no host",
        arguments: ["127.true010..", "%2e%xale", "a..example", ".."]
    )
    func strangeNames(name: String) throws {
        let text = "h.example \"unlimited\"\n\(name) \"unlimited\"\n"
        #expect(HSTSFile.read(Data(text.utf8)).invalidLine == 2)
        #expect(HSTSHosts.name(name) == nil)
    }

    @Test("the client writes the last leap second of four digits so that it can read it again")
    func lastMoment() throws {
        // The expired host goes, so that the client writes the file.
        let text = "h.example \"99991231 23:59:60\"\nold.example \"20010203 04:05:06\"\n"
        let merged = try HSTSFile.merged(Data(text.utf8), path: "p", StateChanges(), Self.now)
        let data = try #require(merged)
        let content = HSTSFile.read(data)
        #expect(content.invalidLine == nil)
        #expect(content.hosts.covers("h.example", Self.now))
    }

    @Test("S-02 a policy is saved for later runs, readable by this user only, and written once")
    func kept() throws {
        let folder = try TemporaryFolder("hsts")
        let path = folder.path("fetch")
        let first = HSTSStorage(.folder { path })
        first.take(try field(1_000_000), from: "Example.com")
        first.flush()
        var status = stat()
        #expect(lstat(folder.path("fetch/hsts"), &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        let second = HSTSStorage(.folder { path })
        #expect(try second.upgraded(url("http://example.com/"))?.scheme == "https")
        try folder.setModified(1_000, of: "fetch/hsts")
        second.take(try field(1_000_000), from: "example.com")
        second.flush()
        #expect(folder.modified("fetch/hsts") == 1_000)
    }

    @Test("S-02 the client uses a file that others may read, with a warning")
    func readableByOthers() throws {
        let folder = try TemporaryFolder("hsts")
        let path = folder.path("fetch")
        try folder.write("example.com \"unlimited\"\n", to: "fetch/hsts")
        try #require(chmod(path, 0o700) == 0)
        for mode in [0o644, 0o640, 0o604] as [mode_t] {
            try #require(chmod(folder.path("fetch/hsts"), mode) == 0)
            let storage = HSTSStorage(.folder { path })
            #expect(try storage.upgraded(url("http://example.com/"))?.scheme == "https")
            let words = try #require(storage.takeStorageError())
            #expect(words.contains("is used, although other users can read it"), "\(words)")
            #expect(storage.takeStorageError() == nil)
        }
        let storage = HSTSStorage(.folder { path })
        storage.take(try field(1_000_000), from: "new.example")
        storage.flush()
        var status = stat()
        #expect(lstat(folder.path("fetch/hsts"), &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        let next = HSTSStorage(.folder { path })
        #expect(try next.upgraded(url("http://new.example/")) != nil)
        #expect(try next.upgraded(url("http://example.com/")) != nil)
        #expect(next.takeStorageError() == nil)
    }

    @Test(
        "the client refuses a file that others may write, with a warning",
        arguments: [0o622, 0o666]
    )
    func writableByOthers(mode: mode_t) throws {
        let folder = try TemporaryFolder("hsts")
        let path = folder.path("fetch")
        try folder.write("example.com \"unlimited\"\n", to: "fetch/hsts")
        try #require(chmod(path, 0o700) == 0)
        try #require(chmod(folder.path("fetch/hsts"), mode) == 0)
        let storage = HSTSStorage(.folder { path })
        #expect(try storage.upgraded(url("http://example.com/")) == nil)
        #expect(storage.takeStorageError()?.contains("other users can write to it") == true)
    }

    @Test("S-02 a policy over TLS applies to the session's next plain request")
    func exchange() async throws {
        let nginx = try Nginx.shared
        let recorder = UpgradeRecorder()
        let session = try URLSession.testing(recorder)
        _ = try await session.data(from: try url(nginx.tlsURL("/hsts/1000")))
        let clear = nginx.tlsURL("/echo/upgraded").replacing("https:", with: "http:")
        let (data, response) = try await session.data(from: try url(clear))
        #expect(String(decoding: data, as: UTF8.self).contains("tls: TLSv1"))
        #expect(response.url?.scheme == "https")
        #expect(recorder.upgrades == [nginx.tlsURL("/echo/upgraded")])
        _ = try await session.data(from: try url(nginx.tlsURL("/hsts/0")))
        #expect(await errorCode { _ = try await session.data(from: try url(clear)) } == nil)
        #expect(recorder.upgrades.count == 1)
        session.finishTasksAndInvalidate()
    }

    @Test("a policy without TLS, or from an unverified server, is ignored")
    func untrusted() async throws {
        let nginx = try Nginx.shared
        let session = try URLSession.testing { $0.transport.trust.verifiesServer = false }
        _ = try await session.data(from: try url(nginx.tlsURL("/hsts/1000")))
        #expect(session.hsts?.upgraded(try url("http://localhost/")) == nil)
        session.finishTasksAndInvalidate()
        let other = try URLSession.testing()
        let plain = nginx.url("/hsts/1000").replacing("127.0.0.1", with: "localhost")
        _ = try await other.data(from: try url(plain))
        #expect(other.hsts?.upgraded(try url("http://localhost/")) == nil)
        other.finishTasksAndInvalidate()
        let off = try URLSession.testing { $0.transport.strictTransportSecurity = .none }
        #expect(off.hsts == nil)
        off.invalidateAndCancel()
    }

    @Test("a policy is ignored where the delegate accepts an invalid certificate")
    func overlooked() async throws {
        let session = try URLSession.testing(TrustAllDelegate())
        _ = try await session.data(from: try url(Nginx.shared.selfSignedURL("/hsts/1000")))
        #expect(session.hsts?.upgraded(try url("http://localhost/")) == nil)
        session.finishTasksAndInvalidate()
    }
}
