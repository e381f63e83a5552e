import Testing
import URLLoading

@testable import FetchCommand

@Suite struct SessionPlanTests {
    @Test func defaults() throws {
        let session = try plan("h").session
        #expect(session.idleTimeout == .seconds(60))
        #expect(session.connectTimeout == nil && session.maxTime == nil)
        #expect(session.httpVersion == .automatic && session.addressFamily == .any)
        #expect(session.proxy == .environment(exceptions: []))
        #expect(session.redirects == .follow && session.maxRedirects == 20)
        #expect(session.tls.verifiesServer && session.tls.certificateType == .pem)
        #expect(session.tls.min == nil && session.limitRate == nil)
    }

    @Test func choices() throws {
        #expect(try plan("h", "--http1.1").session.httpVersion == .http1Only)
        #expect(try plan("h", "--http2").session.httpVersion == .http2)
        #expect(try plan("h", "-4").session.addressFamily == .ipv4)
        #expect(try plan("h", "-6").session.addressFamily == .ipv6)
        #expect(try plan("h", "--no-proxy").session.proxy == .none)
        #expect(try plan("h", "-k").session.tls.verifiesServer == false)
        #expect(try plan("h", "--noproxy", "a").session.proxy == .environment(exceptions: ["a"]))
        guard
            case .proxy(let proxy, let exceptions) =
                try plan("h", "-x", "p:1", "--noproxy", "*").session.proxy
        else {
            Issue.record("no proxy")
            return
        }
        #expect(proxy.url == "http://p:1")
        #expect(exceptions == ["*"])
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
        #expect(try plan("h", "--content-on-error").answers.contentOnError)
        #expect(try plan("h", "--dry-run").isDryRun)
    }
}
