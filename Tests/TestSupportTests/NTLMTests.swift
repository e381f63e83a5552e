import TestSupport
import Testing

@Suite
struct NTLMTests {
    let ntlm: NTLM
    let nginx: Nginx

    init() throws {
        ntlm = try NTLM.shared
        nginx = try Nginx.shared
    }

    @Test(arguments: ["name:secret", #"DOMAIN\name:secret"#])
    func knowsItsUser(credential: String) async throws {
        let path = "/users-\(credential.count)"
        let response = try await CurlResponse.get("--ntlm", "--user", credential, ntlm.url(path))
        #expect(response.statuses == [401, 200], "\(response)")
        let user = credential.hasPrefix("D") ? #"DOMAIN\name"# : "name"
        #expect(response.body.contains("user: \(user)\n"))

        let requests = await ntlm.log.entries(waitingFor: 2) { $0.target == path }
        #expect(requests.map(\.status) == [401, 200])
        #expect(requests.map(\.user) == [nil, user])
        #expect(requests.map(\.scheme) == ["NTLM", "NTLM"])
        #expect(Set(requests.map(\.connection)).count == 1)
    }

    @Test
    func refusesOtherUsers() async throws {
        let stranger = try await CurlResponse.get(ntlm.url("/"))
        #expect(stranger.statuses == [401])
        #expect(stranger.heads.contains("\r\nWWW-Authenticate: NTLM\r\n"))
        let wrong = try await CurlResponse.get("--ntlm", "--user", "name:wrong", ntlm.url("/"))
        #expect(wrong.statuses == [401, 401], "\(wrong)")
        let basic = try await CurlResponse.get("--basic", ntlm.url("/"), user: .usual)
        #expect(basic.statuses == [401], "\(basic)")
        let open = try await CurlResponse.get(ntlm.url("/open/"))
        #expect(open.statuses == [200])
    }

    @Test
    func offersNegotiateToo() async throws {
        let url = ntlm.url("/negotiate-or-ntlm/")
        let stranger = try await CurlResponse.get(url)
        #expect(stranger.heads.contains("\r\nWWW-Authenticate: Negotiate\r\n"), "\(stranger)")
        #expect(stranger.heads.contains("\r\nWWW-Authenticate: NTLM\r\n"))
        let response = try await CurlResponse.get("--ntlm", url, user: .usual)
        #expect(response.statuses == [401, 200], "\(response)")
    }

    /// The client requests the second URL on the first one's connection, without credentials.
    @Test
    func connectionStaysAuthenticated() async throws {
        let response = try await CurlResponse.get(
            "--ntlm",
            ntlm.url("/stays/a"),
            "-o",
            "body2",
            ntlm.url("/stays/b"),
            user: .usual
        )
        #expect(response.statuses == [401, 200, 200], "\(response)")
        let requests = await ntlm.log.entries(waitingFor: 3) { $0.target.hasPrefix("/stays/") }
        #expect(requests.map(\.status) == [401, 200, 200])
        #expect(requests.last?.scheme == nil)
        #expect(Set(requests.map(\.connection)).count == 1)
    }

    @Test
    func sumsUpBodies() async throws {
        let bytes = PseudoRandom.bytes(1_000_003)
        let folder = try TemporaryFolder()
        let body = try folder.write(bytes, to: "body")
        for flags in [["-T", body], ["--data-binary", "@\(body)"], ["-T", "-"]] {
            let response = try await CurlResponse.get(
                ["--ntlm", ntlm.url("/sum")] + flags,
                user: .usual,
                input: .bytes(bytes)
            )
            #expect(response.body.contains("length: 1000003\n"), "\(response)")
            #expect(response.body.contains("sha256: \(try sha256(bytes))\n"))
        }
    }

    @Test
    func proxyKnowsItsUser() async throws {
        let authority = try Certificates.shared.authority
        let path = "/echo/ntlm-proxy"
        let flags = ["--proxy", "http://127.0.0.1:\(ntlm.proxyPort)", "--cacert", authority]
        let user = ["--proxy-ntlm", "--proxy-user", TestUser.usual.pair]
        let plain = try await CurlResponse.get(flags + user + [nginx.url(path)])
        #expect(plain.statuses == [407, 200], "\(plain)")
        #expect(plain.body.contains("uri: \(path)\n"))
        let tunnelled = try await CurlResponse.get(flags + user + [nginx.tlsURL(path)])
        #expect(tunnelled.statuses == [407, 200, 200], "\(tunnelled)")
        #expect(tunnelled.body.contains("uri: \(path)\n"))

        let stranger = try await CurlResponse.get(flags + [nginx.url(path)])
        #expect(stranger.statuses == [407], "\(stranger)")
        let tunnel = String(nginx.tlsURL("/").split(separator: "/")[1])
        let requests = await ntlm.log.entries(waitingFor: 5) {
            $0.isProxied && [nginx.url(path), tunnel].contains($0.target)
        }
        #expect(requests.filter { $0.status == 200 }.map(\.method) == ["GET", "CONNECT"])
    }
}
