import Foundation
import TestSupport
import Testing

/// Attacks by a server's cookies on other hosts and on later runs.
@Suite("Hostile cookies", .timeLimit(.minutes(1)))
struct CookieSafetyTests {
    /// Sets cookies with the first response only.
    private static func server(_ fields: [String]) throws -> SocketServer {
        try SocketServer { connection in
            while try connection.nextHead() != nil {
                let set = connection.number == 0 ? fields : []
                try connection.respond(
                    "200 OK",
                    set.map { "Set-Cookie: \($0)" } + ["Connection: close"]
                )
            }
        }
    }

    /// The host that sets a cookie, the cookie's domain, and another host that may get the cookie.
    private static let domainCases = [
        ("a.example.co.uk", "co.uk", "b.other.co.uk", false),
        ("a.example.co.uk", "CO.uK", "b.other.co.uk", false),
        ("a.example.co.uk", "co.uk.", "b.other.co.uk", false),
        ("a.example.co.uk.", "co.uk.", "b.other.co.uk.", false),
        ("a.example.co.uk.", ".CO.UK.", "b.other.co.uk.", false),
        ("a.example.com.", "com.", "b.com.", false),
        ("EXAMPLE.CO.UK", "co.uk", "b.other.co.uk", false),
        ("a.github.io.", "github.io.", "b.github.io.", false),
        ("x.xn--55qx5d.cn", "XN--55QX5D.cn", "b.xn--55qx5d.cn", false),
        ("a.example.com", "example.com", "badexample.com", false),
        ("a.example.com", "b.example.com", "b.example.com", false),
        ("127.0.0.1", "0.0.1", "127.0.0.1", false),
        ("a.example.com", "EXAMPLE.com", "b.example.com", true),
    ]

    @Test(
        "C-03 no host sets a cookie for a public suffix or another site, in any spelling",
        arguments: domainCases
    )
    func domains(host: String, domain: String, other: String, isSent: Bool) async throws {
        let server = try Self.server(["s=1; Domain=\(domain); Max-Age=900"])
        let home = try TemporaryFolder("home")
        let names = [host, other].flatMap { ["--resolve", "\($0):\(server.port):127.0.0.1"] }
        for name in [host, other] {
            let result = try await FetchProcess(
                ["-qO-", "--session", "kept"] + names + ["http://\(name):\(server.port)/"],
                home: home
            ).run()
            #expect(result.status == 0, "\(result)")
        }
        #expect(server.heads.count == 2)
        #expect(server.heads.last?["Cookie"] == (isSent ? "s=1" : nil))
    }

    @Test(
        "a redirect's host cannot set cookies for a host that the Host header has named",
        arguments: ["", "; Domain=bank.example"]
    )
    func namedHost(attribute: String) async throws {
        let other = try Self.server(["s=1; Max-Age=900\(attribute)", "own=1; Max-Age=900"])
        let target = "http://b.example:\(other.port)/"
        let home = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond("302 Found", ["Location: \(target)"])
        }
        let result = try await FetchProcess.run(
            "-qO-",
            "--session",
            "kept",
            "-H",
            "Host: bank.example",
            "--resolve",
            "b.example:\(other.port):127.0.0.1",
            home.url()
        )
        #expect(result.status == 0, "\(result)")
        #expect(other.heads.first?["Host"] == "b.example:\(other.port)")
        let state = result.home.readText(".local/state/fetch/sessions/kept/cookies.txt") ?? ""
        #expect(!state.contains("bank.example"), "\(state)")
        #expect(state.contains("b.example\tFALSE\t/\tFALSE\t"), "\(state)")
    }

    /// Cookies that may confuse a line of a cookie file, or a parser of such lines.
    private static let odd = [
        "a=b\tc", "a=TRUE\tFALSE\t0", "a\tb=c", "=v", "=", "a", "#a=b", "#HttpOnly_a=b",
        "a=\u{b}", "a=\u{7f}", "a=\u{2028}", "a=b\u{85}", "\u{feff}a=b", "a=b; Path=/x\ty",
        "a=b; Path=#", "a=b; Path=/\u{212a}", "a=b; Domain=\t", "a=b; Max-Age=99999999999999999999",
        "a=b; Max-Age=9223372036854775807", "a=b; Expires=Fri, 31-Dec-99999 23:59:59 GMT",
        "a=" + String(repeating: "x", count: 4_090), "a=" + String(repeating: "x", count: 70_000),
        String(repeating: "a", count: 4_000) + "=b",
    ]

    @Test(
        "a later run reads a strange cookie of a server, and the cookies beside it",
        arguments: odd
    )
    func readable(odd: String) async throws {
        for flags in [
            ["--session", "kept"],
            ["--load-cookies", "jar", "--save-cookies", "jar", "--keep-session-cookies"],
        ] {
            let server = try Self.server(["first=1; Max-Age=900", odd, "last=1; Max-Age=900"])
            let folder = try TemporaryFolder("jar")
            try folder.write("# Netscape HTTP Cookie File\n", to: "jar")
            for _ in 1...3 {
                let result = try await FetchProcess(
                    ["-qO-"] + flags + [server.url()],
                    in: folder,
                    home: folder
                ).run()
                #expect(result.status == 0, "\(result)")
                #expect(result.stderr == "")
            }
            #expect(server.heads.count == 3)
            for head in server.heads.dropFirst() {
                let sent = head["Cookie"]?.components(separatedBy: "; ") ?? []
                #expect(sent.contains("first=1") && sent.contains("last=1"), "\(sent)")
            }
        }
    }

    @Test("a cookie file whose name is too long for a draft file keeps its content")
    func longName() async throws {
        let server = try Self.server(["a=1; Max-Age=900"])
        let folder = try TemporaryFolder("long")
        let name = String(repeating: "n", count: 255)
        let kept = "# Netscape HTTP Cookie File\nx.example\tFALSE\t/\tFALSE\t4102444800\ts\t1\n"
        try folder.write(kept, to: name)
        let result = try await FetchProcess.run(
            "-qO-",
            "--save-cookies",
            name,
            "--load-cookies",
            name,
            server.url(),
            in: folder
        )
        #expect(result.status == 3, "\(result)")
        #expect(folder.readText(name) == kept)
        #expect(folder.names() == [name])
    }
}
