import Glibc
import SystemPackage
import TestSupport
import Testing
import URLLoading

@testable import FetchCommand

/// The command compares or copies only the bytes of the file that it examined.
@Suite struct UnprovenPartTests {
    private static let other: uid_t = 61_002
    private let folder: ScratchFolder
    private let part: UnprovenPart

    init() throws {
        let folder = try ScratchFolder()
        let path = try folder.file("name", "beginning")
        let status = try #require(FileStatus(path))
        self.folder = folder
        part = UnprovenPart(path: path, status: status)
    }

    private func isOpened() -> Bool {
        guard let file = try? part.open() else { return false }
        try? file.close()
        return true
    }

    private var existingPart: ExistingPart {
        let file = FileDestination(
            folder: folder.path,
            name: "name",
            ifExists: .number,
            makesFolder: false,
            continues: true
        )
        return ExistingPart(of: file, url: "http://h/name")
    }

    @Test func theExaminedFileIsOpenedAndCopied() throws {
        let copy = try folder.file("name.part")
        #expect(isOpened())
        try PartCopy.make(of: part, at: copy, until: nil)
        #expect(FileStatus(copy)?.size == 9)
    }

    @Test(arguments: ["longer", "touched", "replaced", "link", "fifo", "removed"])
    func aReplacedFileIsNotOpened(_ change: String) throws {
        switch change {
        case "longer": _ = try folder.file("name", "a beginning")
        case "touched":
            let time = timespec(tv_sec: 1_000_000_000, tv_nsec: 0)
            try #require(utimensat(AT_FDCWD, part.path, [time, time], 0) == 0)
        case "replaced":
            let other = try folder.file("other", "beginning")
            try #require(rename(other, part.path) == 0)
        case "link":
            let other = try folder.file("other")
            try #require(rename(part.path, other) == 0)
            try folder.link("name", to: "other")
        case "fifo":
            try #require(unlink(part.path) == 0)
            try folder.fifo("name")
        default: try #require(unlink(part.path) == 0)
        }
        #expect(!isOpened())
        let copy = folder.path + "/name.part"
        #expect(throws: URLError.self) { try PartCopy.make(of: part, at: copy, until: nil) }
        #expect(!FileDestination.exists(copy))
    }

    @Test(.needs(.root))
    func anotherUsersFileIsNeitherFoundNorOpened() throws {
        guard case .unproven = existingPart else {
            Issue.record("the user's own file is not seen")
            return
        }
        try #require(chown(part.path, Self.other, Self.other) == 0)
        #expect(!isOpened())
        guard case .nothing = existingPart else {
            Issue.record("another user's file is continued")
            return
        }
    }
}
