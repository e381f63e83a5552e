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

    /// Goes through an listener to an address.
    private func through(
        _ listener: Squid.Listener,
        to url: String,
        _ flags: String...,
        user: TestUser? = nil,
        environment: [String: String] = [:]
    ) async throws -> CurlResponse {
        let authority = try Certificates.shared.authority
        let trust = ["--proxy-cacert", authority, "--cacert", authority]
        // libcurl takes a proxy's user and password for parts of a URL, and, in 7.88, again for
        // each request of a transfer: where there is a challenge, `%41` can not be given at all.
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
        Client(
            listener: .basicAndDigest,
            flag: "--proxy-anyauth",
            user: .usual,
            challenges: [407]
        ),
        Client(listener: .basicAndDigest, user: .usual),
        Client(listener: .tls),
        Client(listener: .tlsBasic, user: .usual),
    ])
    func letsItsUsersPass(client: Client) async throws {
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
    func stopsStrangers(listener: Squid.Listener) async throws {
        let status = listener == .refusing ? 403 : 407
        let url = nginx.url("/echo/strangers")
        for arguments in [["--proxy-basic"], ["--proxytunnel"]] {
            let answer = try await through(listener, to: url, arguments[0])
            #expect(answer.statuses == [status], "\(answer)")
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
        let answer = try await through(.digest, to: url, "--proxy-basic", user: .usual)
        #expect(answer.statuses == [403], "\(answer)")
    }

    @Test
    func offersWhatItSays() async throws {
        let answer = try await through(.basicAndDigest, to: nginx.url("/echo/"))
        let challenges = answer.heads.split(separator: "\r\n").filter {
            $0.hasPrefix("Proxy-Authenticate: ")
        }
        #expect(challenges.map { $0.split(separator: " ")[1] } == ["Basic", "Digest"])
        #expect(challenges.allSatisfy { $0.contains(#" realm="test proxy""#) })
    }

    @Test
    func nonceBecomesStale() async throws {
        let answer = try await through(
            .digest,
            to: nginx.url("/redirect/chain/8"),
            "--proxy-digest",
            "--location",
            user: .usual
        )
        #expect(answer.statuses.count { $0 == 407 } == 2, "\(answer)")
        #expect(answer.heads.contains("stale=true"))
        #expect(answer.statuses.last == 200)
    }

    @Test
    func believesTickets() async throws {
        for url in [nginx.url("/echo/ticket"), nginx.tlsURL("/echo/ticket")] {
            let answer = try await through(
                .negotiate,
                to: url,
                "--proxy-negotiate",
                "--proxy-user",
                ":",
                environment: squid.kerberos.environment
            )
            #expect(answer.statuses.last == 200, "\(answer)")
        }
        let requests = await squid.log.entries(waitingFor: 2) {
            $0.port == squid.port(.negotiate) && $0.status == 200
        }
        // Other tests have tickets too.
        #expect(requests.count >= 2)
        #expect(requests.allSatisfy { $0.user == Kerberos.principal })
    }

    @Test
    func looksNamesUpItself() async throws {
        let url = "http://\(Squid.onlyKnownHere):\(nginx.httpPort)/echo/"
        let answer = try await through(.open, to: url)
        #expect(answer.statuses == [200], "\(answer)")
        #expect(answer.body.contains("host: \(Squid.onlyKnownHere):\(nginx.httpPort)\n"))
        let unknown = try await through(.open, to: "http://unknown.test/")
        #expect(unknown.statuses.count == 1 && unknown.statuses[0] >= 500, "\(unknown)")
    }
}
