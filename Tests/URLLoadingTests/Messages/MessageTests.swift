import FoundationEssentials
import TestSupport
import Testing

@testable import URLLoading

@Suite("Messages")
struct MessageTests {
    @Test("a request is a GET until it is given a method, and an upload of one a PUT")
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

    @Test("two requests are the same only where what is sent is, byte for byte")
    func equality() throws {
        let one = try request("http://h/")
        var other = one
        #expect(one == other)
        other.httpRequestTarget = "*"
        #expect(one != other)
        other = one
        other.setValue("GET", forHTTPHeaderField: "X-A")
        #expect(one != other)
        // One letter in two spellings, which String takes for the same.
        var composed = one
        composed.setValue("\u{E9}", forHTTPHeaderField: "X-A")
        var decomposed = one
        decomposed.setValue("e\u{301}", forHTTPHeaderField: "x-a")
        #expect(composed != decomposed)
        decomposed.setValue("\u{E9}", forHTTPHeaderField: "x-a")
        #expect(composed == decomposed)
    }

    @Test("allHeaderFields is looked up in any case, and read as a dictionary is")
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
        var several = HTTPHeaderFields(["A": "1", "b": "2"])
        several.add("3", to: "a")
        #expect(several.map { "\($0.key)=\($0.value)" } == ["A=1, 3", "b=2"])
    }

    @Test("header fields know no case, keep their order, and join what is added")
    func fields() {
        var fields = HTTPHeaderFields()
        fields["B"] = "1"
        fields["a"] = "2"
        fields["b"] = "3"
        #expect(fields.fields.map(\.name) == ["B", "a"])
        #expect(fields["B"] == "3")
        fields.add("4", to: "A")
        #expect(fields["a"] == "2, 4")
        fields.add("x=1", to: "Cookie")
        fields.add("y=2", to: "cookie")
        #expect(fields["COOKIE"] == "x=1; y=2")
        fields["b"] = nil
        #expect(fields["B"] == nil)
        fields.add("a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT", to: "Set-Cookie")
        fields.add("b=2", to: "set-cookie")
        #expect(fields.fields.suffix(2).map(\.name) == ["Set-Cookie", "set-cookie"])
        #expect(fields.dictionary["Set-Cookie"]?.hasSuffix("GMT, b=2") == true)
        #expect(fields.dictionary.count == 3)
        fields["SET-COOKIE"] = "c=3"
        #expect(fields.fields.filter { $0.name == "Set-Cookie" }.map(\.value) == ["c=3"])
    }

    @Test(
        "the media type and its charset",
        arguments: [
            ("text/html; charset=UTF-8", "text/html", "utf-8"), ("TEXT/Plain", "text/plain", nil),
            ("text/html;charset=\"iso-8859-1\"", "text/html", "iso-8859-1"), ("nonsense", nil, nil),
            ("application/json; x=y", "application/json", nil), ("", nil, nil),
        ]
    )
    func mediaType(text: String, essence: String?, charset: String?) {
        let type = MediaType(text)
        #expect(type.essence == essence)
        #expect(type.charset == charset)
    }

    @Test("an answer's description comes from its header")
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

    /// Requests that cannot be sent, and the code for each.
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
        "S-05 a request that would break the head, or frame the body, is refused",
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
        let settings = SessionSettings(kind: .ephemeral)
        let error = #expect(throws: URLError.self) { _ = try PreparedRequest(request, settings) }
        #expect(error?.code == code)
        #expect(error?.description.contains("pw") != true)
    }

    @Test("a caller's framing headers are not sent, and values lose the spaces around them")
    func reserved() throws {
        var request = URLRequest(url: try url("http://h/"))
        request.allHTTPHeaderFields = [
            "Content-Length": "3", "transfer-encoding": "chunked", "Connection": "close",
            "X-Spaces": "  a b\t", "X-Empty": "  ",
        ]
        let prepared = try PreparedRequest(request, SessionSettings(kind: .ephemeral))
        #expect(prepared.fields.map(\.name) == ["User-Agent", "Accept", "X-Empty", "X-Spaces"])
        #expect(prepared.fields.suffix(2).map(\.value) == ["", "a b"])
    }

    @Test(
        "users and passwords in a text are hidden, and nothing else is",
        arguments: [
            ("see http://me:pw@h/x now", "see http://(redacted)@h/x now"),
            ("http://u:p'w@h/", "http://(redacted)@h/"),
            ("http://us:s3/cret@h/", "http://(redacted)@h/"),
            ("//me@h", "//(redacted)@h"),
            ("https://u.com/@types/node", "https://u.com/@types/node"),
            ("http://h:8443/@x", "http://h:8443/@x"), ("http://[::1]:8/@x", "http://[::1]:8/@x"),
            ("mail me@h", "mail me@h"),
            ("'foo://usr:pw@1.2.3.4:1'", "'foo://(redacted)@1.2.3.4:1'"),
            ("<http://h/a>,<http://u:PW@h/b>", "<http://h/a>,<http://(redacted)@h/b>"),
            ("<http://h>,<//u:PW@h>;x", "<http://h>,<//(redacted)@h>;x"),
            ("http://h/?u=http://u:PW@h/", "http://h/?u=http://(redacted)@h/"),
            ("http://a:b@h/?u=http://u:PW@h/", "http://(redacted)@h/?u=http://(redacted)@h/"),
            ("http://me:a\"PW@h/", "http://(redacted)@h/"),
            ("http://me:a,PW@h/", "http://(redacted)@h/"),
            ("http://me:a\"/P>W@h/ x@y", "http://(redacted)@h/ x@y"),
            ("http://me:a\u{a0}\u{3000}PW@h/", "http://(redacted)@h/"),
            ("http:///me:PW@h/", "http:///(redacted)@h/"),
            ("http://h:80\tme@x", "http://h:80\tme@x"),
            ("realm=\"http://h:80\" by=\"a@b\"", "realm=\"http://h:80\" by=\"a@b\""),
            ("//", "//"), ("//@", "//(redacted)@"), ("a//", "a//"),
        ]
    )
    func redacted(text: String, shown: String) {
        #expect(UserInfo.redacted(in: text) == shown)
    }

    @Test("it takes a moment, whatever a server has thought of")
    func redactedLong() {
        let text = String(repeating: "//a:b", count: 50_000) + " @"
        let start = ContinuousClock.now
        #expect(UserInfo.redacted(in: text).utf8.count == text.utf8.count)
        #expect(ContinuousClock.now - start < Duration.seconds(5).patient)
    }

    @Test("a path in the words about a file is no URL, and a URL there is one")
    func redactedPaths() {
        let path = "/tmp/dd//me@x/small.part"
        #expect(URLError(.cannotCreateFile, detail: path).detail == path)
        #expect(URLError(.cannotConnectToHost, detail: path).detail != path)
        let named = URLError(.cannotOpenFile, detail: "http://me:pw@h/x: not there")
        #expect(named.detail == "http://(redacted)@h/x: not there")
    }

    @Test("a URL's user and password leave it, and wait to be asked for")
    func basic() throws {
        let request = URLRequest(url: try url("http://me:p%40w@h:81/x#frag"))
        let prepared = try PreparedRequest(request, SessionSettings(kind: .ephemeral))
        #expect(prepared.url == "http://h:81/x")
        #expect(!prepared.has("Authorization"))
    }
}
