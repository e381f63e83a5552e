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
}
