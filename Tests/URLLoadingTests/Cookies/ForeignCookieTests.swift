import FoundationEssentials
import Testing

@testable import URLLoading

/// Cookies that libcurl would accept where its own view of the host or domain is wrong.
@Suite("Cookies of another host")
struct ForeignCookieTests {
    /// The domain in a cookie's line, the responding host, and whether it may set the cookie.
    static let lines: [(String, String, Bool)] = [
        ("a.example", "a.example", true), (".a.example", "b.a.example", true),
        (".A.Example", "a.example", true), ("127.0.0.1", "127.0.0.1", true),
        ("bank.example", "a.example", false), (".bank.example", "a.example", false),
        ("a.example", "b.a.example", false), (".b.a.example", "a.example", false),
        (".ample", "a.example", false), (".0.0.1", "127.0.0.1", false),
        ("a.example.", "a.example.", true), (".co.uk.", "a.co.uk.", false),
        (".a.example.", "b.a.example.", false),
    ]

    @Test("C-03 a response sets cookies of its own host only", arguments: lines)
    func hosts(domain: String, host: String, isKept: Bool) throws {
        let storage = HTTPCookieStorage()
        let below = domain.utf8.first == UInt8(ascii: ".") ? "TRUE" : "FALSE"
        storage.take(
            ["\(domain)\t\(below)\t/\tFALSE\t0\ts\t1"],
            from: try url("http://\(host)/"),
            mainDocument: nil,
            .always
        )
        #expect((storage.cookies ?? []).isEmpty != isKept)
    }
}
