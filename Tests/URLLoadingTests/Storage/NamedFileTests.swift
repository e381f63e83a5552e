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

    @Test("a file in the place of a broken link is private, and one of the user's keeps its mode")
    func modes() throws {
        try #require(symlink("nowhere", folder.path("link")) == 0)
        try folder.write("old", to: "own")
        try #require(chmod(folder.path("own"), 0o640) == 0)
        for (name, mode) in [("link", 0o600 as mode_t), ("own", 0o640)] {
            try NamedFile(folder.path(name)).replace(by: Data("new".utf8), timeout: .seconds(1))
            var status = stat()
            try #require(lstat(folder.path(name), &status) == 0)
            #expect(status.st_mode == S_IFREG | mode)
        }
    }

    @Test("a FIFO's reader gets the whole, also beyond the FIFO's capacity")
    func reader() async throws {
        let content = Data(repeating: UInt8(ascii: "x"), count: 1 << 20)
        // Both ends block until the other one is open.
        let ends = try await onThreads(2) { [fifo] number in
            if number == 0 { return try fifo.read() }
            try fifo.replace(by: content, timeout: .seconds(30))
            return nil
        }
        #expect(ends.compactMap(\.self) == [content])
    }
}
