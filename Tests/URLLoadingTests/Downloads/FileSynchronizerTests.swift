import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import URLLoading

/// Synchronizers flush whole files to the disk.
@Suite("Files flushed to the disk together", .timeLimit(.minutes(1)))
struct FileSynchronizerTests {
    private let folder: TestSupport.TemporaryFolder

    init() throws {
        folder = try TestSupport.TemporaryFolder("synchronizer")
    }

    private func part(_ name: String) throws -> PartFile {
        try PartFile(.partFile(URL(filePath: folder.path(name))), temporaryFolder: folder.path)
    }

    /// Adds files, waits until the synchronizer has reported all ends, and returns their order and
    /// errors.
    private func synchronize(
        _ files: [PartFile],
        _ mode: URLSessionConfiguration.FileSynchronization
    ) async -> [(number: Int, error: URLError?)] {
        let synchronizer = FileSynchronizer(mode)
        let (ends, continuation) = AsyncStream<(number: Int, error: URLError?)>.makeStream()
        for (number, file) in files.enumerated() {
            synchronizer.add(Download(file, nil)) { continuation.yield((number, $0)) }
        }
        var reports: [(number: Int, error: URLError?)] = []
        for await end in ends {
            reports.append(end)
            if reports.count == files.count { break }
        }
        return reports
    }

    @Test(
        "the synchronizer reports the ends in the order of the files",
        arguments: [URLSessionConfiguration.FileSynchronization.each, .group]
    )
    func order(mode: URLSessionConfiguration.FileSynchronization) async throws {
        let files = try (0..<50).map { try part("f\($0)") }
        let reports = await synchronize(files, mode)
        #expect(reports.map(\.number) == Array(0..<50))
        #expect(reports.allSatisfy { $0.error == nil })
    }

    @Test(
        "the synchronizer reports a disk's error for its own file alone",
        arguments: [URLSessionConfiguration.FileSynchronization.each, .group]
    )
    func failure(mode: URLSessionConfiguration.FileSynchronization) async throws {
        let files = try (0..<20).map { try part("f\($0)") }
        // No disk can synchronize a pipe.
        var pipe: [CInt] = [-1, -1]
        try #require(Glibc.pipe(&pipe) == 0)
        defer { for number in pipe { close(number) } }
        try #require(dup2(pipe[1], files[7].descriptor.rawValue) >= 0)
        let reports = await synchronize(files, mode)
        #expect(reports.map(\.number) == Array(0..<20))
        for end in reports where end.number != 7 { #expect(end.error == nil) }
        let error = try #require(reports[7].error)
        #expect(error.code == .cannotWriteToFile && error.detail.contains("f7: "))
    }

    @Test("the synchronizer lets a single file wait for no other")
    func alone() async throws {
        let synchronizer = FileSynchronizer(.group)
        for number in 0..<5 {
            let file = try part("f\(number)")
            let error = await withCheckedContinuation { continuation in
                synchronizer.add(Download(file, nil)) { continuation.resume(returning: $0) }
            }
            #expect(error == nil)
        }
    }

    @Test("the synchronizer notes each folder once, and again after it was written")
    func folders() {
        let synchronizer = FileSynchronizer(.group)
        for path in ["/a/x", "/a/y", "/b/x", "/a/z"] { synchronizer.note(named: path) }
        #expect(
            synchronizer.takeFolders().map { FolderTrust.folder(of: $0) }.sorted() == ["/a", "/b"]
        )
        #expect(synchronizer.takeFolders() == [])
        synchronizer.note(named: "/a/x")
        #expect(synchronizer.takeFolders() == ["/a/x"])
    }

    @Test("the synchronizer skips a file in memory")
    func inMemory() throws {
        let synchronizer = FileSynchronizer(.group)
        let memory = try TestSupport.TemporaryFolder("synchronizer", in: "/dev/shm")
        for folder in [memory, folder] {
            let file = try PartFile(
                .partFile(URL(filePath: folder.path("f"))),
                temporaryFolder: folder.path
            )
            let isDisk = try !Self.isInMemory(folder.path)
            #expect(synchronizer.isNeeded(for: Download(file, nil)) == isDisk)
            #expect(!FileSynchronizer(.none).isNeeded(for: Download(file, nil)))
        }
        #expect(try Self.isInMemory(memory.path))
    }

    /// Whether the mount table names a file system in memory for a folder.
    private static func isInMemory(_ folder: String) throws -> Bool {
        var status = stat()
        try #require(stat(folder, &status) == 0)
        // As makedev(3) computes it, for numbers as small as a test's disks have.
        let number: UInt = status.st_dev
        let major: UInt = (number >> 8) & 0xFFF
        let minor: UInt = (number & 0xFF) | ((number >> 12) & 0xFFF00)
        let device = "\(major):\(minor)"
        for line in try String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8)
            .split(separator: "\n")
        {
            let words: [Substring] = line.split(separator: " ")
            guard words[2] == device, let dash = words.firstIndex(of: "-") else { continue }
            return words[dash + 1] == "tmpfs" || words[dash + 1] == "ramfs"
        }
        return false
    }

    /// A download of ten bytes, all of them in its file, of which four are from before.
    private func download() throws -> Download {
        let file = try PartFile(
            .partFile(URL(filePath: folder.path("part")), keepsResumeData: true),
            temporaryFolder: folder.path
        )
        try Array("0123456789".utf8).withUnsafeBytes { try file.write($0, at: 0) }
        let fields = HTTPHeaderFields(["ETag": "\"a\""])
        let request = URLRequest(url: try #require(URL(string: "http://h/x")))
        let data = try #require(ResumeData(request, fields, totalBytes: 10))
        return Download(file, data, received: ReceivedRanges(prefix: 4))
    }

    @Test("the download forgets the bytes that the disk refused")
    func refused() throws {
        let download = try download()
        download.received = ReceivedRanges(prefix: 10)
        download.dropUnconfirmedBytes()
        let kept = try #require(download.closeKeepingFile())
        #expect(kept.receivedBytes == 4)
        #expect(folder.size("part") == 4)
    }

    @Test("the download keeps the bytes that the disk has confirmed")
    func confirmed() throws {
        let download = try download()
        #expect(download.save(ReceivedRanges(prefix: 6)))
        download.waitForSaves()
        download.received = ReceivedRanges(prefix: 10)
        download.dropUnconfirmedBytes()
        let kept = try #require(download.closeKeepingFile())
        #expect(kept.receivedBytes == 6)
        #expect(folder.size("part") == 6)
    }

    @Test("a file is never complete once the disk has refused bytes, though later calls succeed")
    func refusedEarlier() throws {
        let download = try download()
        let number = download.file.descriptor.rawValue
        // No disk can synchronize a pipe.
        var pipe: [CInt] = [-1, -1]
        try #require(Glibc.pipe(&pipe) == 0)
        let saved = dup(number)
        defer { for number in pipe + [saved] { close(number) } }
        try #require(saved >= 0 && dup2(pipe[1], number) >= 0)
        #expect(download.save(ReceivedRanges(prefix: 6)))
        download.waitForSaves()
        try #require(dup2(saved, number) >= 0)
        #expect(download.file.synchronize())
        #expect(throws: URLError.self) { try download.synchronize() }
        download.received = ReceivedRanges(prefix: 10)
        #expect(try #require(download.closeKeepingFile()).receivedBytes == 4)
        #expect(folder.size("part") == 4)
    }
}
