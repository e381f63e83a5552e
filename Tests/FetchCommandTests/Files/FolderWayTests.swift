import Glibc
import TestSupport
import Testing
import URLLoading

@testable import FetchCommand

/// Folders behind a symbolic link, in a folder that other users can write to.
@Suite(.needs(.root))
struct FolderWayTests {
    private static let other: uid_t = 61_002
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
        try folder.makeFolder("target")
        try folder.link("way", to: "target")
        try #require(chmod(folder.path, 0o1777) == 0)
    }

    private func file(in name: String) -> FileDestination {
        FileDestination(
            folder: "\(folder.path)/\(name)",
            name: "name",
            ifExists: .number,
            makesFolder: true
        )
    }

    @Test(arguments: ["way", "way/deep"])
    func anotherUsersLinkIsNotFollowed(_ name: String) throws {
        try #require(lchown(folder.path + "/way", Self.other, Self.other) == 0)
        let allocator = FileNameAllocator()
        let file = file(in: name)
        let checks: [() throws -> Void] = [
            { try allocator.checkFolder(of: file) }, { try allocator.makeFolder(of: file) },
        ]
        for check in checks {
            let error = #expect(throws: URLError.self) { try check() }
            #expect(error?.code == .cannotCreateFile)
            let words = "/way is a symbolic link of another user"
            #expect(error?.detail.contains(words) == true)
        }
        #expect(!FileDestination.exists(folder.path + "/target/deep"))
    }

    @Test func aLinkThatAppearsAfterTheCheckIsNotFollowed() throws {
        try #require(unlink(folder.path + "/way") == 0)
        let allocator = FileNameAllocator()
        try allocator.checkFolder(of: file(in: "way"))
        try folder.link("way", to: "target")
        try #require(lchown(folder.path + "/way", Self.other, Self.other) == 0)
        #expect(throws: URLError.self) { try allocator.makeFolder(of: file(in: "way")) }
    }

    @Test func theUsersOwnLinkIsFollowed() throws {
        let allocator = FileNameAllocator()
        try allocator.checkFolder(of: file(in: "way/deep"))
        try allocator.makeFolder(of: file(in: "way/deep"))
        #expect(FileDestination.exists(folder.path + "/target/deep"))
        rmdir(folder.path + "/target/deep")
    }
}
