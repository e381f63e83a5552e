import TestSupport
import Testing

@Suite
struct ApacheTests {
    let apache: Apache

    init() throws {
        apache = try Apache.shared
    }

    /// The log's entries whose query is unique to the test; waits for `count` of them.
    private func log(_ query: String, _ count: Int) async -> [ApacheLogEntry] {
        await apache.log.entries(waitingFor: count) { $0.target.hasSuffix("?\(query)") }
    }

    @Test(arguments: [
        ("basic", "--basic", [200]),
        ("digest", "--digest", [401, 200]),
        ("digest-stale", "--digest", [401, 401, 200]),
        ("digest-once", "--digest", [401, 200]),
        ("basic-and-digest", "--basic", [200]),
        ("basic-and-digest", "--digest", [401, 200]),
        ("basic-and-digest", "--anyauth", [401, 200]),
    ])
    func knowsItsUsers(place: String, flag: String, statuses: [Int]) async throws {
        let query = "users\(place)\(flag)"
        for user in [TestUser.usual, .unusual] {
            let response = try await CurlResponse.get(
                flag,
                apache.url("/\(place)/hello.txt?\(query)"),
                user: user
            )
            #expect(response.statuses == statuses, "\(response)")
            #expect(response.body == "Hello, world!\n")
        }
        let requests = await log(query, 2 * statuses.count)
        #expect(requests.map(\.status) == statuses + statuses)
        let users = requests.filter { $0.status == 200 }.map(\.user)
        #expect(users == ["name", #"j\xc3\xbcrgen test"#])
    }

    @Test(arguments: [
        ("basic", "--basic"), ("digest", "--digest"), ("digest-stale", "--digest"),
        ("basic-and-digest", "--basic"), ("basic-and-digest", "--digest"),
        ("negotiate", "--basic"), ("negotiate-or-basic", "--basic"),
    ])
    func refusesOtherUsers(place: String, flag: String) async throws {
        let url = apache.url("/\(place)/hello.txt")
        let stranger = try await CurlResponse.get(url)
        #expect(stranger.statuses == [401])
        let wrong = try await CurlResponse.get(flag, "--user", "name:wrong", url)
        #expect(wrong.statuses.last == 401)
        #expect(!wrong.body.contains("Hello"))
    }

    @Test
    func offersTheConfiguredMethods() async throws {
        func challenges(_ place: String) async throws -> [String] {
            try await CurlResponse.get(apache.url("/\(place)/hello.txt")).heads
                .split(separator: "\r\n")
                .filter { $0.hasPrefix("WWW-Authenticate: ") }
                .map { String($0.dropFirst("WWW-Authenticate: ".count)) }
                .sorted()
        }
        #expect(try await challenges("basic") == [#"Basic realm="test realm""#])
        #expect(try await challenges("negotiate") == ["Negotiate"])
        let digest = try #require(try await challenges("digest").first)
        #expect(digest.hasPrefix(#"Digest realm="test realm", nonce=""#))
        #expect(digest.hasSuffix(#", algorithm=MD5, qop="auth""#))
        let both = try await challenges("basic-and-digest")
        #expect(both.count == 2)
        #expect(both.first == #"Basic realm="test realm""#)
        #expect(both.last?.hasPrefix("Digest ") == true)
    }

    @Test
    func nonceBecomesStale() async throws {
        let response = try await CurlResponse.get(
            "--digest",
            apache.url("/digest-stale/hello.txt"),
            user: .usual
        )
        #expect(response.statuses == [401, 401, 200])
        #expect(response.heads.ranges(of: "stale=true").count == 1, "\(response)")
    }

    /// The second challenge has a nonce that httpd did not issue.
    @Test
    func digestFollowsAWrongBasic() async throws {
        let url = apache.url("/basic-and-digest/hello.txt")
        let wrong = try await CurlResponse.get("--user", "name:wrong", url)
        let challenges = wrong.heads.split(separator: "\r\n").filter {
            $0.hasPrefix("WWW-Authenticate: ")
        }
        #expect(challenges.map { $0.split(separator: " ")[1] }.sorted() == ["Basic", "Digest"])
    }

    /// curl follows the redirect with its first nonce, and ignores `nextnonce`.
    @Test
    func nonceIsGoodOnce() async throws {
        let response = try await CurlResponse.get(
            "--digest",
            "--location",
            apache.url("/digest-once/again/hello.txt"),
            user: .usual
        )
        #expect(response.statuses == [401, 307, 401, 200], "\(response)")
        #expect(response.heads.contains("stale=true"))
        #expect(response.heads.contains("nextnonce="))
    }

    @Test
    func overTLSToo() async throws {
        let authority = try Certificates.shared.authority
        let response = try await CurlResponse.get(
            "--cacert",
            authority,
            "--digest",
            apache.tlsURL("/digest/hello.txt"),
            user: .usual
        )
        #expect(response.statuses == [401, 200], "\(response)")
    }

    @Test
    func requestsACertificateInTheHandshake() async throws {
        let certificates = try Certificates.shared
        let url = apache.clientCertificateURL("/open/hello.txt?certificate")
        let without = try await CurlResponse.get("--cacert", certificates.authority, url)
        #expect(without.exit != 0)
        #expect(without.statuses == [])
        #expect(without.stderr.contains("certificate required"), "\(without)")
        let with = try await CurlResponse.get(
            "--cacert",
            certificates.authority,
            "--cert",
            certificates.client.certificate,
            "--key",
            certificates.client.key,
            url
        )
        #expect(with.statuses == [200], "\(with)")
        #expect(await log("certificate", 1).map(\.user) == ["client"])
    }
}
