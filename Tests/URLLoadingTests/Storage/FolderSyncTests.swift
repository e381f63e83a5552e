import TestSupport
import Testing

@testable import URLLoading

@Suite
struct FolderSyncTests {
    @Test("the sync flushes a file's folder to the disk, whatever the names are")
    func folders() throws {
        let folder = try TemporaryFolder("folder-sync")
        // The combining mark behind the slash belongs to the file's name.
        for name in ["file", "\u{301}file", "not there"] {
            #expect(FolderSync.synchronize(folderOf: folder.path(name)), "\(name)")
        }
        #expect(FolderSync.synchronize(folderOf: "a name alone"))
        #expect(FolderSync.synchronize(folderOf: "/a name in the root"))
    }

    @Test("the sync fails for a missing folder")
    func noFolder() throws {
        let folder = try TemporaryFolder("folder-sync")
        #expect(!FolderSync.synchronize(folderOf: folder.path("gone/file")))
    }
}
