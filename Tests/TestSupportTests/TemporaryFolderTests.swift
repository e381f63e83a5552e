import Foundation
import TestSupport
import Testing

@Suite
struct TemporaryFolderTests {
    @Test
    func holdsFilesAndIsRemoved() throws {
        var folder: TemporaryFolder? = try TemporaryFolder()
        let path = try #require(folder?.path)
        try folder?.write("text", to: "deep/er/file")
        try folder?.write([1, 2], to: ".dot")
        symlink("nowhere", path + "/link")
        #expect(folder?.names() == [".dot", "deep", "link"])
        #expect(folder?.read(".dot") == [1, 2])
        #expect(folder?.readText("deep/er/file") == "text")
        #expect(folder?.read("missing") == nil)
        #expect(folder?.exists("link") == true)
        #expect(folder?.exists("missing") == false)
        #expect(folder?.size("deep/er/file") == 4)
        try folder?.setModified(1_000, of: ".dot")
        #expect(folder?.modified(".dot") == 1_000)
        folder = nil
        #expect(access(path, F_OK) != 0)
    }

    @Test
    func pseudoRandomBytesAreAlwaysTheSame() throws {
        #expect(PseudoRandom.bytes(11) == Array(PseudoRandom.bytes(100).prefix(11)))
        #expect(PseudoRandom.bytes(8, seed: 1) != PseudoRandom.bytes(8, seed: 2))
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect(try sha256(Array("abc".utf8)) == abc)
    }

    @Test
    func eventuallyGivesUp() async throws {
        #expect(await !eventually(within: .milliseconds(10)) { false })
        var asked = 0
        let isTrue = await eventually {
            asked += 1
            return asked == 3
        }
        #expect(isTrue)
    }
}
