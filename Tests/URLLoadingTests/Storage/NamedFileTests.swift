import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import URLLoading

@Suite("Files named by the user", .timeLimit(.minutes(1)))
struct NamedFileTests {
    private let folder: TestSupport.TemporaryFolder
    private let fifo: NamedFile

    init() throws {
        folder = try TemporaryFolder("named")
        try #require(mkfifo(folder.path("fifo"), 0o600) == 0)
        fifo = try NamedFile(folder.path("fifo"))
    }

    @Test("a FIFO without a reader is an error, and no endless wait")
    func withoutReader() {
        #expect(throws: PrivateFileError.self) {
            try fifo.replace(by: Data("nobody".utf8), timeout: .milliseconds(50))
        }
    }

    @Test("a FIFO's reader gets the whole, also beyond the FIFO's capacity")
    func reader() async throws {
        let content = Data(repeating: UInt8(ascii: "x"), count: 1 << 20)
        async let read = fifo.read()
        try fifo.replace(by: content, timeout: .seconds(30))
        #expect(try await read == content)
    }
}
