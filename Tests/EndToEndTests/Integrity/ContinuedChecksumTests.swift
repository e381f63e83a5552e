import Foundation
import Synchronization
import TestSupport
import Testing

/// Continued parts with a wrong checksum: fetch starts over once, and no more.
@Suite("Checksums of continued files", .timeLimit(.minutes(1)))
struct ContinuedChecksumTests {
    private let folder: TemporaryFolder
    private let bytes = PseudoRandom.bytes(300_000)

    init() throws {
        folder = try TemporaryFolder("continued-checksum")
    }

    private func run(_ arguments: String...) async throws -> ProcessResult {
        try await FetchProcess(arguments, in: folder).run()
    }

    private func right() throws -> String { "sha256:\(try sha256(bytes))" }

    /// A server that cuts a number of responses, each after 100,000 bytes.
    private func server(cutting count: Int) throws -> SocketServer {
        let left = Mutex(count)
        return try SocketServer { [bytes] connection in
            var file = ServedFile(bytes)
            let cuts = left.withLock { left in
                left -= 1
                return left >= 0
            }
            if cuts { file.cutAfter = 100_000 }
            try file.serve(connection)
        }
    }

    /// Changes a byte of the part, without a change of its size, time or resume data.
    private func spoilPart() async throws {
        let result = try await FetchProcess(
            shell: """
                touch -r file.part reference
                printf XYZ | dd of=file.part bs=1 seek=5000 conv=notrunc 2>/dev/null
                touch -r reference file.part
                rm reference
                """,
            in: folder
        ).run()
        #expect(result.status == 0, "\(result)")
    }

    @Test("T-08 fetch detects a damaged part of an earlier run, and downloads the whole file")
    func spoiled() async throws {
        let server = try server(cutting: 1)
        let first = try await run("-t", "1", "-O", "file", server.url())
        #expect(first.status == 4, "\(first)")
        try await spoilPart()
        let second = try await run("-c", "-O", "file", "--checksum", right(), server.url())
        #expect(second.status == 0, "\(second)")
        #expect(
            second.stderr.contains("starting over: the received file does not match its digest"),
            "\(second)"
        )
        #expect(server.heads.map { $0.values("Range") } == [[], ["bytes=100000-"], []])
        #expect(try sha256(folder.read("file") ?? []) == sha256(bytes))
        #expect(folder.names() == ["file"])
    }

    @Test("T-08 fetch does not detect the damage without a checksum")
    func unnoticed() async throws {
        let server = try server(cutting: 1)
        _ = try await run("-t", "1", "-O", "file", server.url())
        try await spoilPart()
        let second = try await run("-c", "-O", "file", server.url())
        #expect(second.status == 0)
        #expect(try sha256(folder.read("file") ?? []) != sha256(bytes))
    }

    @Test("fetch requests the whole of a file that is wrong on the server once, and then fails")
    func wrongServer() async throws {
        let server = try server(cutting: 1)
        _ = try await run("-t", "1", "-O", "file", server.url())
        let wrong = "sha256:" + String(repeating: "0", count: 64)
        let second = try await run("-c", "-O", "file", "--checksum", wrong, server.url())
        #expect(second.status == 10, "\(second)")
        #expect(server.heads.map { $0.values("Range") } == [[], ["bytes=100000-"], []])
        #expect(folder.names() == [])
        #expect(second.blames(server.url()).last?.contains("expected \(wrong), got ") == true)
    }

    @Test("fetch compares a file that was cut and continued within a run as a whole")
    func withinRun() async throws {
        let server = try server(cutting: 2)
        let good = try await run("-O", "file", "--checksum", right(), server.url())
        #expect(good.status == 0, "\(good)")
        #expect(server.requestCount == 3)
        #expect(try sha256(folder.read("file") ?? []) == sha256(bytes))
    }

    @Test("fetch does not start over a second time after a cut and continued start")
    func onlyOnce() async throws {
        // The responses: the first run's, then the rest; the new start is cut as well, and continued.
        let number = Mutex(0)
        let server = try SocketServer { [bytes] connection in
            var file = ServedFile(bytes)
            let cuts = number.withLock { number in
                number += 1
                return number == 1 || number == 3
            }
            if cuts { file.cutAfter = 100_000 }
            try file.serve(connection)
        }
        _ = try await run("-t", "1", "-O", "file", server.url())
        let wrong = "sha256:" + String(repeating: "0", count: 64)
        let second = try await run("-c", "-O", "file", "--checksum", wrong, server.url())
        #expect(second.status == 10, "\(second)")
        let ranges = server.heads.map { $0.values("Range") }
        #expect(ranges == [[], ["bytes=100000-"], [], ["bytes=100000-"]], "\(second)")
        #expect(folder.names() == [])
    }

    @Test("-c compares a complete file, and downloads it again where the checksum differs")
    func complete() async throws {
        let nginx = try Nginx.shared
        let url = nginx.url(try nginx.addFile("checksum-complete", bytes: bytes))
        var spoiled = bytes
        spoiled[10] ^= 1
        _ = try folder.write(spoiled, to: "checksum-complete")
        let unnoticed = try await run("-c", url)
        #expect(unnoticed.status == 0 && unnoticed.stderr.contains("complete"), "\(unnoticed)")
        let result = try await run("-c", "--checksum", right(), url)
        #expect(result.status == 0, "\(result)")
        #expect(result.stderr.contains("and is downloaded again"), "\(result)")
        #expect(folder.names() == ["checksum-complete"])
        #expect(try sha256(folder.read("checksum-complete") ?? []) == sha256(bytes))
        let again = try await run("-c", "--checksum", right(), url)
        #expect(again.status == 0 && again.stderr.contains("complete"), "\(again)")
        let wrong = "md5:" + String(repeating: "0", count: 32)
        let bad = try await run("-c", "--checksum", wrong, url)
        #expect(bad.status == 10, "\(bad)")
        #expect(try sha256(folder.read("checksum-complete") ?? []) == sha256(bytes))
    }

    @Test("a run ended during the comparison leaves no file with the final name")
    func interrupted() async throws {
        let nginx = try Nginx.shared
        let served = nginx.documentRoot + "/checksum-interrupted"
        defer { try? FileManager.default.removeItem(atPath: served) }
        let wrong = "sha256:" + String(repeating: "0", count: 64)
        let result = try await FetchProcess(
            shell: """
                truncate -s 400000000 "$3"
                "$FETCH" -O file --checksum "$2" "$1" & pid=$!
                while [ "$(stat -c %s file.part 2>/dev/null || echo 0)" -lt 100000000 ] &&
                    kill -0 $pid 2>/dev/null; do :; done
                kill -TERM $pid 2>/dev/null
                wait $pid
                """,
            [nginx.url("/files/checksum-interrupted"), wrong, served],
            in: folder
        ).run()
        // fetch may have found the difference before the signal arrived.
        #expect([143, 10].contains(result.status), "\(result)")
        #expect(!folder.exists("file"))
        #expect(folder.exists("file.part") == (result.status == 143))
    }
}
