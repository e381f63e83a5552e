import Testing
import URLLoading

@testable import FetchCommand

/// Every flag at least once, with its effect on the options.
@Suite struct OptionsTests {
    private static let pin = "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

    @Test(
        arguments: [
            (["-P", "d"], { @Sendable in $0.directory == "d" }),
            (["--directory-prefix=d"], { $0.directory == "d" }),
            (["-d", "a"], { $0.data.first?.stripsLineEnds == true }),
            (["--post-data", "a"], { $0.data.first?.source == .text("a") }),
            (["--data-binary", "@f"], { $0.data.first?.source == .read(.file("f")) }),
            (["--data-binary", "@-"], { $0.data.first?.stripsLineEnds == false }),
            (["--json", "@-"], { $0.json.first?.source == .read(.standardInput) }),
            (["-F", "a=b"], { $0.form.count == 1 }),
            (["--form-string", "a=@b;c"], { $0.form.first?.source == .text("@b;c") }),
            (["--upload-file", "f"], { $0.upload == FileUpload(kind: .put, source: .file("f")) }),
            (["--body-file=-"], { $0.upload == FileUpload(kind: .post, source: .standardInput) }),
            (["--post-file", "f"], { $0.upload == FileUpload(kind: .post, source: .file("f")) }),
            (["-XPATCH"], { $0.method == "PATCH" }),
            (["--method", "get"], { $0.method == "GET" }),
            (["-I"], { $0.head }), (["--head"], { $0.head }),
            (["-U", " x "], { $0.userAgent == "x" }),
            (["--referer", "http://r/"], { $0.referer == "http://r/" }),
            (["-T0"], { $0.session.settings.timeoutForRequest == .infinity }),
            (["--connect-timeout", "3"], { $0.transport.connectTimeout == 3 }),
            (["--connect-timeout", "0"], { $0.transport.connectTimeout == nil }),
            (["--max-time", "1m"], { $0.session.maxTime == .seconds(60) }),
            (["--max-time", "1.001"], { $0.session.maxTime == .milliseconds(1_001) }),
            (["--http1.1"], { $0.transport.httpVersion == .http1 }),
            (["--http2"], { $0.transport.httpVersion == .http2 }),
            (["-4"], { $0.transport.addressFamily == .ipv4 }),
            (["--ipv4"], { $0.transport.addressFamily == .ipv4 }),
            (["--inet4-only"], { $0.transport.addressFamily == .ipv4 }),
            (["-6"], { $0.transport.addressFamily == .ipv6 }),
            (["--ipv6"], { $0.transport.addressFamily == .ipv6 }),
            (["--inet6-only"], { $0.transport.addressFamily == .ipv6 }),
            (["--unix-socket", "/s"], { $0.transport.unixSocketPath == "/s" }),
            (["--interface", "eth0"], { $0.transport.interface == "eth0" }),
            (["--limit-rate", "1k"], { $0.transport.maximumBytesPerSecond == 1024 }),
        ] as [([String], @Sendable (Options) -> Bool)]
    )
    func flags(_ arguments: [String], _ holds: @Sendable (Options) -> Bool) throws {
        #expect(holds(try FlagParser.parse(arguments)))
    }

