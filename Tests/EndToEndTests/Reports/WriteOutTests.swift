import Foundation
import TestSupport
import Testing

/// The output of `--write-out`, compared with the real curl's.
@Suite("--write-out", .timeLimit(.minutes(1)))
struct WriteOutTests {
    /// Variables whose values depend on neither client nor time.
    private static let settled = [
        "content_type", "exitcode", "ftp_entry_path", "http_code", "http_connect", "http_version",
        "local_ip", "method", "num_certs", "num_connects", "num_headers", "num_redirects",
        "proxy_ssl_verify_result", "redirect_url", "referer", "remote_ip", "remote_port",
        "response_code", "scheme", "size_download", "size_upload", "size_header",
        "ssl_verify_result", "url", "url_effective", "urlnum",
    ]

    /// A request, and curl's command line for the same request.
    enum Case: String, CaseIterable, Sendable {
        case plain, redirects, unfollowed, head, upload, notFound, tls, http2, unverified, basic
        case proxied, tunnelled

        func url() throws -> String {
            let nginx = try Nginx.shared
            return switch self {
            case .plain: nginx.url("/files/hello.txt")
            case .redirects: nginx.url("/redirect/chain/3")
            case .unfollowed: nginx.url("/redirect/relative")
            case .head: nginx.url("/files/hello.txt?head")
            case .upload: nginx.url("/dav/write-out")
            case .notFound: nginx.url("/status/404")
            case .tls, .unverified, .tunnelled: nginx.tlsURL("/files/hello.txt")
            case .http2: nginx.http2URL("/files/hello.txt")
            case .basic: nginx.url("/private/hello.txt")
            case .proxied: nginx.url("/files/hello.txt")
            }
        }

        func ours() throws -> [String] {
            let authority = try Certificates.shared.authority
            return switch self {
            case .plain, .redirects, .notFound: []
            case .unfollowed: ["--redirect", "none"]
            case .head: ["--head"]
            case .upload: ["--upload-file", "body"]
            case .tls, .http2: ["--ca-certificate", authority]
            case .unverified: ["--no-check-certificate"]
            case .basic: ["--user", "name:secret", "--auth", "basic"]
            case .proxied: ["--proxy", try Squid.shared.url(.open)]
            case .tunnelled:
                ["--proxy", try Squid.shared.url(.open), "--ca-certificate", authority]
            }
        }

        func curls() throws -> [String] {
            let authority = try Certificates.shared.authority
            return switch self {
            case .plain, .notFound: []
            case .redirects: ["-L"]
            case .unfollowed: []
            case .head: ["-I"]
            case .upload: ["-T", "body", "-H", "Expect:"]
            case .tls, .http2: ["--cacert", authority]
            case .unverified: ["-k"]
            case .basic: ["-u", "name:secret"]
            case .proxied: ["-x", try Squid.shared.url(.open), "--noproxy", ""]
            case .tunnelled:
                ["-x", try Squid.shared.url(.open), "--noproxy", "", "--cacert", authority]
            }
        }
    }

    private static func json(_ bytes: [UInt8]) throws -> [String: Any] {
        let value = try JSONSerialization.jsonObject(with: Data(bytes))
        return try #require(value as? [String: Any])
    }

