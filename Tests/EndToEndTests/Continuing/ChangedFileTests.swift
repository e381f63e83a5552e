import Foundation
import Synchronization
import TestSupport
import Testing

/// Files that change on the server between two runs or within one: old and new bytes never mix.
@Suite("Changed files", .timeLimit(.minutes(1)))
struct ChangedFileTests {
    private let folder: TemporaryFolder
    private let old = PseudoRandom.bytes(500_000)

    init() throws {
        folder = try TemporaryFolder("changed")
    }

    /// A file on a server that the test may change between two responses.
    private final class FileOnServer: Sendable {
        private let file: Mutex<ServedFile>

        init(_ file: ServedFile) {
            self.file = Mutex(file)
        }

        func server() throws -> SocketServer {
            try SocketServer { [self] in try file.withLock { $0 }.serve($0) }
        }

        func change(_ change: (inout ServedFile) -> Void) {
            file.withLock { change(&$0) }
        }
    }

    /// The change of the server's file before the next response.
    enum Change: String, CaseIterable {
        case newTag
        case newTagSameSizeAndIfRangeIgnored
        case shorterAndIfRangeIgnored
        case otherStart
        case otherTotal
        case noContentRange
        case rangesNoMore
        case weakTagNow
        case otherDate
        case coded

        /// The reason for starting over in the command's message.
        var reason: String {
            switch self {
            case .newTag, .newTagSameSizeAndIfRangeIgnored, .shorterAndIfRangeIgnored,
                .weakTagNow, .otherDate, .otherTotal, .coded:
                "the file on the server has changed"
            case .otherStart, .noContentRange: "the server sent other bytes"
            case .rangesNoMore: "the server does not support byte ranges"
            }
        }

        func apply(_ file: inout ServedFile) {
            file.cutAfter = nil
            file.knowsIfRange = false
            switch self {
            case .newTag:
                file.entityTag = "\"two\""
                file.knowsIfRange = true
            case .newTagSameSizeAndIfRangeIgnored, .shorterAndIfRangeIgnored:
                file.entityTag = "\"two\""
            case .otherStart: file.shift = 7
            case .otherTotal: file.bytes += [1, 2, 3]
            case .noContentRange: file.contentRange = "bytes"
            case .rangesNoMore: file.knowsRanges = false
            case .weakTagNow: file.entityTag = "W/\"one\""
            case .coded: file.fields = ["Content-Encoding: gzip"]
            case .otherDate: file.lastModified = "Sat, 05 Nov 1994 08:49:38 GMT"
            }
        }
    }

    @Test(
        "T-08 no old byte remains, whatever the server's response for a changed file",
        arguments: Change.allCases
    )
    func betweenRuns(change: Change) async throws {
        var file = ServedFile(old)
        file.cutAfter = 200_000
        if change == .otherDate {
            file.entityTag = nil
            file.lastModified = "Sat, 05 Nov 1994 08:49:37 GMT"
        }
        let served = FileOnServer(file)
        let server = try served.server()
        let first = try await FetchProcess(["-t", "1", "-O", "file", server.url()], in: folder)
            .run()
        #expect(first.status == 4, "\(first)")
        #expect(folder.names() == ["file.part", "file.part.resume"])
        let length = change == .shorterAndIfRangeIgnored ? 300_000 : 500_000
        let new = PseudoRandom.bytes(length, seed: 5)
        let tail: [UInt8] = change == .otherTotal ? [1, 2, 3] : []
        served.change {
            $0.bytes = new
            change.apply(&$0)
        }
        let result = try await FetchProcess(["-c", "-O", "file", server.url()], in: folder).run()
        #expect(result.status == 0, "\(change): \(result)")
        #expect(isSameBytes(folder.read("file"), new + tail), "\(change)")
        #expect(result.stderr.contains("starting over: \(change.reason)"), "\(result)")
        #expect(folder.names() == ["file"])
    }

    @Test(
        "T-08 old and new bytes do not mix within one run, between two attempts",
        arguments: [true, false]
    )
    func withinARun(hasChanged: Bool) async throws {
        var file = ServedFile(old)
        file.cutAfter = 200_000
        let served = FileOnServer(file)
        let server = try served.server()
        let process = try FetchProcess(["-O", "file", server.url()], in: folder).start()
        try await process.waitForStderr("continuing at 195.3 KiB")
        let new = PseudoRandom.bytes(500_000, seed: 5)
        served.change { file in
            file.cutAfter = nil
            guard hasChanged else { return }
            file.bytes = new
            file.entityTag = "\"two\""
        }
        let result = try await process.wait()
        #expect(result.status == 0, "\(result)")
        #expect(isSameBytes(folder.read("file"), hasChanged ? new : old))
        #expect(result.stderr.contains("starting over") == hasChanged)
        #expect(server.heads.last?.values("If-Range") == ["\"one\""])
    }

    @Test("T-08 fetch continues with a server that cuts every response, until the file is complete")
    func alwaysCut() async throws {
        var file = ServedFile(old)
        file.cutAfter = 190_000
        let server = try FileOnServer(file).server()
        let result = try await FetchProcess(["-t", "2", "-O", "file", server.url()], in: folder)
            .run()
        #expect(result.status == 0, "\(result)")
        #expect(isSameBytes(folder.read("file"), old))
        #expect(
            server.heads.compactMap { $0.values("Range").first } == [
                "bytes=190000-", "bytes=380000-",
            ]
        )
    }

    @Test("T-08 every attempt begins at the first byte without a validator, and no part remains")
    func noValidator() async throws {
        var file = ServedFile(old)
        file.entityTag = nil
        file.cutAfter = 100_000
        let server = try FileOnServer(file).server()
        let result = try await FetchProcess(["-t", "2", "-O", "file", server.url()], in: folder)
            .run()
        #expect(result.status == 4, "\(result)")
        #expect(server.heads.count == 2)
        #expect(server.heads.allSatisfy { $0.values("Range").isEmpty })
        #expect(folder.names() == [])
        #expect(result.stderr.contains("starting over in"))
    }
}
