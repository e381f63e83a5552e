import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import URLLoading

@Suite("A file that the user has named", .timeLimit(.minutes(1)))
struct NamedFileTests {
    private let folder: TestSupport.TemporaryFolder
    private let fifo: NamedFile

    init() throws {
        folder = try TemporaryFolder("named")
        try #require(mkfifo(folder.path("fifo"), 0o600) == 0)
        fifo = try NamedFile(folder.path("fifo"))
    }

    @Test("a FIFO without a reader is an error, and no wait without end")
    func withoutReader() {
        #expect(throws: PrivateFileError.self) {
            try fifo.replace(by: Data("no reader".utf8), patience: .milliseconds(50))
        }
    }

    @Test("a FIFO's reader gets the whole, also what does not fit into the FIFO at once")
    func reader() async throws {
        let content = Data(repeating: UInt8(ascii: "x"), count: 1 << 20)
        async let read = fifo.read()
        try fifo.replace(by: content, patience: .seconds(30))
        #expect(try await read == content)
    }
}