    @Test(
        "%{json} has curl's keys, and for the same request curl's values",
        arguments: Case.allCases
    )
    func sameAsCurl(one: Case) async throws {
        let folder = try TemporaryFolder("write-out")
        try folder.writePseudoRandom(size: 5_000, to: "body")
        let url = try one.url()
        let format = "%{stderr}%{json}"
        // A new file has another status than a replaced one.
        if one == .upload {
            _ = try await FetchProcess.shell(#"exec curl -sT body "$1""#, url, in: folder)
        }
        let ours = try await FetchProcess(
            ["-q", "-O", "/dev/null", "--write-out", format, url] + one.ours(),
            in: folder
        ).run()
        let theirs = try await FetchProcess(
            shell: #"exec curl -s -o /dev/null "$@""#,
            ["-w", format, url] + one.curls(),
            in: folder
        ).run()
        let text = ours.stderr.split(separator: "\n").first { $0.hasPrefix("{") }
        let own = try Self.json(Array((text ?? "").utf8))
        let curl = try Self.json(Array(theirs.stderr.utf8))
        #expect(own.keys.sorted() == curl.keys.sorted())
        for name in Self.settled where !(one == .notFound && name == "exitcode") {
            #expect("\(own[name] ?? "-")" == "\(curl[name] ?? "-")", "\(name)")
        }
        #expect(own["exitcode"] as? Int == (one == .notFound ? 8 : 0))
        #expect(ours.status == (one == .notFound ? 8 : 0), "\(ours)")
        let order = [
            "time_namelookup", "time_connect", "time_pretransfer", "time_starttransfer",
            "time_total",
        ]
        let times = order.compactMap { own[$0] as? Double }
        #expect(times.count == order.count && times == times.sorted(), "\(times)")
        #expect(times.allSatisfy { $0 > 0 })
        #expect(((own["time_appconnect"] as? Double ?? 0) > 0) == url.hasPrefix("https"))
        #expect(((own["time_redirect"] as? Double ?? 0) > 0) == (one == .redirects))
    }

    @Test("the text equals curl's byte for byte, with escapes and unknown variables")
    func text() async throws {
        let url = try Nginx.shared.url("/redirect/302")
        let format =
            #"[%{http_code}|%{response_code}|%{http_connect}|%{content_type}|%{size_download}"#
            + #"|%{num_redirects}|%{scheme}|%{method}|%{errormsg}|%{url_effective}|%%|%z|%|\t|\q\"#
            + #"|%header{content-TYPE}|%header{none}|%header{x|{}]\r\n"#
        let ours = try await FetchProcess.run("-qO-", "--write-out", format, url)
        let curl = try await FetchProcess.shell(#"exec curl -sL -w "$1" "$2""#, format, url)
        // The echoed parts of the request differ.
        func tail(_ text: String) -> Substring {
            text[(text.lastIndex(of: "[") ?? text.startIndex)...]
        }
        #expect(ours.stdoutText.contains("user-agent: fetch/"))
        let size = ours.stdoutText.utf8.count - tail(ours.stdoutText).utf8.count
        let curlSize = curl.stdoutText.utf8.count - tail(curl.stdoutText).utf8.count
        #expect(
            tail(ours.stdoutText)
                == tail(curl.stdoutText).replacing("|\(curlSize)|", with: "|\(size)|")
        )
    }

    @Test("a format from a file or standard input loses its line ends, as with curl")
    func formatFiles() async throws {
        let url = try Nginx.shared.url("/files/hello.txt")
        let folder = try TemporaryFolder("write-out")
        try folder.write("<%{http_code}\n>\\n\r\n", to: "format")
        let file = try await FetchProcess.run(
            "-qO/dev/null",
            "--write-out",
            "@format",
            url,
            in: folder
        )
        #expect(file.stdoutText == "<200>\n", "\(file)")
        let curl = try await FetchProcess(
            shell: #"exec curl -s -o /dev/null -w @format "$1""#,
            [url],
            in: folder
        ).run()
        #expect(file.stdout == curl.stdout)
        let input = try await FetchProcess.run(
            "-qO/dev/null",
            "--write-out",
            "@-",
            url,
            url,
            input: .bytes(Array("%{urlnum}\n".utf8))
        )
        #expect(input.stdoutText == "01", "\(input)")
    }

    @Test("reports contain no password, and cookies only where the format names them")
    func secrets() async throws {
        let server = try SocketServer { connection in
            while try connection.nextHead() != nil {
                let fields = ["Set-Cookie: id=s3cret", "Location: http://you:s3cret@h/"]
                try connection.respond("302 Found", fields, body: "x")
            }
        }
        let url = "http://me:s3cret@127.0.0.1:\(server.port)/"
        let flags = [
            "-q", "-O", "/dev/null", "--redirect", "none", "--referer", "http://a:s3cret@b/",
        ]
        let result = try await FetchProcess(
            flags + ["--write-out", "%{json}%{header_json}%{url}%{redirect_url}%{referer}", url]
        ).run()
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText.contains("(redacted)"))
        #expect(!result.stdoutText.contains("s3cret"), "\(result.stdoutText)")
        let named = try await FetchProcess(
            flags + ["--write-out", "%header{set-cookie}", url]
        ).run()
        #expect(named.stdoutText == "id=s3cret")
    }

    @Test("certificates are printed in PEM, as with curl")
    func certificates() async throws {
        let url = try Nginx.shared.tlsURL("/files/hello.txt")
        let authority = try Certificates.shared.authority
        let ours = try await FetchProcess.run(
            "-qO/dev/null",
            "--ca-certificate",
            authority,
            "--write-out",
            "%{num_certs}\\n%{certs}",
            url
        )
        let curl = try await FetchProcess.shell(
            #"exec curl -s -o /dev/null --cacert "$1" -w '%{num_certs}\n%{certs}' "$2""#,
            authority,
            url
        )
        func blocks(_ text: String) -> [String] {
            text.matches(of: /-----BEGIN [^-]*-----[^-]*-----END [^-]*-----/).map { String($0.0) }
        }
        #expect(ours.stdoutText.first == curl.stdoutText.first)
        #expect(!blocks(ours.stdoutText).isEmpty)
        #expect(blocks(ours.stdoutText) == blocks(curl.stdoutText))
    }

    @Test("a format without an end is refused")
    func endless() async throws {
        let result = try await FetchProcess.run("-w", "@/dev/zero", "http://127.0.0.1:9/")
        #expect(result.status == 3, "\(result)")
        #expect(result.stderr.contains("/dev/zero: File too large"))
    }
}
