import FoundationEssentials
import Testing

@testable import URLLoading

/// What libcurl would let through where its own idea of the host, or of a domain, is a wrong one.
@Suite("Cookies that are not the host's")
struct ForeignCookieTests {
    /// The domain in a cookie's line, the host that has responded, and whether it may set that.
    static let lines: [(String, String, Bool)] = [
        ("a.example", "a.example", true), (".a.example", "b.a.example", true),
        (".A.Example", "a.example", true), ("127.0.0.1", "127.0.0.1", true),
        ("bank.example", "a.example", false), (".bank.example", "a.example", false),
        ("a.example", "b.a.example", false), (".b.a.example", "a.example", false),
        (".ample", "a.example", false), (".0.0.1", "127.0.0.1", false),
        ("a.example.", "a.example.", true), (".co.uk.", "a.co.uk.", false),
        (".a.example.", "b.a.example.", false),
    ]

    @Test("C-03 a response sets its own host's cookies and no other's", arguments: lines)
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
