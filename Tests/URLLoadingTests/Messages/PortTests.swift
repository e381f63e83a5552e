import FoundationEssentials
import Testing

@testable import URLLoading

/// Ports of URLs that a server may have written.
@Suite("Ports")
struct PortTests {
    /// URLs whose port is none.
    @Test(
        "a port that no number can say is no port, and not the scheme's own",
        arguments: [
            "http://h:99999999999999999999/", "http://h:65536/",
            "http://u:p@h:99999999999999999999",
            "http://[::1]:99999999999999999999/", "https://h:18446744073709551617/?q",
        ]
    )
    func ports(text: String) throws {
        // Foundation may take it for no URL at all.
        guard let url = URL(string: text) else { return }
        #expect(throws: URLError.self) { try PreparedRequest.target(url) }
    }
}
