import Testing

@testable import CurlMulti

@Suite("Transfer request")
struct TransferRequestTests {
    @Test(
        "the origin is scheme, host and port in lower case, without the scheme's own port",
        arguments: [
            ("http://host.example/path", "http://host.example"),
            ("http://host.example", "http://host.example"),
            ("HTTP://Host.Example:8080/Path", "http://host.example:8080"),
            ("http://host.example:80/", "http://host.example"),
            ("http://host.example:443/", "http://host.example:443"),
            ("https://host.example:443?query", "https://host.example"),
            ("https://host.example:80#end", "https://host.example:80"),
            ("https://HOST.example:443/", "https://host.example"),
            ("http://host.example:8080/:80", "http://host.example:8080"),
            ("http://[::1]:80/", "http://[::1]"), ("http://[::1]/", "http://[::1]"),
            ("http://b\u{DC}cher.example/", "http://b\u{FC}cher.example"),
            ("http:", "http:"), ("", ""),
        ]
    )
    func origin(url: String, origin: String) {
        #expect(TransferRequest(url: url).origin == origin)
    }

    @Test("connections of a special kind are counted apart")
    func kinds() {
        var request = TransferRequest(url: "http://host.example/")
        request.connection.unixSocketPath = "/run/Socket"
        #expect(request.origin == "/run/Sockethttp://host.example")
        request.connection.mayReuseConnection = false
        request.connection.httpVersion = .http1
        #expect(request.origin == "/run/Sockethttp://host.example fresh 1.1")
        request.connection.httpVersion = .http10
        #expect(request.origin == "/run/Sockethttp://host.example fresh 1.0")
    }
}
