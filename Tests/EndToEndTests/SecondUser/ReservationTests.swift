import Foundation
import TestSupport
import Testing

/// The length that a server announces for a body, of which it sends three bytes.
@Suite("Disk space reserved for a body", .timeLimit(.minutes(2)))
struct ReservationTests {
    private static let most = 4 << 20

    /// A server that announces a length, sends three bytes of the requested range, and waits.
    private static func server(_ gate: Gate, length: Int) throws -> SocketServer {
        try SocketServer { connection in
            let head = try connection.readHead()
            var lines = ["HTTP/1.1 200 OK", "Content-Length: \(length)"]
            let range = head["Range"]?.dropFirst("bytes=".count).split(separator: "-")
            if let range, let first = range.first.flatMap({ Int($0) }) {
                let last = range.count > 1 ? Int(range[1]) ?? length - 1 : length - 1
                lines = [
                    "HTTP/1.1 206 Partial Content", "Content-Length: \(last - first + 1)",
                    "Content-Range: bytes \(first)-\(last)/\(length)",
                ]
            }
            lines += ["ETag: \"one\"", "Accept-Ranges: bytes"]
            try connection.send(lines.joined(separator: "\r\n") + "\r\n\r\nabc")
            _ = gate.wait(atMost: .seconds(30))
        }
    }

    /// The bytes of a file's allocated blocks.
    private static func blocks(_ path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_blocks) * 512 : 0
    }

    /// The free bytes of a file system, for root.
    private static func free(_ path: String) -> Int {
        var status = statvfs()
        return statvfs(path, &status) == 0 ? Int(status.f_bfree) * Int(status.f_frsize) : 0
    }

    @Test(
        "T-07 a length that a server announces takes no disk space, also after a kill",
        arguments: [[], ["--split", "4"]] as [[String]],
        [1, 3]
    )
    func announced(flags: [String], count: Int) async throws {
        let gate = Gate()
        let server = try Self.server(gate, length: 1 << 30)
        let folder = try TemporaryFolder("announced")
        let names = (1...count).map { "file\($0)" }
        let urls = names.map { server.url("/\($0)") }
        let process = try FetchProcess(["-q", "-t", "1"] + flags + urls, in: folder).start()
        let parts = names.map { folder.path("\($0).part") }
        let streams = flags.isEmpty ? 1 : 2
        #expect(
            await eventually {
                names.allSatisfy { folder.size("\($0).part") ?? 0 >= 3 }
                    && server.requestCount >= streams * count
            },
            "\(process.stderr)"
        )
        #expect(parts.map(Self.blocks).reduce(0, +) < Self.most)
        process.interrupt(SIGKILL)
        _ = try await process.wait()
        #expect(parts.map(Self.blocks).reduce(0, +) < Self.most)
        for _ in 0..<server.connectionCount { gate.open() }
    }

    /// The disk space that an announced length takes during the run.
    private func taken(of disk: SmallDisk, length: Int, _ flags: [String] = []) async throws -> Int
    {
        let gate = Gate()
        let server = try Self.server(gate, length: length)
        let before = Self.free(disk.path)
        let part = disk.path + "/file.part"
        let process = try FetchProcess(
            flags + ["-t", "1", "-O", disk.path + "/file", server.url("/")]
        ).start()
        #expect(
            await eventually {
                FileEntry(part)?.content.count ?? 0 >= 3 || !process.isRunning
            }
        )
        #expect(process.isRunning, "\(process.stderr)")
        let taken = before - Self.free(disk.path)
        process.interrupt(SIGKILL)
        _ = try await process.wait()
        for _ in 0..<server.connectionCount { gate.open() }
        return taken
    }

    @Test("T-07 fetch reserves no space in a file system in memory", .needs(.mounts))
    func memory() async throws {
        let disk = try SmallDisk(kilobytes: 64 << 10)
        #expect(try await taken(of: disk, length: 32 << 20) < 256 << 10)
    }

    @Test(
        "T-07 an announced length larger than the disk leaves the disk unchanged",
        .needs(.imageMounts),
        arguments: [24 << 20, 1 << 30, 1 << 40]
    )
    func image(length: Int) async throws {
        let disk = try SmallDisk(kilobytes: 32 << 10, isImage: true)
        #expect(try await taken(of: disk, length: length) < 4 << 20)
    }
}
