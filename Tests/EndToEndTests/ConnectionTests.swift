import TestSupport
import Testing

/// Addresses and protocols of connections.
@Suite("Connections", .timeLimit(.minutes(1)))
struct ConnectionTests {
    private static func server(ipv6: Bool = false) throws -> SocketServer {
        try SocketServer(ipv6: ipv6) { connection in
            while let head = try connection.nextHead() {
                try connection.respond(body: head["Host"] ?? "")
            }
        }
    }

    @Test("--resolve gives a name an address, and the server receives the name")
    func resolve() async throws {
        let server = try Self.server()
        let port = server.port
        for entry in ["a.example:\(port):127.0.0.1", "*:\(port):127.0.0.1"] {
            let result = try await FetchProcess.run(
                "-qO-",
                "--resolve",
                entry,
                "http://a.example:\(port)/"
            )
            #expect(result.status == 0, "\(result)")
            #expect(result.stdoutText == "a.example:\(port)")
        }
    }

    @Test("--resolve works with TLS names too")
    func resolveTLS() async throws {
        let nginx = try Nginx.shared
        let port = nginx.wrongHostPort
        let result = try await FetchProcess.run(
            "-qO-",
            "--ca-certificate",
            nginx.certificates.authority,
            "--resolve",
            "wrong.example:\(port):127.0.0.1",
            "https://wrong.example:\(port)/files/hello.txt"
        )
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText == "Hello, world!\n")
    }

    @Test("--unix-socket connects to the socket instead of the host")
    func unixSocket() async throws {
        let nginx = try Nginx.shared
        let result = try await FetchProcess.run(
            "-qO-",
            "--unix-socket",
            nginx.unixSocketPath,
            "http://docker.example/echo/"
        )
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText.contains("host: docker.example\n"))
        #expect(result.stdoutText.contains("remote: unix:\n"))
        let missing = try await FetchProcess.run("--unix-socket", "missing", "http://x.example/")
        #expect(missing.status == 4, "\(missing)")
        #expect(missing.blames("http://x.example/").count == 1)
    }

    @Test("fetch connects to an IPv6 address in brackets, and -4 and -6 choose the family")
    func families() async throws {
        let server = try Self.server(ipv6: true)
        let port = server.port
        for arguments in [[], ["-6"]] {
            let result = try await FetchProcess(arguments + ["-qO-", server.url()]).run()
            #expect(result.status == 0, "\(result)")
            #expect(result.stdoutText == "[::1]:\(port)")
        }
        let chosen = try await FetchProcess.run(
            "-6",
            "-qO-",
            "--resolve",
            "both.example:\(port):127.0.0.1,[::1]",
            "http://both.example:\(port)/"
        )
        #expect(chosen.status == 0, "\(chosen)")
        let seen = server.connectionCount
        let wrong = try await FetchProcess.run("-4", "-qO-", server.url())
        #expect(wrong.status == 4, "\(wrong)")
        #expect(wrong.blames(server.url()).count == 1)
        #expect(server.connectionCount == seen)
    }

    @Test("fetch attempts the next address where the first does not respond")
    func nextAddress() async throws {
        let server = try Self.server(ipv6: true)
        let port = server.port
        let result = try await FetchProcess.run(
            "-qO-",
            "--resolve",
            "both.example:\(port):127.0.0.99,[::1]",
            "http://both.example:\(port)/"
        )
        #expect(result.status == 0, "\(result)")
        #expect(server.requestCount == 1)
    }

    @Test("--interface chooses the local address")
    func interface() async throws {
        let nginx = try Nginx.shared
        let url = nginx.url("/echo/")
        for (name, address) in [("127.0.0.5", "127.0.0.5"), ("lo", "127.0.0.1")] {
            let result = try await FetchProcess.run("-qO-", "--interface", name, url)
            #expect(result.status == 0, "\(result)")
            #expect(result.stdoutText.contains("remote: \(address)\n"), "\(result)")
        }
        let missing = try await FetchProcess.run("-qO-", "--interface", "nosuchif0", url)
        #expect(missing.status == 4, "\(missing)")
        #expect(missing.blames(url).count == 1)
    }

    @Test(
        "S-05 fetch uses HTTP/2 over TLS where the server supports it, and not with --http1.1",
        arguments: [([], "HTTP/2.0"), (["--http2"], "HTTP/2.0"), (["--http1.1"], "HTTP/1.1")]
    )
    func versions(arguments: [String], version: String) async throws {
        let nginx = try Nginx.shared
        let authority = ["--ca-certificate", nginx.certificates.authority]
        let result = try await FetchProcess(
            arguments + authority + ["-qO-", nginx.http2URL("/echo/")]
        ).run()
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText.contains("protocol: \(version)\n"))
    }

    @Test(
        "fetch uses HTTP/1.1 with a server without HTTP/2",
        arguments: [[], ["--http2"], ["--http1.1"]]
    )
    func fallback(arguments: [String]) async throws {
        let nginx = try Nginx.shared
        let all =
            arguments + [
                "--ca-certificate", nginx.certificates.authority, "-qO-", nginx.tlsURL("/echo/"),
                nginx.url("/echo/"),
            ]
        let result = try await FetchProcess(all).run()
        #expect(result.status == 0, "\(result)")
        let lines = result.stdoutText.split(separator: "\n").filter { $0.hasPrefix("protocol: ") }
        #expect(lines == ["protocol: HTTP/1.1", "protocol: HTTP/1.1"])
    }

    @Test("several URLs of one server share a connection")
    func shared() async throws {
        let server = try Self.server()
        let result = try await FetchProcess.run("-qj1", "-O-", server.url("/1"), server.url("/2"))
        #expect(result.status == 0, "\(result)")
        #expect(server.requestCount == 2)
        #expect(server.connectionCount == 1)
    }

    @Test("a URL without a scheme is http for a loopback host and https for all others")
    func noScheme() async throws {
        let server = try Self.server()
        let port = server.port
        let plain = try await FetchProcess.run("-qO-", "127.0.0.1:\(port)/x")
        #expect(plain.stdoutText == "127.0.0.1:\(port)", "\(plain)")
        let nginx = try Nginx.shared
        let other = try await FetchProcess.run(
            "-kqO-",
            "--resolve",
            "a.example:\(nginx.tlsPort):127.0.0.1",
            "a.example:\(nginx.tlsPort)/echo/"
        )
        #expect(other.status == 0, "\(other)")
        #expect(other.stdoutText.contains("tls: TLSv1.3\n"))
    }
}
