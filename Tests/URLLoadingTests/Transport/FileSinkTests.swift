import TestSupport
import Testing

@testable import URLLoading

/// What a file's sink tells of a body, and when it wants to be asked.
@Suite("File sinks")
struct FileSinkTests {
    @Test("what came before a silence is told, though it is in the file and nothing more comes")
    func silence() async throws {
        let folder = try TemporaryFolder("sink")
        let file = try PartFile(.temporary, temporaryFolder: folder.path)
        var told: [Int64] = []
        let sink = FileSink(Download(file, nil), .whole(length: 1 << 20)) { told.append($0) }
        func take(_ count: Int) throws {
            let bytes = [UInt8](repeating: 1, count: count)
            _ = try bytes.withUnsafeBytes { try sink.take($0) }
            try sink.iterationEnded()
        }
        try take(1)
        #expect(told == [1])
        // As much as it gathers: it is written at once, and nothing of it waits in memory.
        try take((512 << 10) - 1)
        while let moment = sink.nextDeadline {
            #expect(await eventually { MonotonicInstant.now >= moment })
            try sink.iterationEnded()
        }
        #expect(told == [1, 512 << 10])
        #expect(folder.names().compactMap { folder.size($0) } == [512 << 10])
    }
}