    @Test(
        arguments: [
            (["--noproxy", "a, .b.c"], { @Sendable in $0.transport.noProxy == "a,.b.c" }),
            (["--no-proxy"], { $0.transport.proxy == .none }),
            (["--proxy="], { $0.transport.proxy == .none }),
            (["--tls-min", "1.2"], { $0.session.settings.tlsMinimum == .TLSv12 }),
            (["--tls-max", "1.3"], { $0.session.settings.tlsMaximum == .TLSv13 }),
            (["--ca-certificate", "f"], { $0.transport.trust.certificateAuthorityFile == "f" }),
            (["--cacert", "f"], { $0.transport.trust.certificateAuthorityFile == "f" }),
            (["--ca-directory", "f"], { $0.transport.trust.certificateAuthorityFolder == "f" }),
            (["--capath", "f"], { $0.transport.trust.certificateAuthorityFolder == "f" }),
            (["--crl-file", "f"], { $0.transport.trust.revocationListFile == "f" }),
            (["--certificate", "f"], { $0.certificate.file == "f" }),
            (["--cert", "f"], { $0.certificate.file == "f" }),
            (["--private-key", "f"], { $0.certificate.keyFile == "f" }),
            (["--key", "f"], { $0.certificate.keyFile == "f" }),
            (["--certificate-type", "P12"], { $0.certificate.format == .pkcs12 }),
            (["--ciphers", "HIGH:!aNULL"], { $0.transport.ciphers == "HIGH:!aNULL" }),
            (["--pinned-pubkey", pin], { $0.transport.trust.pinnedPublicKey == pin }),
            (["--pinned-pubkey", "key.pem"], { $0.transport.trust.pinnedKeyFile == "key.pem" }),
            (["-k"], { !$0.transport.trust.verifiesServer }),
            (["--insecure"], { !$0.transport.trust.verifiesServer }),
            (["--no-check-certificate"], { !$0.transport.trust.verifiesServer }),
            (["--redirect", "same-origin"], { $0.session.redirects == .sameOrigin }),
            (["--redirect=none"], { $0.session.redirects == .none }),
            (["--max-redirect", "0"], { $0.transport.maximumRedirects == 0 }),
            (["-v"], { $0.verbosity == .verbose }),
            (["-vv"], { $0.verbosity == .everything }),
            (["-v", "--verbose"], { $0.verbosity == .everything }),
            (["--quiet"], { $0.verbosity == .quiet }),
            (["--no-verbose"], { $0.verbosity == .brief }),
            (["--server-response"], { $0.showsResponseHeaders }),
            (["--content-on-error"], { $0.responses.contentOnError }),
            (["--dry-run"], { $0.dryRun }),
            (["--version"], { $0.information == .version }),
            (["-h"], { $0.information == .help(nil) }),
            (["-s"], { $0.hidesProgress }),
            (["--events", "json"], { $0.events == .standardError }),
            (["--events-file", "f"], { $0.events == .file(path: "f") }),
            (["--events-fd=3"], { $0.events == .descriptor(3) }),
            ([], { $0.session.settings.timeoutForRequest == 60 && $0.session.maxTime == nil }),
            ([], { $0.transport.maximumRedirects == 20 && $0.transport.trust.verifiesServer }),
        ] as [([String], @Sendable (Options) -> Bool)]
    )
    func moreFlags(_ arguments: [String], _ holds: @Sendable (Options) -> Bool) throws {
        #expect(holds(try FlagParser.parse(arguments)))
    }

    @Test(arguments: [
        ("example.com:443:127.0.0.1", "example.com:443:127.0.0.1"),
        ("*:80:[::1],10.0.0.1", "*:80:[::1],10.0.0.1"),
        ("h:8080:::2", "h:8080:[::2]"),
        ("müller.example:443:127.0.0.1", "xn--mller-kva.example:443:127.0.0.1"),
    ])
    func resolve(_ text: String, _ entry: String) throws {
        #expect(try options("--resolve", text).transport.resolve == [entry])
    }

    @Test(arguments: [
        ("a.example:443:127.0.0.1:8443", "a.example:443:127.0.0.1:8443"),
        ("::[::1]:", "::[::1]:"),
        ("Müller.example:::", "xn--mller-kva.example:::"),
        (":80:müller.example:81", ":80:xn--mller-kva.example:81"),
    ])
    func connectTo(_ text: String, _ entry: String) throws {
        #expect(try options("--connect-to", text).transport.connectTo == [entry])
    }

    @Test(arguments: [
        ("proxy", "http://proxy:1080"), ("proxy:3128", "http://proxy:3128"),
        ("HTTPS://p.example:8443/", "https://p.example:8443"),
        ("socks5h://[::1]:1080", "socks5h://[::1]:1080"), ("http://u:p%40@h:1", "http://h:1"),
    ])
    func proxies(_ text: String, _ url: String) throws {
        let session = try plan("-x", text, "http://u/").session
        #expect(session.transport.proxy == .url(text))
        let proxy = try #require(try session.proxy(for: WebAddress("http://u/")))
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
