import TestSupport
import Testing

@Suite struct LinkedLibraryTests {
    /// Loading any of these takes longer than a small fetch as a whole.
    private static let forbidden = [
        "libFoundation.so", "libFoundationNetworking.so", "libFoundationInternationalization.so",
        "lib_FoundationICU.so",
    ]

    /// Libraries of glibc and the kernel.
    private static let system = ["linux-vdso", "libc.so", "libm.so", "ld-linux"]

    @Test func theCommandIsNotLinkedWithTheLargeFoundation() async throws {
        let result = try await FetchProcess.shell(#"ldd "$FETCH""#)
        #expect(result.status == 0, "\(result)")
        let libraries = result.stdoutText.split(separator: "\n").compactMap { line in
            line.split(whereSeparator: \.isWhitespace).first.map(String.init)
        }
        // The self-contained edition needs glibc alone.
        let needed = libraries.filter { library in !Self.system.contains { library.contains($0) } }
        #expect(needed.isEmpty || needed.contains { $0.hasPrefix("libcurl") }, "\(needed)")
        for library in Self.forbidden {
            #expect(!libraries.contains(library))
        }
    }
}
