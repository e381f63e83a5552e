import FoundationEssentials
import TestSupport
import Testing

@testable import URLLoading

/// A file sink's reports of a body, and its deadlines.
@Suite("File sinks")
struct FileSinkTests {
    @Test("the sink reports bytes before a silence, though nothing more arrives")
    func silence() async throws {
        let folder = try TemporaryFolder("sink")
        let file = try PartFile(.temporary, temporaryFolder: folder.path)
        var reported: [Int64] = []
        let sink = FileSink(Download(file, nil), .whole(length: 1 << 20)) { reported.append($0) }
        func take(_ count: Int) throws {
            let bytes = [UInt8](repeating: 1, count: count)
            _ = try bytes.withUnsafeBytes { try sink.take($0) }
            try sink.iterationEnded()
        }
        try take(1)
        #expect(reported == [1])
        // As much as it gathers: the sink writes it at once, and keeps nothing of it in memory.
        try take((512 << 10) - 1)
        while let moment = sink.nextDeadline {
            #expect(await eventually { MonotonicInstant.now >= moment })
            try sink.iterationEnded()
        }
        #expect(reported == [1, 512 << 10])
        #expect(folder.names().compactMap { folder.size($0) } == [512 << 10])
    }

    @Test("a part of one piece has a mark until its bytes are on the disk")
    func mark() async throws {
        let folder = try TemporaryFolder("sink")
        let path = folder.path("name.part")
        let place = DownloadDestination.partFile(URL(filePath: path), keepsResumeData: true)
        let download = Download(try PartFile(place, temporaryFolder: folder.path), nil)
        let sink = FileSink(download, .whole(length: 4)) { _ in }
        _ = try Array("body".utf8).withUnsafeBytes { try sink.take($0) }
        let end = HopEnd()
        try sink.finish(end)
        let isPart = { FileStatus(path).map { PartFile.isExistingPart(path, $0) } }
        #expect(isPart() == true)
        let error = await withCheckedContinuation { continuation in
            FileSynchronizer(.group).add(download) { continuation.resume(returning: $0) }
        }
        #expect(error == nil)
        #expect(isPart() == false)
    }
}
