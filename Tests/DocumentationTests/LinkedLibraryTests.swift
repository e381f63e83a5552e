import TestSupport
import Testing

@Suite struct LinkedLibraryTests {
    /// Loading any of these costs more than the whole of a small fetch.
    private static let forbidden = [
        "libFoundation.so", "libFoundationNetworking.so", "libFoundationInternationalization.so",
        "lib_FoundationICU.so",
    ]

    @Test func theCommandIsNotLinkedWithTheLargeFoundation() async throws {
        let result = try await FetchProcess.shell(#"ldd "$FETCH""#)
        #expect(result.status == 0, "\(result)")
        let libraries = result.stdoutText.split(separator: "\n").compactMap { line in
            line.split(whereSeparator: \.isWhitespace).first.map(String.init)
        }
        #expect(libraries.contains { $0.hasPrefix("libcurl") })
        for library in Self.forbidden {
            #expect(!libraries.contains(library))
        }
    }
}
