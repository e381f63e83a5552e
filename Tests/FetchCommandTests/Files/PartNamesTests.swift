import Glibc
import TestSupport
import Testing
import URLLoading

@testable import FetchCommand

/// The names of a part file, of its resume data, and of the draft of the resume data.
@Suite struct PartNamesTests {
    private static let data = #"{"format": "URLLoading resume data", "version": 99}"#
    private let folder: ScratchFolder
    private var part: String { folder.path + "/name.part" }

    init() throws {
        folder = try ScratchFolder()
    }

    private func expectRefusal(of name: String) {
        let error = #expect(throws: URLError.self) { try FileDestination.checkExistingPart(part) }
        #expect(error?.code == .cannotCreateFile)
        #expect(
            error?.detail.contains("/\(name) exists, and was not left by a download; ") == true,
            "\(name)"
        )
    }

    @Test func aPartOfAnEarlierDownloadIsUsed() throws {
        #expect(try FileDestination.checkExistingPart(part) == 0)
        _ = try folder.file("name.part")
        _ = try folder.file("name.part.resume", Self.data)
        _ = try folder.file("name.part.resume~")
        #expect(try FileDestination.checkExistingPart(part) == 0)
        _ = try folder.file("name.part.resume~", Self.data)
        #expect(try FileDestination.checkExistingPart(part) == 0)
    }

    @Test(arguments: ["name.part.resume", "name.part.resume~"], ["mine", "{}", #"{"format": 1}"#])
    func anotherFileWithTheNameIsAnError(_ name: String, _ text: String) throws {
        let path = try folder.file(name, text)
        expectRefusal(of: name)
        #expect(FileStatus(path)?.size == Int64(text.utf8.count))
    }

    @Test(
        arguments: ["name.part.resume", "name.part.resume~"],
        ["link", "hard link", "fifo", "folder"]
    )
    func aFileWithASecondLinkIsAnError(_ name: String, _ kind: String) throws {
        _ = try folder.file("data", Self.data)
        switch kind {
        case "link": try folder.link(name, to: "data")
        case "hard link": try folder.hardLink(name, to: "data")
        case "fifo": try folder.fifo(name)
        default: try folder.makeFolder(name)
        }
        expectRefusal(of: name)
        #expect(FileDestination.exists("\(folder.path)/\(name)"))
    }

    @Test(.needs(.root), arguments: ["name.part.resume", "name.part.resume~"])
    func anotherUsersFileIsAnError(_ name: String) throws {
        let path = try folder.file(name, Self.data)
        try #require(chown(path, 61_002, 61_002) == 0)
        expectRefusal(of: name)
        let file = FileDestination(
            folder: folder.path,
            name: "name",
            ifExists: .number,
            makesFolder: false,
            continues: true
        )
        #expect(throws: URLError.self) { try file.checkFolder() }
        ResumeFile(of: part).remove()
        #expect(FileStatus(path) != nil)
    }

    @Test func aFolderWithTheNameIsAnErrorBeforeTheRequest() throws {
        try folder.makeFolder("name")
        let file = FileDestination(
            folder: folder.path,
            name: "name",
            ifExists: .replace,
            makesFolder: false,
            continues: false
        )
        let error = #expect(throws: URLError.self) { try file.checkFolder() }
        #expect(error?.detail.hasSuffix("name is a folder") == true)
    }
}
