import FoundationEssentials
import Testing

@testable import URLLoading

/// Ports of URLs from a server.
@Suite("Ports")
struct PortTests {
    /// URLs with an invalid port.
    @Test(
        "a port that is too large is an error, and not the scheme's own port",
        arguments: [
            "http://h:99999999999999999999/", "http://h:65536/",
            "http://u:p@h:99999999999999999999",
            "http://[::1]:99999999999999999999/", "https://h:18446744073709551617/?q",
        ]
    )
    func ports(text: String) throws {
        // Foundation may refuse the URL.
        guard let url = URL(string: text) else { return }
        #expect(throws: URLError.self) { try PreparedRequest.target(url) }
    }
}
