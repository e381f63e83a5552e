import FoundationEssentials
import Testing

@testable import URLLoading

@Suite("Data URLs")
struct DataURLTests {
    @Test(
        "S-09 the client splits a data URL as browsers do",
        arguments: [
            ("data:,hello%20world", "text/plain", "us-ascii", "hello world"),
            ("data:,", "text/plain", "us-ascii", ""),
            ("data:text/html,<p>", "text/html", nil, "<p>"),
            ("data:text/html;charset=UTF-8,x", "text/html", "utf-8", "x"),
            ("data:;charset=utf-8,x", "text/plain", "utf-8", "x"),
            ("DATA:text/plain;base64,aGk=", "text/plain", nil, "hi"),
            ("data:;base64,aGk", "text/plain", "us-ascii", "hi"),
            ("data:;BASE64,aGk%3D", "text/plain", "us-ascii", "hi"),
            ("data:image/x;%20base64,YQ==", "image/x", nil, "a"),
            ("data:;base64,a%20G%0Ak%3D", "text/plain", "us-ascii", "hi"),
            ("data:;base64,", "text/plain", "us-ascii", ""),
            ("data:base64,aGk=", "text/plain", "us-ascii", "aGk="),
            ("data:nonsense,x", "text/plain", "us-ascii", "x"),
            ("data:a/b/c,x", "text/plain", "us-ascii", "x"),
            ("data:text/%0d%0aX:y,x", "text/plain", "us-ascii", "x"),
            ("data:,a,b;base64,c", "text/plain", "us-ascii", "a,b;base64,c"),
            ("data:,a#fragment", "text/plain", "us-ascii", "a"),
            ("data:,100%25", "text/plain", "us-ascii", "100%"),
            ("data:,%zz%4", "text/plain", "us-ascii", "%zz%4"),
        ] as [(String, String, String?, String)]
    )
    func parts(_ text: String, _ type: String, _ charset: String?, _ data: String) throws {
        let url = try DataURL(try #require(URL(string: text)))
        #expect(url.mediaType.essence == type)
        #expect(url.mediaType.charset == charset)
        #expect(String(decoding: url.bytes, as: UTF8.self) == data)
    }

    @Test(
        "S-09 a malformed data URL is an error, and no crash",
        arguments: [
            "data:", "data:text/plain", "data:text/plain;base64", "data:;base64,a",
            "data:;base64,aGk=x", "data:;base64,a$bc", "data:;base64,====", "data:;base64,aGk===",
        ]
    )
    func malformed(_ text: String) throws {
        let url = try #require(URL(string: text))
        do {
            _ = try DataURL(url)
            Issue.record("it was taken")
        } catch {
            #expect(error.code == .badURL)
        }
    }

    @Test("S-09 a data URL can carry any byte")
    func bytes() throws {
        let escaped = (0...255).map { byte in
            "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        let url = try #require(URL(string: "data:," + escaped.joined()))
        #expect(try DataURL(url).bytes == [UInt8](0...255))
        let base64 = Data(0...255).base64EncodedString()
        let other = try #require(URL(string: "data:;base64," + base64))
        #expect(try DataURL(other).bytes == [UInt8](0...255))
    }
}
