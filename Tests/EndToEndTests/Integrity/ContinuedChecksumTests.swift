import Foundation
import Synchronization
import TestSupport
import Testing

/// Parts that are continued and prove wrong: one clean start, and no more.
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

    /// A server that cuts as many responses as the test says, each after 100,000 bytes.
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

    /// Changes a byte of the part, which keeps its size, its time and its resume data.
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

    @Test("T-08 a spoiled part of an earlier run is found out, and the file comes whole")
    func spoiled() async throws {
        let server = try server(cutting: 1)
        let first = try await run("-t", "1", "-O", "file", server.url())
        #expect(first.status == 4, "\(first)")
        try await spoilPart()
        let second = try await run("-c", "-O", "file", "--checksum", right(), server.url())
        #expect(second.status == 0, "\(second)")
        #expect(
            second.stderr.contains(
                "starting over: the received file does not match its digest"
            ),
            "\(second)"
        )
        #expect(server.heads.map { $0.values("Range") } == [[], ["bytes=100000-"], []])
        #expect(try sha256(folder.read("file") ?? []) == sha256(bytes))
        #expect(folder.names() == ["file"])
    }

    @Test("T-08 without anything to compare with the damage is not found")
    func unnoticed() async throws {
        let server = try server(cutting: 1)
        _ = try await run("-t", "1", "-O", "file", server.url())
        try await spoilPart()
        let second = try await run("-c", "-O", "file", server.url())
        #expect(second.status == 0)
        #expect(try sha256(folder.read("file") ?? []) != sha256(bytes))
    }

    @Test("a server that is wrong itself is asked for the whole once, and then it is over")
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

    @Test("what is cut and continued within a run is compared as a whole")
    func withinRun() async throws {
        let server = try server(cutting: 2)
        let good = try await run("-O", "file", "--checksum", right(), server.url())
        #expect(good.status == 0, "\(good)")
        #expect(server.requestCount == 3)
        #expect(try sha256(folder.read("file") ?? []) == sha256(bytes))
    }

    @Test("a clean start that is cut and continued is not followed by a second")
    func onlyOnce() async throws {
        // The first run's response, then the rest; the clean start is cut as well, and continued.
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

    @Test("-c compares a file that is complete, and fetches it again where it is wrong")
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

    @Test("a run that is ended while the file is compared leaves no file of that name")
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
        // It may have found the difference before the signal came.
        #expect([143, 10].contains(result.status), "\(result)")
        #expect(!folder.exists("file"))
        #expect(folder.exists("file.part") == (result.status == 143))
    }
}
