import FoundationEssentials
import TestSupport
import Testing

@testable import URLLoading

@Suite("A cache in another program's folder")
struct ForeignFolderTests {
    private func cache(_ path: String) -> URLCache {
        URLCache(memoryCapacity: 0, diskCapacity: 1 << 20, directory: URL(filePath: path))
    }

    @Test("C-01 the cache removes only files of its own")
    func otherFiles() throws {
        let folder = try TestSupport.TemporaryFolder()
        try folder.write("dear", to: "cache/en/letter.txt")
        try folder.write("dear", to: "cache/ab/letter.txt")
        cache(folder.path("cache")).removeAllCachedResponses()
        #expect(folder.readText("cache/en/letter.txt") == "dear")
        #expect(folder.readText("cache/ab/letter.txt") == "dear")
    }

    @Test("C-01 the cache removes nothing behind a symbolic link")
    func link() throws {
        let folder = try TestSupport.TemporaryFolder()
        let name = "ab/" + String(repeating: "0", count: 30)
        try folder.write("entry", to: "elsewhere/\(name)")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("cache"),
            withDestinationPath: folder.path("elsewhere")
        )
        cache(folder.path("cache")).removeAllCachedResponses()
        #expect(folder.readText("elsewhere/\(name)") == "entry")
    }
}
