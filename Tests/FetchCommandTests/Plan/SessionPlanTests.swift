import Testing
import URLLoading

@testable import FetchCommand

@Suite struct SessionPlanTests {
    @Test func defaults() throws {
        let session = try plan("h").session
        let transport = session.transport
        #expect(session.settings.timeoutForRequest == 60)
        #expect(transport.connectTimeout == nil && session.maxTime == nil)
        #expect(transport.httpVersion == .automatic && transport.addressFamily == .any)
        #expect(transport.proxy == .automatic && transport.noProxy == nil)
        #expect(session.redirects == .follow && transport.maximumRedirects == 20)
        #expect(transport.trust.verifiesServer && transport.clientCertificate == nil)
        #expect(session.settings.tlsMinimum == nil && transport.maximumBytesPerSecond == 0)
        #expect(session.settings.cookies.policy == .always)
        #expect(transport.minimumRate == nil && transport.contentDecoding == .automatic)
        #expect(transport.omittedDefaultHeaders == ["User-Agent", "Accept"])
    }

    @Test func choices() throws {
        func transport(
            _ flags: String...
        ) throws -> URLSessionConfiguration.TransportOptions {
            try plan(["h"] + flags).session.transport
        }
        #expect(try transport("--http1.1").httpVersion == .http1)
        #expect(try transport("--http2").httpVersion == .http2)
        #expect(try transport("-4").addressFamily == .ipv4)
        #expect(try transport("-6").addressFamily == .ipv6)
        #expect(try transport("--hsts-file=/dev/null").strictTransportSecurity == .none)
        #expect(try transport("--no-proxy").proxy == .none)
        #expect(try transport("-k").trust.verifiesServer == false)
        #expect(try transport("--noproxy", "a").proxy == .automatic)
        #expect(try transport("--noproxy", "a").noProxy == "a")
        #expect(try transport("--noproxy", "").noProxy == "")
        let proxied = try transport("-x", "p:1", "--noproxy", "*")
        #expect(proxied.proxy == .url("p:1") && proxied.noProxy == "*")
        #expect(try transport("--redirect=none").deliversNonHTTPRedirects)
        #expect(try transport("--cookie", "a=b").addsStoredCookies)
        #expect(try transport("-H", "Accept-Encoding:").omittedDefaultHeaders.count == 3)
        #expect(try transport("--speed-time", "5").minimumRate?.bytesPerSecond == 1)
        #expect(try transport("--speed-limit", "5").minimumRate?.time == .seconds(30))
    }

    @Test("a session has the cookie policy of the flag, in the background too")
    func cookiePolicy() throws {
        let session = try plan("h", "--cookie-policy", "never").session
        let identifier = try BackgroundIdentifier("x")
        for configuration in [
            URLSessionConfiguration.make(session),
            URLSessionConfiguration.make(session, background: identifier),
        ] {
            #expect(configuration.httpCookieAcceptPolicy == .never)
        }
    }

    @Test func decoding() throws {
        func decoding(
            _ flags: String...
        ) throws -> URLSessionConfiguration.ContentDecoding {
            try plan(["h"] + flags).session.transport.contentDecoding
        }
        #expect(try decoding("--compressed") == .always)
        #expect(try decoding("--no-compressed") == .never)
        #expect(try decoding("--compression", "none") == .never)
        #expect(try decoding("--compression", "auto") == .automatic)
        #expect(try decoding("--raw", "--no-compressed") == .raw)
        #expect(try decoding("--no-compressed", "--raw") == .raw)
    }

    @Test func messages() throws {
        #expect(try plan("h").messages.progress == nil)
        #expect(try plan("h", "-vv").messages.progress == nil)
        #expect(try plan("h", "-vv", "--progress=bar").messages.progress == .bar)
        for flag in ["-s", "-q", "-nv", "-sS", "--progress=none"] {
            #expect(try plan("h", flag).messages.progress == ProgressChoice.none)
            #expect(
                try plan("h", "--progress=lines", flag).messages.progress == ProgressChoice.none
            )
        }
        #expect(try plan("h", "-S").messages.showsResponseHeaders)
        #expect(try plan("h", "--content-on-error").responses.contentOnError)
        #expect(try plan("h", "--dry-run").isDryRun)
    }
}
