import FoundationEssentials
import Testing

@testable import HTTPSemantics

/// Ports in URLs from a server.
@Suite("Origins")
struct OriginTests {
    /// URLs with an invalid port.
    @Test(
        "a port out of range is no port, and does not become the scheme's default",
        arguments: [
            "http://h:99999999999999999999/", "http://h:65536/",
            "http://u:p@h:99999999999999999999",
            "http://[::1]:99999999999999999999/", "https://h:18446744073709551617/?q",
        ]
    )
    func ports(text: String) throws {
        // Foundation may refuse the text as a URL.
        guard let url = URL(string: text) else { return }
        #expect(!url.hasUsablePort)
        #expect(Origin(url) == nil)
    }

    @Test(
        "a valid or missing port is usable",
        arguments: [
            "http://h/", "http://h:/", "http://h:65535/:99999999/", "http://[::1]/",
            "http://u:p@h/",
        ]
    )
    func usablePorts(text: String) throws {
        #expect(try url(text).hasUsablePort)
    }
}
