import FoundationEssentials
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import URLLoading

@Suite("Files of background sessions")
struct BackgroundFilesTests {
    private let folder: TestSupport.TemporaryFolder

    init() throws {
        folder = try TestSupport.TemporaryFolder("files")
    }

    private func make(_ limit: Int64 = UploadSource.copyLimit) throws(URLError) -> UploadSource {
        try UploadSource(original: folder.path("file"))
            .copied(to: folder.path("1.body"), copyLimit: limit)
    }

    @Test("a small file is copied, so later changes have no effect")
    func copy() throws {
        try folder.write("as it was", to: "file")
        let source = try make()
        guard case .copy(let file) = source else {
            Issue.record("\(source)")
            return
        }
        try folder.write("as it is now", to: "file")
        try source.check()
        #expect(folder.readText("1.body") == "as it was")
        #expect(file.path == folder.path("1.body"))
        unlink(folder.path("file"))
        try source.check()
        try folder.write("as it", to: "1.body")
        #expect(throws: URLError.self) { try source.check() }
    }

    @Test(
        "a large file is not copied, and a change is an error",
        arguments: ["appended", "touched", "gone"]
    )
    func original(change: String) throws {
        try folder.write("large", to: "file")
        #expect(symlink(folder.path("file"), folder.path("link")) == 0)
        let source = try UploadSource(original: folder.path("link"))
            .copied(to: folder.path("1.body"), copyLimit: 4)
        // On a file system that shares blocks, the file is copied.
        guard case .original(let file, _) = source else { return }
        #expect(file.path.hasSuffix("/file"))
        #expect(!folder.exists("1.body"))
        try source.check()
        switch change {
        case "appended": try folder.write("large!", to: "file")
        case "touched": try folder.setModified(1_000, of: "file")
        default: unlink(folder.path("file"))
        }
        #expect(throws: URLError.self) { try source.check() }
    }

    @Test("a missing or irregular file is refused when the task is made")
    func refused() throws {
        func code() -> URLError.Code? {
            do throws(URLError) {
                _ = try make()
                return nil
            } catch {
                return error.code
            }
        }
        #expect(code() == .fileDoesNotExist)
        try folder.makeFolder("file")
        #expect(code() == .fileIsDirectory)
        rmdir(folder.path("file"))
        #expect(mkfifo(folder.path("file"), 0o600) == 0)
        #expect(code() == .cannotOpenFile)
        #expect(!folder.exists("1.body"))
    }

    private func placement(_ replaces: Bool = false) throws -> BackgroundPlacement {
        try folder.write("body", to: "1.part")
        return BackgroundPlacement(
            file: try #require(BackgroundFile(folder.path("1.part"))),
            target: folder.path("target"),
            replaces: replaces
        )
    }

    @Test("a file is moved once, even after repeated requests")
    func place() throws {
        let placement = try placement()
        #expect(FilePlacing.place(placement, of: 1) == .placed(task: 1))
        let file = placement.placedFile
        #expect(file.path == folder.path("target"))
        #expect(!file.isTaken)
        #expect(placement.file.isTaken)
        #expect(FilePlacing.place(placement, of: 1) == .placed(task: 1))
        #expect(folder.names() == ["target"])
        #expect(folder.readText("target") == "body")
        // Another process has moved the file to an unknown place.
        unlink(folder.path("target"))
        guard case .failed(1, let error, nil) = FilePlacing.place(placement, of: 1) else {
            Issue.record("it cannot have been placed")
            return
        }
        #expect(error.urlError.code == .cannotMoveFile)
    }

    @Test("a body is moved if a power cut has undone its rename", arguments: ["part", "answer"])
    func undoneRename(_ name: String) throws {
        try folder.write("body", to: "1.\(name)")
        var file = try #require(BackgroundFile(folder.path("1.\(name)")))
        file.path = folder.path("1.whole")
        let placement = BackgroundPlacement(
            file: file,
            target: folder.path("target"),
            replaces: false
        )
        guard case .placed = FilePlacing.place(placement, of: 1) else {
            Issue.record("it was not placed")
            return
        }
        #expect(folder.names() == ["target"])
        #expect(folder.readText("target") == "body")
    }

    @Test("an existing file is replaced only if that is allowed")
    func replace() throws {
        try folder.write("old", to: "target")
        #expect(FilePlacing.place(try placement(), of: 1) == .displaced(task: 1))
        #expect(folder.readText("target") == "old")
        guard case .placed = FilePlacing.place(try placement(true), of: 1) else {
            Issue.record("it was not placed")
            return
        }
        #expect(folder.readText("target") == "body")
    }

    @Test("a body that cannot be moved is kept, and moved later")
    func blocked() throws {
        try folder.makeFolder("target")
        let placement = try placement(true)
        guard case .blocked = FilePlacing.place(placement, of: 1) else {
            Issue.record("a folder was replaced, or the body is given up")
            return
        }
        #expect(folder.readText("1.part") == "body")
        rmdir(folder.path("target"))
        guard case .placed = FilePlacing.place(placement, of: 1) else {
            Issue.record("it was not placed")
            return
        }
        #expect(folder.readText("target") == "body")
    }

