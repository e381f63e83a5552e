import TestSupport
import Testing

@Suite
struct NginxTests {
    let nginx: Nginx

    init() throws {
        nginx = try Nginx.shared
    }

    @Test
    func servesFilesWithValidatorsAndRanges() throws {
        let path = try nginx.addFile("served.txt", text: "0123456789", modified: 1_000_000_000)
        let response = try RawClient.get(port: nginx.httpPort, path, "Range: bytes=2-4\r\n")
        #expect(response.hasPrefix("HTTP/1.1 206 "))
        #expect(response.contains("\r\nETag: \""))
        #expect(response.contains("\r\nLast-Modified: Sun, 09 Sep 2001 01:46:40 GMT\r\n"))
        #expect(response.contains("\r\nContent-Range: bytes 2-4/10\r\n"))
        #expect(response.hasSuffix("\r\n\r\n234"))
    }

    @Test
    func largeFilesAreTheBytesOfTheirSeed() async throws {
        let size = 3_000_001
        let path = try nginx.addLargeFile("large", size: size, seed: 7)
        let served = nginx.documentRoot + path.dropFirst("/files".count)
        #expect(try sha256(file: served) == sha256(PseudoRandom.bytes(size, seed: 7)))
    }

    @Test
    func sendsWithoutLength() throws {
        let path = try nginx.addFile("unknown.txt", text: "some text")
        let chunked = try RawClient.get(
            port: nginx.httpPort,
            path.replacing("/files/", with: "/no-length/")
        )
        #expect(chunked.contains("Transfer-Encoding: chunked"))
        #expect(chunked.hasSuffix("\r\n9\r\nsome text\r\n0\r\n\r\n"))
        let closed = try RawClient.get(
            port: nginx.httpPort,
            path.replacing("/files/", with: "/until-close/")
        )
        #expect(!closed.contains("Transfer-Encoding"))
        #expect(!closed.contains("Content-Length"))
        #expect(closed.hasSuffix("\r\n\r\nsome text"))
    }

    @Test
    func storesUploads() throws {
        let response = try RawClient.exchange(
            port: nginx.httpPort,
            "PUT /dav/new/upload HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n"
                + "Connection: close\r\n\r\ndata"
        )
        #expect(response.text.hasPrefix("HTTP/1.1 201 "))
        #expect(nginx.uploaded("new/upload") == Array("data".utf8))
        #expect(
            try RawClient.get(port: nginx.httpPort, "/dav/new/upload").hasSuffix("\r\n\r\ndata")
        )
    }

    @Test
    func echoesTheRequest() throws {
        let response = try RawClient.get(port: nginx.httpPort, "/echo/a?b", "X-Test: seen\r\n")
        #expect(response.contains("\nmethod: GET\n"))
        #expect(response.contains("\nuri: /echo/a?b\n"))
        #expect(response.contains("\nx-test: seen\n"))
        try #require(nginx.hasEchoModule)
        let body = try RawClient.exchange(
            port: nginx.httpPort,
            "POST /echo-body HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n"
                + "Connection: close\r\n\r\ndata"
        )
        #expect(body.text.contains("\r\n4\r\ndata\r\n"))
    }

    @Test(arguments: Nginx.statuses)
    func respondsWithStatuses(code: Int) throws {
        let response = try RawClient.get(port: nginx.httpPort, "/status/\(code)")
        #expect(response.hasPrefix("HTTP/1.1 \(code)"))
        #expect(
            response.hasSuffix(code == 204 || code == 304 ? "\r\n\r\n" : "\r\n\r\nstatus \(code)\n")
        )
    }

    @Test(arguments: [
        ("301", "301 ", "http://localhost/echo/target"),
        ("307", "307 ", "http://localhost/echo/target"),
        ("relative", "302 ", "../echo/target"),
        ("rooted", "302 ", "/echo/target"),
        ("loop", "302 ", "http://localhost/redirect/loop"),
        ("chain/40", "302 ", "http://localhost/redirect/chain/39"),
    ])
    func redirects(name: String, status: String, location: String) throws {
        let response = try RawClient.get(port: nginx.httpPort, "/redirect/\(name)")
        #expect(response.hasPrefix("HTTP/1.1 \(status)"))
        #expect(response.contains("\r\nLocation: \(location)\r\n"))
    }

    @Test
    func redirectsWithoutLocation() throws {
        let response = try RawClient.get(port: nginx.httpPort, "/redirect/no-location")
        #expect(response.hasPrefix("HTTP/1.1 302 "))
        #expect(!response.lowercased().contains("\r\nlocation: "))
    }

    @Test
    func asksForAPassword() throws {
        let path = "/private/hello.txt"
        #expect(try RawClient.get(port: nginx.httpPort, path).hasPrefix("HTTP/1.1 401 "))
        let basic = "Authorization: Basic bmFtZTpzZWNyZXQ=\r\n"
        #expect(try RawClient.get(port: nginx.httpPort, path, basic).hasPrefix("HTTP/1.1 200 "))
    }

    @Test
    func logsRequests() async throws {
        let path = "/echo/logged"
        _ = try RawClient.get(port: nginx.httpPort, path, "User-Agent: a b\r\nRange: bytes=1-\r\n")
        let entries = await nginx.accessLog(path, waitingFor: 1)
        let entry = try #require(entries.first)
        #expect(entry.method == "GET")
        #expect(entry.status == 200)
        #expect(entry.version == "HTTP/1.1")
        #expect(entry.userAgent == "a b")
        #expect(entry.range == "bytes=1-")
    }
}
