import Testing

@testable import CurlMulti

@Suite("Responses to CONNECT")
struct ConnectResponseTests {
    /// Feeds lines to the parser, and returns the status of its refusal; -1 where a line was malformed.
    private func refusal(_ lines: String...) -> Int? {
        var response = ConnectResponse()
        for line in lines {
            let bytes = Array("\(line)\r\n".utf8)
            let result = bytes.withUnsafeBytes { response.take($0) }
            if result == .malformed { return -1 }
        }
        return response.refusal?.status
    }

    @Test("an open tunnel is no refusal, whatever its fields contain")
    func open() {
        #expect(refusal("HTTP/1.1 200 Connection established", "") == nil)
        #expect(refusal("HTTP/1.0 299 Yes", "Content-Length: 5", "Content-Length: 6", "") == nil)
        #expect(refusal("HTTP/1.1 200 OK", "Transfer-Encoding: chunked", "") == nil)
    }

    @Test("a response without success is a refusal once its head is complete")
    func refused() {
        #expect(refusal("HTTP/1.1 407 Auth", "Proxy-Authenticate: Basic") == nil)
        #expect(refusal("HTTP/1.1 407 Auth", "Proxy-Authenticate: Basic", "") == 407)
        #expect(refusal("HTTP/1.1 403 No", "Content-Length: 5", "Content-Length: 6", "") == 403)
        #expect(refusal("HTTP/1.1 302 There", "Location: http://evil.example/", "") == 302)
        #expect(refusal("HTTP/1.1 100 Continue", "", "HTTP/1.1 502 Bad", "") == 502)
    }

    @Test("the last of several responses counts")
    func several() {
        #expect(refusal("HTTP/1.1 407 Auth", "", "HTTP/1.1 407 Really", "") == 407)
        #expect(refusal("HTTP/1.1 407 Auth", "", "HTTP/1.1 200 OK", "") == nil)
        #expect(refusal("HTTP/1.1 407 Auth", "", "HTTP/1.1 403 No", "") == 403)
    }

    @Test("a response without a valid head is malformed")
    func malformed() {
        #expect(refusal("SSH-2.0-OpenSSH_9.2") == -1)
        #expect(refusal("HTTP/1.1 abc") == -1)
        #expect(refusal("") == -1)
        #expect(refusal("HTTP/1.1 403 No", String(repeating: "x", count: 300_000)) == -1)
    }
}
