import Testing

@testable import CurlMulti

@Suite("Responses to CONNECT")
struct ConnectResponseTests {
    /// Takes lines, and returns the status of the refusal that is left; -1 where one was malformed.
    private func refusal(_ lines: String...) -> Int? {
        var response = ConnectResponse()
        for line in lines {
            let bytes = Array("\(line)\r\n".utf8)
            let result = bytes.withUnsafeBytes { response.take($0) }
            if result == .malformed { return -1 }
        }
        return response.refusal?.status
    }

    @Test("an open tunnel is no refusal, whatever its fields say")
    func open() {
        #expect(refusal("HTTP/1.1 200 Connection established", "") == nil)
        #expect(refusal("HTTP/1.0 299 Yes", "Content-Length: 5", "Content-Length: 6", "") == nil)
        #expect(refusal("HTTP/1.1 200 OK", "Transfer-Encoding: chunked", "") == nil)
    }

    @Test("anything else is one, once its head is whole")
    func refused() {
        #expect(refusal("HTTP/1.1 407 Auth", "Proxy-Authenticate: Basic") == nil)
        #expect(refusal("HTTP/1.1 407 Auth", "Proxy-Authenticate: Basic", "") == 407)
        #expect(refusal("HTTP/1.1 403 No", "Content-Length: 5", "Content-Length: 6", "") == 403)
        #expect(refusal("HTTP/1.1 302 There", "Location: http://evil.example/", "") == 302)
        #expect(refusal("HTTP/1.1 100 Continue", "", "HTTP/1.1 502 Bad", "") == 502)
    }

    @Test("of several in a row the last one counts")
    func several() {
        #expect(refusal("HTTP/1.1 407 Auth", "", "HTTP/1.1 407 Really", "") == 407)
        #expect(refusal("HTTP/1.1 407 Auth", "", "HTTP/1.1 200 OK", "") == nil)
        #expect(refusal("HTTP/1.1 407 Auth", "", "HTTP/1.1 403 No", "") == 403)
    }

    @Test("what is no head is malformed")
    func malformed() {
        #expect(refusal("SSH-2.0-OpenSSH_9.2") == -1)
        #expect(refusal("HTTP/1.1 abc") == -1)
        #expect(refusal("") == -1)
        #expect(refusal("HTTP/1.1 403 No", String(repeating: "x", count: 300_000)) == -1)
    }
}
