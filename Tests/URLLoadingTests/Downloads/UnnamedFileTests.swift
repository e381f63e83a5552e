import FoundationEssentials
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import URLLoading

/// Part files that have no name until they are complete.
@Suite struct UnnamedFileTests {
    private let folder: TestSupport.TemporaryFolder

    init() throws {
        folder = try TestSupport.TemporaryFolder("unnamed")
    }

    /// Makes the file of a body that is whole, and writes the body.
    private func file(_ name: String, body: String = "body") throws -> PartFile {
        let file = try PartFile(
            .partFile(URL(filePath: folder.path(name)), keepsResumeData: true),
            temporaryFolder: folder.path,
            needsName: false
        )
        try Array(body.utf8).withUnsafeBytes { try file.write($0, at: 0) }
        return file
    }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    }

    private func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: folder.path(name))), as: UTF8.self)
    }

    @Test("the file gets its first name when it is complete, and replaces no other")
    func named() throws {
        let first = try file("a.part")
        try #require(first.isUnnamed)
        #expect(!first.keepsResumeData)
        #expect(try names == [])
        #expect(try FinishedFile(first).move(to: folder.path("a"), replaces: false))
        first.close(keeping: false)
        let second = try file("a.part", body: "other")
        #expect(try !FinishedFile(second).move(to: folder.path("a"), replaces: false))
        #expect(try FinishedFile(second).move(to: folder.path("a.1"), replaces: false))
        second.close(keeping: false)
        #expect(try names == ["a", "a.1"])
        #expect(try text("a") == "body")
        #expect(try text("a.1") == "other")
    }

    @Test("nothing is left of a file that gets no name, and a file of its part's name stays")
    func dropped() throws {
        let path = folder.path("b.part")
        try Data("mine".utf8).write(to: URL(filePath: path))
        try file("b.part").close(keeping: false)
        #expect(try names == ["b.part"])
        #expect(try text("b.part") == "mine")
    }

    @Test("a new file is not made where another process has made one")
    func notNew() throws {
        let path = folder.path("e.part")
        try Data("mine".utf8).write(to: URL(filePath: path))
        let error = #expect(throws: URLError.self) {
            try PartFile.makeNew(path, .ownerReadWrite)
        }
        #expect(error?.code == .cannotCreateFile)
        #expect(try text("e.part") == "mine")
    }

    @Test("the mode is that of any new file")
    func mode() throws {
        let made = try file("c.part")
        #expect(try FinishedFile(made).move(to: folder.path("c"), replaces: false))
        made.close(keeping: false)
        var status = stat()
        #expect(stat(folder.path("c"), &status) == 0)
        #expect(UInt32(status.st_mode & 0o777) == NewFileMode.current)
    }

    @Test("a folder that does not exist is an error")
    func withoutFolder() throws {
        let error = #expect(throws: URLError.self) { try file("missing/d.part") }
        #expect(error?.code == .cannotCreateFile)
    }
}
