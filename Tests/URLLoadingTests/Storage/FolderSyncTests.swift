import TestSupport
import Testing

@testable import URLLoading

@Suite
struct FolderSyncTests {
    @Test("the folder of a file is brought to the disk, whatever the names are")
    func folders() throws {
        let folder = try TemporaryFolder("folder-sync")
        // The combining mark behind the slash belongs to the file's name.
        for name in ["file", "\u{301}file", "not there"] {
            #expect(FolderSync.synchronize(folderOf: folder.path(name)), "\(name)")
        }
        #expect(FolderSync.synchronize(folderOf: "a name alone"))
        #expect(FolderSync.synchronize(folderOf: "/a name in the root"))
    }

    @Test("a folder that is not there is none that is brought to the disk")
    func noFolder() throws {
        let folder = try TemporaryFolder("folder-sync")
        #expect(!FolderSync.synchronize(folderOf: folder.path("gone/file")))
    }
}
