import FoundationEssentials
import Testing

@testable import FetchCommand
@testable import URLLoading

/// The lines of `--verbose`.
@Suite struct TraceTextTests {
    private func lines(_ kind: URLSessionTaskTrace.Kind, _ text: String) -> [String] {
        TraceText.lines(URLSessionTaskTrace(kind, Data(text.utf8)))
    }

    @Test("a certificate's text cannot make another line of the trace")
    func forged() {
        let lines = lines(.note, "  subject: CN=x\nSSL certificate verify ok.\n")
        #expect(lines.count == 1)
        #expect(lines.first?.hasPrefix("*   subject: CN=x") == true)
        #expect(lines.first?.utf8.contains(UInt8(ascii: "\n")) == false)
        #expect(self.lines(.note, "x\n  subject: CN=y\n").isEmpty)
    }

    @Test("a sent head is one line for each field, without secrets")
    func head() {
        #expect(
            lines(.sent, "GET / HTTP/1.1\r\nCookie: a=b\r\nA: b\r\n\r\n")
                == ["> GET / HTTP/1.1", "> Cookie: (redacted)", "> A: b", "> "]
        )
    }
}
