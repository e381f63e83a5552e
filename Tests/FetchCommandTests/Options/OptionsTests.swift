import Testing
import URLLoading

@testable import FetchCommand

/// Every flag at least once, and what it does to the options.
@Suite struct OptionsTests {
    private static let pin = "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

    @Test(
        arguments: [
            (["-P", "d"], { @Sendable in $0.directory == "d" }),
            (["--directory-prefix=d"], { $0.directory == "d" }),
            (["-d", "a"], { $0.data.first?.stripsLineEnds == true }),
            (["--post-data", "a"], { $0.data.first?.source == .text("a") }),
            (["--data-binary", "@f"], { $0.data.first?.source == .file("f") }),
            (["--data-binary", "@-"], { $0.data.first?.stripsLineEnds == false }),
            (["--json", "@-"], { $0.json.first?.source == .standardInput }),
            (["-F", "a=b"], { $0.form.count == 1 }),
            (["--form-string", "a=@b;c"], { $0.form.first?.source == .text("@b;c") }),
            (["--upload-file", "f"], { $0.upload == FileUpload(kind: .put, source: .file("f")) }),
            (["--body-file=-"], { $0.upload == FileUpload(kind: .put, source: .standardInput) }),
            (["--post-file", "f"], { $0.upload == FileUpload(kind: .post, source: .file("f")) }),
            (["-XPATCH"], { $0.method?.name == "PATCH" }),
            (["--method", "get"], { $0.method?.name == "get" }),
            (["-I"], { $0.head }), (["--head"], { $0.head }),
            (["-U", " x "], { $0.userAgent == "x" }),
            (["--referer", "http://r/"], { $0.referer == "http://r/" }),
            (["-T0"], { $0.idleTimeout == nil }),
            (["--connect-timeout", "3"], { $0.connectTimeout == .seconds(3) }),
            (["--max-time", "1m"], { $0.maxTime == .seconds(60) }),
            (["--http1.1"], { $0.http1Only }), (["--http2"], { $0.http2 }),
            (["-4"], { $0.ipv4Only }), (["--ipv4"], { $0.ipv4Only }),
            (["--inet4-only"], { $0.ipv4Only }),
            (["-6"], { $0.ipv6Only }), (["--ipv6"], { $0.ipv6Only }),
            (["--inet6-only"], { $0.ipv6Only }),
            (["--unix-socket", "/s"], { $0.unixSocket == "/s" }),
            (["--interface", "eth0"], { $0.interface == "eth0" }),
            (["--limit-rate", "1k"], { $0.limitRate == 1024 }),
        ] as [([String], @Sendable (Options) -> Bool)]
    )
    func flags(_ arguments: [String], _ holds: @Sendable (Options) -> Bool) throws {
        #expect(holds(try FlagParser.parse(arguments)))
    }

    @Test(
        arguments: [
            (["--noproxy", "a, .b.c"], { @Sendable in $0.proxyExceptions == ["a", ".b.c"] }),
            (["--no-proxy"], { $0.ignoresProxies }), (["--proxy="], { $0.ignoresProxies }),
            (["--tls-min", "1.2"], { $0.tlsMin == .v12 }),
            (["--tls-max", "1.3"], { $0.tlsMax == .v13 }),
            (["--ca-certificate", "f"], { $0.caCertificate == "f" }),
            (["--cacert", "f"], { $0.caCertificate == "f" }),
            (["--ca-directory", "f"], { $0.caDirectory == "f" }),
            (["--capath", "f"], { $0.caDirectory == "f" }),
            (["--crl-file", "f"], { $0.crlFile == "f" }),
            (["--certificate", "f"], { $0.certificate == "f" }),
            (["--cert", "f"], { $0.certificate == "f" }),
            (["--private-key", "f"], { $0.privateKey == "f" }),
            (["--key", "f"], { $0.privateKey == "f" }),
            (["--certificate-type", "P12"], { $0.certificateType == .p12 }),
            (["--ciphers", "HIGH:!aNULL"], { $0.ciphers == "HIGH:!aNULL" }),
            (["--pinned-pubkey", pin], { $0.pinnedPublicKey?.text == pin }),
            (["--pinned-pubkey", "key.pem"], { $0.pinnedPublicKey == .file("key.pem") }),
            (["-k"], { !$0.verifiesServer }), (["--insecure"], { !$0.verifiesServer }),
            (["--no-check-certificate"], { !$0.verifiesServer }),
            (["--redirect", "same-origin"], { $0.redirects == .sameOrigin }),
            (["--redirect=none"], { $0.redirects == .none }),
            (["--max-redirect", "0"], { $0.maxRedirects == 0 }),
            (["-v"], { $0.verbosity == .verbose }),
            (["-vv"], { $0.verbosity == .everything }),
            (["-v", "--verbose"], { $0.verbosity == .everything }),
            (["--quiet"], { $0.verbosity == .quiet }),
            (["--no-verbose"], { $0.verbosity == .brief }),
            (["--server-response"], { $0.showsResponseHeaders }),
            (["--content-on-error"], { $0.contentOnError }), (["--dry-run"], { $0.dryRun }),
            (["--version"], { $0.information == .version }),
            (["-h"], { $0.information == .help(nil) }),
            (["-s"], { $0.hidesProgress }), (["--events", "json"], { $0.events == .json }),
            (["--events-file", "f"], { $0.eventsFile == "f" }),
            (["--events-fd=3"], { $0.eventsDescriptor == 3 }),
            ([], { $0.idleTimeout == .seconds(60) && $0.maxRedirects == 20 && $0.verifiesServer }),
        ] as [([String], @Sendable (Options) -> Bool)]
    )
    func moreFlags(_ arguments: [String], _ holds: @Sendable (Options) -> Bool) throws {
        #expect(holds(try FlagParser.parse(arguments)))
    }

    @Test(arguments: [
        ("example.com:443:127.0.0.1", "example.com", 443, ["127.0.0.1"]),
        ("*:80:[::1],10.0.0.1", "*", 80, ["::1", "10.0.0.1"]),
        ("[::1]:8080:::2", "[::1]", 8080, ["::2"]),
    ])
    func resolve(_ text: String, _ host: String, _ port: Int, _ addresses: [String]) throws {
        let entry = try #require(try options("--resolve", text).resolve.first)
        #expect(entry.host == host)
        #expect(entry.port == port)
        #expect(entry.addresses == addresses)
    }

    @Test(arguments: [
        ("proxy", "http://proxy:1080"), ("proxy:3128", "http://proxy:3128"),
        ("HTTPS://p.example:8443/", "https://p.example:8443"),
        ("socks5h://[::1]:1080", "socks5h://[::1]:1080"), ("http://u:p%40@h:1", "http://h:1"),
    ])
    func proxies(_ text: String, _ url: String) throws {
        let proxy = try #require(try options("-x", text).proxy)
        #expect(proxy.url == url)
        #expect(proxy.password?.text == (text.contains("@") ? "p@" : nil))
    }

    @Test(arguments: ["ftp://p", "http://", "http://u:secret@", "h:99999", "h:x", "h/path", "a b"])
    func malformedProxies(_ text: String) throws {
        let error = try #require(usageError(["-x", text, "u"]))
        #expect(error.message.contains("-x"))
        #expect(!error.message.contains("secret"))
    }
}
