import TestSupport
import Testing

@Suite
struct SquidTests {
    let squid: Squid
    let nginx: Nginx

    init() throws {
        squid = try Squid.shared
        nginx = try Nginx.shared
    }

    /// Sends a request through a listener of the proxy.
    private func through(
        _ listener: Squid.Listener,
        to url: String,
        _ flags: String...,
        user: TestUser? = nil,
        environment: [String: String] = [:]
    ) async throws -> CurlResponse {
        let authority = try Certificates.shared.authority
        let trust = ["--proxy-cacert", authority, "--cacert", authority]
        // libcurl parses a proxy's user and password as parts of a URL, and, in 7.88, once more for each
        // request of a transfer. After a challenge `%41` cannot be expressed at all.
        let pair = user?.pair.replacing("%", with: "%25")
        let credential = pair.map { ["--proxy-user", $0] } ?? []
        return try await CurlResponse.get(
            ["--proxy", squid.url(listener), url] + trust + credential + flags,
            environment: environment
        )
    }

    struct Client {
        var listener: Squid.Listener
        var flag = "--proxy-basic"
        var user: TestUser?
        var challenges: [Int] = []
    }

    @Test(arguments: [
        Client(listener: .open),
        Client(listener: .basic, user: .usual),
        Client(listener: .basic, user: .unusual),
        Client(listener: .digest, flag: "--proxy-digest", user: .usual, challenges: [407]),
        Client(listener: .basicAndDigest, flag: "--proxy-anyauth", user: .usual, challenges: [407]),
        Client(listener: .basicAndDigest, user: .usual),
        Client(listener: .tls),
        Client(listener: .tlsBasic, user: .usual),
    ])
    func acceptsItsUsers(client: Client) async throws {
        let path = "/echo/\(client.listener)\(client.flag)\(client.user?.password.count ?? 0)"
        let plain = try await through(
            client.listener,
            to: nginx.url(path),
            client.flag,
            user: client.user
        )
        #expect(plain.statuses == client.challenges + [200], "\(plain)")
        #expect(plain.body.contains("uri: \(path)\n"))
        let tunnelled = try await through(
            client.listener,
            to: nginx.tlsURL(path),
            client.flag,
            user: client.user
        )
        #expect(tunnelled.statuses == client.challenges + [200, 200], "\(tunnelled)")
        #expect(tunnelled.body.contains("uri: \(path)\n"))

        let requests = await squid.log.entries(waitingFor: client.challenges.count + 1) {
            $0.target == nginx.url(path)
        }
        #expect(requests.map(\.status) == client.challenges + [200])
        #expect(requests.map(\.port).allSatisfy { $0 == squid.port(client.listener) })
        #expect((requests.last?.user == nil) == (client.user == nil))
    }

    @Test(arguments: Squid.Listener.allCases.filter { ![.open, .tls].contains($0) })
    func refusesOtherUsers(listener: Squid.Listener) async throws {
        let status = listener == .refusing ? 403 : 407
        let url = nginx.url("/echo/strangers")
        for arguments in [["--proxy-basic"], ["--proxytunnel"]] {
            let response = try await through(listener, to: url, arguments[0])
            #expect(response.statuses == [status], "\(response)")
        }
        let wrong = try await through(
            listener,
            to: url,
            "--proxy-anyauth",
            "--proxy-user",
            "name:wrong"
        )
        #expect(wrong.statuses.last == status, "\(wrong)")
        #expect(nginx.accessLog("/echo/strangers").isEmpty)
    }

    @Test
    func takesNoBasicForDigest() async throws {
        let url = nginx.url("/echo/")
        let response = try await through(.digest, to: url, "--proxy-basic", user: .usual)
        #expect(response.statuses == [403], "\(response)")
    }

    @Test
    func offersTheConfiguredMethods() async throws {
        let response = try await through(.basicAndDigest, to: nginx.url("/echo/"))
        let challenges = response.heads.split(separator: "\r\n").filter {
            $0.hasPrefix("Proxy-Authenticate: ")
        }
        #expect(challenges.map { $0.split(separator: " ")[1] } == ["Basic", "Digest"])
        #expect(challenges.allSatisfy { $0.contains(#" realm="test proxy""#) })
    }

    @Test
    func nonceBecomesStale() async throws {
        let response = try await through(
            .digest,
            to: nginx.url("/redirect/chain/8"),
            "--proxy-digest",
            "--location",
            user: .usual
        )
        #expect(response.statuses.count { $0 == 407 } == 2, "\(response)")
        #expect(response.heads.contains("stale=true"))
        #expect(response.statuses.last == 200)
    }

    @Test
    func acceptsTickets() async throws {
        for url in [nginx.url("/echo/ticket"), nginx.tlsURL("/echo/ticket")] {
            let response = try await through(
                .negotiate,
                to: url,
                "--proxy-negotiate",
                "--proxy-user",
                ":",
                environment: squid.kerberos.environment
            )
            #expect(response.statuses.last == 200, "\(response)")
        }
        let requests = await squid.log.entries(waitingFor: 2) {
            $0.port == squid.port(.negotiate) && $0.status == 200
        }
        // Other tests have tickets as well.
        #expect(requests.count >= 2)
        #expect(requests.allSatisfy { $0.user == Kerberos.principal })
    }

    @Test
    func looksNamesUpItself() async throws {
        let url = "http://\(Squid.onlyKnownHere):\(nginx.httpPort)/echo/"
        let response = try await through(.open, to: url)
        #expect(response.statuses == [200], "\(response)")
        #expect(response.body.contains("host: \(Squid.onlyKnownHere):\(nginx.httpPort)\n"))
        let unknown = try await through(.open, to: "http://unknown.test/")
        #expect(unknown.statuses.count == 1 && unknown.statuses[0] >= 500, "\(unknown)")
    }
}
