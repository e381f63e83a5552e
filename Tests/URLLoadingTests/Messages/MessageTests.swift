import FoundationEssentials
import TestSupport
import Testing

@testable import URLLoading

@Suite("Messages")
struct MessageTests {
    @Test("a request is a GET without a method, and its upload a PUT")
    func method() throws {
        var request = try request("http://h/")
        #expect(request.httpMethod == "GET")
        let session = URLSession(configuration: .ephemeral)
        defer { session.invalidateAndCancel() }
        #expect(
            session.uploadTask(with: request, from: Data()).originalRequest?.httpMethod == "PUT"
        )
        request.httpMethod = "POST"
        #expect(
            session.uploadTask(with: request, from: Data()).originalRequest?.httpMethod == "POST"
        )
        request.httpMethod = nil
        #expect(request.httpMethod == "GET")
    }

    @Test("two requests are equal only where they send the same bytes")
    func equality() throws {
        let one = try request("http://h/")
        var other = one
        #expect(one == other)
        other.httpRequestTarget = "*"
        #expect(one != other)
        other = one
        other.setValue("GET", forHTTPHeaderField: "X-A")
        #expect(one != other)
        // One letter in two spellings, which are equal to String.
        var composed = one
        composed.setValue("\u{E9}", forHTTPHeaderField: "X-A")
        var decomposed = one
        decomposed.setValue("e\u{301}", forHTTPHeaderField: "x-a")
        #expect(composed != decomposed)
        decomposed.setValue("\u{E9}", forHTTPHeaderField: "x-a")
        #expect(composed == decomposed)
    }

    @Test("allHeaderFields finds names in any case, and reads as a dictionary")
    func headerFields() throws {
        let response = try #require(
            HTTPURLResponse(
                url: try url("http://h/"),
                statusCode: 200,
                httpVersion: nil,
                headerFields: ["content-TYPE": "text/plain", "X-A": "1"]
            )
        )
        let fields = response.allHeaderFields
        for name in ["Content-Type", "content-type", "CONTENT-TYPE", "content-TYPE"] {
            #expect(fields[name] == "text/plain")
        }
        #expect(fields["X-B"] == nil)
        #expect(fields.count == 2)
        #expect(fields.keys == ["X-A", "content-TYPE"])
        #expect(fields.values == ["1", "text/plain"])
        var read: [String: String] = [:]
        for (name, value) in fields { read[name] = value }
        #expect(read == fields.dictionary)
    }

    @Test("a response's description comes from its header")
    func response() throws {
        let response = try #require(
            HTTPURLResponse(
                url: try url("http://h/path/name.txt?q"),
                statusCode: 200,
                httpVersion: nil,
                headerFields: ["content-type": "text/plain; charset=utf-8", "CONTENT-LENGTH": "12"]
            )
        )
        #expect(response.mimeType == "text/plain")
        #expect(response.textEncodingName == "utf-8")
        #expect(response.expectedContentLength == 12)
        #expect(response.suggestedFilename == "name.txt")
        #expect(response.value(forHTTPHeaderField: "Content-Type") != nil)
        #expect(HTTPURLResponse.localizedString(forStatusCode: 404) == "Not Found")
    }

    @Test(
        "a disposition's name precedes the URL's, without its folders",
        arguments: [
            ("attachment; filename=x", "x"), ("attachment", "last"),
            (#"attachment; filename="../up/../x""#, "x"), (#"attachment; filename="a\\b""#, "b"),
            (#"attachment; filename="..""#, "last"), (#"attachment; filename="/""#, "last"),
        ]
    )
    func suggested(_ field: String, _ name: String) throws {
        let response = HTTPURLResponse(
            url: try url("http://h/a/last"),
            statusCode: 200,
            httpVersion: nil,
            headerFields: HTTPHeaderFields(["content-disposition": field])
        )
        #expect(response.suggestedFilename == name)
    }

    /// Requests that the client cannot send, and the code for each.
    static let refused: [(String, String, [String: String], URLError.Code)] = [
        ("http://h/", "GE T", [:], .badURL), ("http://h/", "", [:], .badURL),
        ("http://h/", "GET\r\nX: y", [:], .badURL),
        ("http://h/", "GET", ["X": "a\r\nInjected: b"], .badURL),
        ("http://h/", "GET", ["X": "a\nb"], .badURL), ("http://h/", "GET", ["X": "a\0b"], .badURL),
        ("http://h/", "GET", ["X Y": "a"], .badURL), ("http://h/", "GET", ["": "a"], .badURL),
        ("http://h/", "GET", ["X:": "a"], .badURL),
        ("http://me%0d%0aX:pw@h/", "GET", [:], .badURL),
        ("file:///etc/passwd", "GET", [:], .unsupportedURL),
    ]

    @Test("a length has no sign", arguments: ["-5", "+5", "", "5 ", "9223372036854775808"])
    func signedLength(_ text: String) throws {
        let url = try #require(URL(string: "http://h/"))
        let fields = HTTPHeaderFields(["Content-Length": text])
        let response = HTTPURLResponse(
            url: url,
            statusCode: 200,
            httpVersion: nil,
            headerFields: fields
        )
        #expect(response.expectedContentLength == -1)
        let head = HopHead(status: 200, httpVersion: "HTTP/1.1", reason: "", fields: fields)
        #expect(head.bodyLength("GET") == nil)
    }

    @Test(
        "S-05 the client refuses a request that would break the head, or frame the body",
        arguments: refused
    )
    func prepared(
        address: String,
        method: String,
        fields: [String: String],
        code: URLError.Code
    ) throws {
        var request = URLRequest(url: try url(address))
        request.httpMethod = method
        request.allHTTPHeaderFields = fields
        let fields = SessionSettings(kind: .ephemeral).defaultFields
        let error = #expect(throws: URLError.self) { _ = try PreparedRequest(request, fields) }
        #expect(error?.code == code)
        #expect(error?.description.contains("pw") != true)
    }

    @Test("the client omits a caller's framing headers, and trims the spaces around values")
    func reserved() throws {
        var request = URLRequest(url: try url("http://h/"))
        request.allHTTPHeaderFields = [
            "Content-Length": "3", "transfer-encoding": "chunked", "Connection": "close",
            "X-Spaces": "  a b\t", "X-Empty": "  ",
        ]
        let prepared = try PreparedRequest(request, SessionSettings(kind: .ephemeral).defaultFields)
        #expect(prepared.fields.map(\.name) == ["User-Agent", "Accept", "X-Empty", "X-Spaces"])
        #expect(prepared.fields.suffix(2).map(\.value) == ["", "a b"])
    }

    @Test("an error's detail redacts URLs and leaves paths")
    func redactedPaths() {
        let path = "/tmp/dd//me@x/small.part"
        #expect(URLError(.cannotCreateFile, detail: path).detail == path)
        #expect(URLError(.cannotConnectToHost, detail: path).detail != path)
        let named = URLError(.cannotOpenFile, detail: "http://me:pw@h/x: not there")
        #expect(named.detail == "http://(redacted)@h/x: not there")
    }

    @Test("the client takes a URL's user and password out, and keeps them until a server asks")
    func basic() throws {
        let request = URLRequest(url: try url("http://me:p%40w@h:81/x#frag"))
        let prepared = try PreparedRequest(request, SessionSettings(kind: .ephemeral).defaultFields)
        #expect(prepared.url == "http://h:81/x")
        #expect(!prepared.has("Authorization"))
    }
}
