import FoundationEssentials
import Testing

@testable import FetchCommand

@Suite struct WebAddressTests {
    @Test(arguments: [
        ("example.com", "https://example.com"), ("example.com/a", "https://example.com/a"),
        ("example.com:8080/a", "https://example.com:8080/a"), ("HTTP://h/", "http://h/"),
        ("HttpS://H/", "https://H/"), ("localhost", "http://localhost"),
        ("LOCALHOST:80", "http://LOCALHOST:80"), ("a.localhost/x", "http://a.localhost/x"),
        ("localhost./x", "http://localhost./x"), ("127.0.0.1:1/x", "http://127.0.0.1:1/x"),
        ("127.9.9.9", "http://127.9.9.9"), ("[::1]:80/", "http://[::1]:80/"),
        ("127.example.com", "https://127.example.com"), ("notlocalhost", "https://notlocalhost"),
        ("[::2]/", "https://[::2]/"), ("https://localhost", "https://localhost"),
        ("http://h:/x", "http://h/x"), ("http://h:0/", "http://h:0/"),
        ("http://h:65535", "http://h:65535"), ("http://h?q#f", "http://h?q#f"),
        ("http://h/a b", "http://h/a%20b"), ("http://h/a%20b c", "http://h/a%20b%20c"),
        ("http://h/%zz%", "http://h/%25zz%25"), ("http://h/ü?ä#ö", "http://h/%C3%BC?%C3%A4#%C3%B6"),
        ("http://h/#a#b", "http://h/#a%23b"), ("http://bücher.de/", "http://xn--bcher-kva.de/"),
        ("http://h/##\u{301}", "http://h/#%23%CC%81"),
        ("http://h/a\\b", "http://h/a%5Cb"), ("http://u:p@h/x@y", "http://h/x@y"),
        ("h/?u=http://other:99999/", "https://h/?u=http://other:99999/"),
        ("http://h/{a}[b]", "http://h/%7Ba%7D%5Bb%5D"),
    ])
    func normalised(_ argument: String, _ text: String) throws {
        let address = try WebAddress(argument)
        #expect(address.text == text)
        #expect(URL(string: text)?.absoluteString == text)
    }

    @Test(arguments: [
        "", "-", "-O", "--help", "http://", "https:///path", "http://:80/", "http://?q",
        "http://#f",
        "/path", "//h/x", "?q", "ftp://h/", "mailto:a", "javascript:alert(1)",
        "http:/h/x", "http://h:65536/", "http://h:99999999999999999999/", "http://h:-1/",
        "http://h:+80/", "http://h:8a/", "http://h:80:80/", "http://a b/", " http://h/",
        "http://h\r\n/", "http://h/\r\nX: y", "http://h/\tx", "http://h/\0x", "http://h/\u{7f}",
        "http://[::1", "http://[::g]/", "http://[::1]x/", "http://[]/", "http://h]/", "http://a[b/",
        "http://ex%61mple.com/", "http://h\\@good/", "http://a<b/", "http://./", "http://u@",
        "http://zs\u{A0}/", "http://good\u{FF0F}.evil/", "http://good\u{FF20}evil/", "a\u{2100}b",
        "http://good\u{FF1A}80/", "http://u%0d%0a@h/", "http://u:%00@h/", "http://u:%ff@h/",
        "http://h\u{202e}x/",
    ])
    func refused(_ argument: String) {
        #expect(throws: UsageError.self) { try WebAddress(argument) }
    }

    @Test(
        arguments: [
            ("http://me:pw@h/", "me", "pw"), ("me:pw@h", "me", "pw"), ("http://me@h/", "me", nil),
            ("http://me:@h/", "me", ""), ("http://:pw@h/", "", "pw"),
            ("http://a%40b:c%3Ad%25@h/", "a@b", "c:d%"), ("http://a@b:c@h/", "a@b", "c"),
            ("http://a:b:c@h/", "a", "b:c"), ("http://%zz:x@h/", "%zz", "x"),
            ("http://ü:ä@h/", "ü", "ä"),
        ] as [(String, String, String?)]
    )
    func credentials(_ argument: String, _ user: String, _ password: String?) throws {
        let address = try WebAddress(argument)
        #expect(address.credential == UserPassword(user: user, password: password))
        #expect(address.host == "h")
        #expect(!address.text.contains("@"))
        #expect(address.redacted.contains("://(redacted)@h"))
        #expect(String(describing: address).contains("(redacted)"))
    }

    @Test func anEmptyUserIsNone() throws {
        #expect(try WebAddress("http://@h/").credential == nil)
    }

    /// To Swift a slash with a combining accent is one character, and not a slash.
    @Test func combiningMarksHideNoDelimiter() throws {
        let address = try WebAddress("http://good/\u{301}@evil/")
        #expect(address.host == "good")
        #expect(address.text == "http://good/%CC%81@evil/")
        #expect(throws: UsageError.self) { try WebAddress("http://good:\u{301}80/") }
    }

    @Test(arguments: [
        "http://me:s3cret@", "http://me:s3cret@h:x/", "ftp://me:s3cret@h/", "me:s3/cret@h:x",
        "http://me:s3/cret@h/", "http://me:s3cret@h h/", "http://me:s3cret%0a@h/",
    ])
    func noErrorShowsAPassword(_ argument: String) throws {
        let error = try #require(throws: UsageError.self) { try WebAddress(argument) }
        #expect(!String(describing: error).contains("cret"))
        #expect(!error.message.contains("cret"))
    }

    @Test(arguments: [
        ("http://h/d/", "f x", "http://h/d/f%20x"), ("http://h", "f", "http://h/f"),
        ("http://h/?q#f", "a/b", "http://h/a%2Fb?q#f"), ("http://h/", "ü", "http://h/%C3%BC"),
        ("http://h/", "a?b#c%d", "http://h/a%3Fb%23c%25d"),
    ])
    func appending(_ argument: String, _ segment: String, _ text: String) throws {
        #expect(try WebAddress(argument).appending(segment: segment).text == text)
    }
}
