import FoundationEssentials
import Glibc
import TestSupport
import Testing
import URLLoading

@testable import FetchCommand

@Suite struct FileNameAllocatorTests {
    private let folder: ScratchFolder
    private let allocator = FileNameAllocator()

    init() throws {
        folder = try ScratchFolder()
    }

    private func file(_ name: String) -> FileDestination {
        FileDestination(folder: folder.path, name: name, ifExists: .number, makesFolder: false)
    }

    private func choose(_ name: String, _ allocator: FileNameAllocator? = nil) throws -> String {
        let path = try (allocator ?? self.allocator).choose(for: file(name)) { _ throws(URLError) in
            true
        }
        return String(path.dropFirst(folder.path.utf8.count + 1))
    }

    private func release(_ name: String, _ allocator: FileNameAllocator? = nil) throws {
        let run = TaskRun(try plan("h/x").tasks[0])
        run.change { $0.naming.chosen = "\(folder.path)/\(name)" }
        (allocator ?? self.allocator).release(run)
    }

    private func exists(_ name: String) -> Bool {
        FileDestination.exists("\(folder.path)/\(name)")
    }

    @Test func aNumberThatMakesANameTooLongIsAnError() throws {
        let name = String(repeating: "n", count: 254)
        #expect(try choose(name) == name)
        let error = #expect(throws: URLError.self) { try choose(name) }
        #expect(error?.code == .cannotCreateFile)
        #expect(error?.detail.contains("too long") == true)
    }

    @Test func eachGetsANameOfItsOwn() throws {
        #expect(try choose("a") == "a")
        #expect(try choose("a") == "a.1")
        #expect(try choose("a") == "a.2")
        #expect(try choose("b") == "b")
        #expect(exists("a.part") && exists("a.1.part") && exists("a.2.part"))
        try release("a.1")
        #expect(!exists("a.1.part"))
        #expect(try choose("a") == "a.1")
        for name in ["a", "a.1", "a.2", "b"] { try release(name) }
        #expect(!exists("a.part") && !exists("b.part"))
    }

    @Test func aWholeBodyLocksNoPartUnlessThereIsOne() throws {
        func choose(_ name: String) throws -> (path: String, isUnnamed: Bool) {
            let run = TaskRun(try plan("h/x").tasks[0])
            let path = try allocator.choose(for: file(name), run, needsPart: false) {
                _ throws(URLError) in true
            }
            return (
                String(path.utf8.dropFirst(folder.path.utf8.count + 1)) ?? "",
                run.get(\.naming.isUnnamed)
            )
        }
        #expect(try choose("a") == ("a", true))
        #expect(!exists("a.part"))
        #expect(try choose("a") == ("a.1", true))
        // An earlier run has left the part of b, and another program writes to that of c.
        let part = FileDestination.partLocation(of: "\(folder.path)/b")
        #expect(open(part, O_CREAT | O_WRONLY, 0o666) >= 0)
        #expect(try choose("b") == ("b", false))
        #expect(try choose("c") == ("c", true))
        for name in ["a", "a.1", "b", "c"] { try release(name) }
    }

    @Test func aNameWithoutALockStaysTaken() throws {
        #expect(try choose("a") == "a")
        // The download has failed, and waits for its next attempt.
        PartFileLocks.releaseLock(folder.path + "/a.part")
        #expect(try choose("a") == "a.1")
        for name in ["a", "a.1"] { try release(name) }
    }

    @Test func theHolderOfTheLockHasTheName() throws {
        let other = FileNameAllocator()
        #expect(try choose("a", other) == "a")
        #expect(try choose("a") == "a.1")
        #expect(try choose("a", other) == "a.2")
        for name in ["a", "a.2"] { try release(name, other) }
        try release("a.1")
        #expect(try choose("a") == "a")
        try release("a")
    }

    @Test func existingNamesAreSkipped() throws {
        _ = try folder.file("a")
        try folder.link("a.1", to: "nowhere")
        try folder.makeFolder("a.2")
        #expect(try choose("a") == "a.3")
        try release("a.3")
    }

    @Test func anExistingPartIsLockedAndStaysUntilItIsWritten() throws {
        let part = try folder.file("a.part", "left")
        #expect(try choose("a") == "a")
        try release("a")
        #expect(FileStatus(part)?.size == 4)
    }

    @Test func aPartThatIsNotAPartFileIsAnError() throws {
        let target = try folder.file("precious", "precious")
        try folder.link("a.part", to: "precious")
        try folder.hardLink("b.part", to: "precious")
        try folder.fifo("c.part")
        try folder.makeFolder("d.part")
        for name in ["a", "b", "c", "d"] {
            #expect(throws: URLError.self, "\(name)") { try choose(name) }
            #expect(!exists(name))
        }
        #expect(FileStatus(target)?.size == 8)
        // The refused file belongs to no task.
        unlink(folder.path + "/a.part")
        #expect(try choose("a") == "a")
        try release("a")
    }

    @Test func aNameThatTheCheckRefusesIsNotCreated() throws {
        #expect(throws: URLError.self) {
            try allocator.choose(for: file("a")) { _ throws(URLError) in
                throw URLError(.cannotCreateFile)
            }
        }
        #expect(!exists("a.part"))
    }

    @Test func numbersAreRead() {
        let file = file("a.7")
        for number in [0, 1, 12_345] {
            #expect(file.number(of: file.path(numbered: number)) == number)
        }
    }

    /// Examining every lower number each time would take two million checks.
    @Test(.timeLimit(.minutes(1))) func manyFilesOfOneNameNeedOneLookUpEach() throws {
        var looks = 0
        for number in 0..<2_000 {
            let path = try allocator.choose(for: file("a")) { _ throws(URLError) in
                looks += 1
                return true
            }
            #expect(path.hasSuffix(number == 0 ? "/a" : "/a.\(number)"))
            close(open(path, O_CREAT | O_WRONLY, 0o600))
            try release(number == 0 ? "a" : "a.\(number)")
        }
        #expect(looks == 2_000)
        for number in 0..<2_000 { unlink(file("a").path(numbered: number)) }
    }
}