    @Test("a log that is too long is truncated while it is written")
    func log() throws {
        let path = folder.path("log")
        let options: FileDescriptor.OpenOptions = [.create, .append]
        let log = try FileDescriptor.open(
            path,
            .writeOnly,
            options: options,
            permissions: .ownerReadWrite
        )
        defer { try? log.close() }
        let text = [UInt8](repeating: 0x78, count: Int(BackgroundCommand.logLimit))
        try log.writeAll(text)
        BackgroundCommand.bound(log)
        #expect(FileStatus(path)?.size == Int64(BackgroundCommand.logLimit))
        try log.writeAll([0x79])
        BackgroundCommand.bound(log)
        try log.writeAll([0x7A])
        #expect(folder.readText("log") == "z")
    }

    @Test("a file's error has the system's number, whatever its text")
    func systemError() throws {
        let full = URLError(.cannotWriteToFile, at: "/x", Errno.noSpace)
        #expect(full.systemError == ENOSPC)
        #expect(full.isDiskSpaceError)
        #expect(full.detail == "/x: \(Errno.noSpace)")
        #expect(!URLError(.cannotWriteToFile, detail: full.detail).isDiskSpaceError)
        #expect(!URLError(.cannotWriteToFile, at: "/x", Errno.ioError).isDiskSpaceError)
    }

    @Test("the first free name among many existing ones is found quickly")
    func free() throws {
        for number in 1...50 { try folder.write("", to: "target.\(number)") }
        #expect(FilePlacing.freeNumber(of: folder.path("target"), after: 0) == 51)
        #expect(FilePlacing.freeNumber(of: folder.path("target"), after: 60) == 61)
        let last = BackgroundPlacement.lastNumber
        #expect(FilePlacing.freeNumber(of: folder.path("target"), after: last) == last + 1)
    }

    private func resumeData(_ received: Int64) throws -> ResumeData {
        ResumeData(
            url: "http://example.org/1",
            fields: [],
            validator: .entityTag("\"a\""),
            received: ReceivedRanges(prefix: received),
            totalBytes: 100,
            file: .partFile(folder.path("1.part")),
            identity: try #require(FileStatus(folder.path("1.part"))?.identity)
        )
    }

    @Test("bytes after a killed process's last record are cut off, and the others are kept")
    func reclaim() throws {
        let path = try folder.write(PseudoRandom.bytes(40), to: "1.part")
        chmod(path, 0o600)
        try ResumeFile(of: path).write(try resumeData(40))
        let number = open(path, O_WRONLY | O_APPEND)
        #expect(write(number, [UInt8](repeating: 1, count: 25), 25) == 25)
        close(number)
        #expect(folder.size("1.part") == 65)
        let data = try #require(PartReclaiming.resumeData(of: path))
        #expect(data.receivedBytes == 40)
        #expect(folder.size("1.part") == 40)
        #expect(folder.read("1.part") == PseudoRandom.bytes(40))
        // The resume data describes the part, so the next process continues it.
        #expect(data.describes(try #require(FileStatus(path)), at: path))
    }

    @Test("a part that another program has changed is detected by its checksum, and started over")
    func overwritten() throws {
        for isChanged in [false, true] {
            var bytes = PseudoRandom.bytes(40)
            let path = try folder.write(bytes, to: "1.part")
            chmod(path, 0o600)
            let checksum = bytes.withUnsafeBytes { Checksum($0).value }
            var known = try resumeData(40)
            known.received = ReceivedRanges(prefix: 40, checksum: checksum)
            try ResumeFile(of: path).write(known)
            #expect(!PartReclaiming.mustBeRead(path))
            if isChanged { bytes[7] ^= 1 }
            let file = try FileDescriptor.open(path, .writeOnly)
            try file.writeAll(toAbsoluteOffset: 0, bytes + [0, 1])
            try file.close()
            #expect(PartReclaiming.mustBeRead(path))
            let data = PartReclaiming.resumeData(of: path)
            #expect((data == nil) == isChanged)
            // The part is read only once.
            #expect(!PartReclaiming.mustBeRead(path))
            #expect(folder.names() == (isChanged ? [] : ["1.part", "1.part.resume"]))
        }
    }

    @Test("a part that is another file, too short, or without a record is started over")
    func notReclaimed() throws {
        for fault in ["other", "short", "none", "garbled"] {
            let path = try folder.write(PseudoRandom.bytes(40), to: "1.part")
            let data = try resumeData(fault == "short" ? 41 : 40)
            if fault != "none" { try ResumeFile(of: path).write(data) }
            if fault == "garbled" { try folder.write("{", to: "1.part.resume") }
            if fault == "other" {
                try folder.write(PseudoRandom.bytes(40), to: "new")
                #expect(rename(folder.path("new"), path) == 0)
            }
            #expect(PartReclaiming.resumeData(of: path) == nil, "\(fault)")
            #expect(folder.names() == [], "\(fault)")
        }
    }
}
