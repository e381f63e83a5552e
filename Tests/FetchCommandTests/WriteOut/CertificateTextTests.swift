import Foundation
import Synchronization
import TestSupport
import Testing

@testable import FetchCommand
@testable import URLLoading

@Suite("Certificates in --write-out", .timeLimit(.minutes(1)))
struct CertificateTextTests {
    /// A certificate whose names contain characters that a terminal would interpret.
    ///
    /// They are the C1 start of an escape sequence, an override of direction, and a line separator.
    private static func certificate() async throws -> [UInt8] {
        let made = try await FetchProcess.shell(
            #"""
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 \
                -utf8 -subj "/CN=$1" -keyout key -outform der -out der 2>/dev/null
            """#,
            "a\u{9b}31mb\u{202e}c\u{2028}d"
        )
        return try #require(made.folder.read("der"))
    }

    private func report(_ certificate: [UInt8]) throws -> TransferReport {
        var hop = HopMetrics()
        hop.certificates = [certificate]
        let request = URLRequest(url: try #require(URL(string: "https://h/")))
        let transaction = URLSessionTaskTransactionMetrics(request, nil, hop, nil)
        return TransferReport(
            url: "https://h/",
            number: 0,
            exitCode: 0,
            errorMessage: nil,
            fileName: nil,
            metrics: URLSessionTaskMetrics(
                [transaction],
                taskInterval: DateInterval(),
                redirectCount: 0
            )
        )
    }

    @Test("each text of a certificate is one line, without characters that a terminal interprets")
    func escaped() async throws {
        let report = try report(try await Self.certificate())
        let format = try WriteOutFormat(FlagValue(flag: "--write-out", text: "%{certs}%{json}"))
        let texts = WriteOut(format: format, printer: .errorsOnly).texts(report)
        let text = texts.map(\.text).joined()
        #expect(text.contains("Subject:CN=a\\u{9b}31mb\\u{202e}c\\u{2028}d\n"), "\(text)")
        #expect(text.contains("Issuer:CN=a\\u{9b}"), "\(text)")
        let harmful = text.unicodeScalars.filter { Printable.isHarmful($0) && $0 != "\n" }
        #expect(harmful.isEmpty)
        // The certificate itself keeps its lines.
        #expect(text.contains("\n-----BEGIN CERTIFICATE-----\n"))
        #expect(text.contains("\n-----END CERTIFICATE-----\n"))
    }
}
