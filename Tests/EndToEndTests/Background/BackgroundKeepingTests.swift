import Foundation
import TestSupport
import Testing

/// The received bytes of failed tasks, which are kept.
@Suite("Background sessions and incomplete files", .timeLimit(.minutes(3)))
struct BackgroundKeepingTests {
    private let fixture: BackgroundFixture
    private let bytes = PseudoRandom.bytes(300_000)

    init() throws {
        fixture = try BackgroundFixture()
    }

    /// Sends the first 100,000 bytes of a file; a request for the rest gets all of it.
    private func breaking() throws -> SocketServer {
        try SocketServer { [bytes] connection in
            let head = try connection.readHead()
            let start = head["Range"] == nil ? 0 : 100_000
            let status =
                start == 0
                ? "200 OK"
                : "206 Partial Content\r\nContent-Range: bytes 100000-299999/300000"
            try connection.send(
                "HTTP/1.1 \(status)\r\nETag: \"one\"\r\nContent-Length: \(300_000 - start)\r\n\r\n"
            )
            try connection.send(Array(bytes[start..<(start == 0 ? 100_000 : 300_000)]))
        }
    }

    @Test("the part is beside the file after the last attempt, and -c continues it")
    func tries() async throws {
        let server = try breaking()
        try await fixture.queue("-t", "1", "-O", "file", server.url())
        #expect(await fixture.transfersEnd())
        #expect(fixture.folder.size("file.part") == 100_000)
        let attached = try await fixture.attach()
        #expect(attached.status == 4, "\(attached)")
        #expect(attached.stderr.contains("97.7 KiB are kept in "), "\(attached)")
        #expect(attached.stderr.contains("-c instead of --background continues"), "\(attached)")
        #expect(await eventually { fixture.isGone })
        #expect(fixture.folder.names().sorted() == ["events", "file.part", "file.part.resume"])
        let whole = try await fixture.fetch(["-c", "-O", "file", server.url()])
        #expect(whole.status == 0, "\(whole)")
        #expect(isSameBytes(fixture.folder.read("file"), bytes))
        #expect(server.heads.last?["Range"] == "bytes=100000-")
        #expect(fixture.folder.names().sorted() == ["events", "file"])
    }

    @Test("the part is beside the file after --max-time")
    func maxTime() async throws {
        let server = try SocketServer { [bytes] connection in
            _ = try connection.readHead()
            try connection.send(
                "HTTP/1.1 200 OK\r\nETag: \"one\"\r\nContent-Length: 300000\r\n\r\n"
            )
            try connection.send(Array(bytes[..<100_000]))
            try connection.waitForPeerToClose()
        }
        try fixture.folder.write("old", to: "file")
        try await fixture.queue("--max-time", "2", "-P", ".", server.url("/file"))
        #expect(await fixture.transfersEnd())
        // The name belongs to another file, so `-c` would not find this part there.
        #expect(fixture.folder.size("file.1.part") == 100_000)
        let attached = try await fixture.attach()
        #expect(attached.status == 124)
        #expect(
            attached.stderr.contains("-c -O \(fixture.folder.path("file.1")) instead"),
            "\(attached)"
        )
        #expect(fixture.folder.readText("file") == "old")
    }

    @Test("on a full disk a task is suspended with the reason, until --background-resume")
    func fullDisk() async throws {
        // More bytes than are buffered before a write: fewer would be fetched again.
        let bytes = PseudoRandom.bytes(3_000_000, seed: 7)
        let disk = try SmallDisk(kilobytes: 4_096)
        let server = try SocketServer { [bytes] connection in
            let head = try connection.readHead()
            let start = head["Range"].flatMap { Int($0.dropFirst(6).dropLast()) } ?? 0
            let status =
                start == 0
                ? "200 OK"
                : "206 Partial Content\r\nContent-Range: bytes \(start)-2999999/3000000"
            try connection.send(
                "HTTP/1.1 \(status)\r\nETag: \"one\"\r\nContent-Length: \(3_000_000 - start)\r\n\r\n"
            )
            try? connection.send(Array(bytes[start...]))
        }
        disk.fill(leaving: 2_000_000)
        try await fixture.queue("-O", disk.path + "/file", server.url())
        #expect(await fixture.transfersEnd())
        let listed = try await fixture.list()
        #expect(listed.contains(": held"), "\(listed)")
        #expect(listed.contains("No space left on device"), "\(listed)")
        #expect(listed.contains("--background-resume"), "\(listed)")
        let attached = try await fixture.attach()
        #expect(attached.status == 3, "\(attached)")
        #expect(attached.stderr.contains("held: "), "\(attached)")
        #expect(try fixture.events().named("didCompleteWithError").isEmpty)
        disk.empty()
        #expect(try await fixture.fetch(["--background-resume", fixture.session]).status == 0)
        #expect(try await fixture.attach().status == 0)
        #expect(
            isSameBytes(
                FileManager.default.contents(atPath: disk.path + "/file").map(Array.init),
                bytes
            )
        )
        #expect(server.heads.last?["Range"] != nil)
    }

    @Test("-nc keeps a file that another program makes meanwhile, and says so")
    func keptMeanwhile() async throws {
        let gate = Gate()
        let server = try SocketServer.halves(gate)
        try await fixture.queue("-nc", server.url("/file"))
        #expect(await eventually { server.connectionCount == 1 })
        try fixture.folder.write("another program's", to: "file")
        gate.open()
        #expect(await fixture.transfersEnd())
        let attached = try await fixture.attach()
        #expect(attached.status == 0, "\(attached)")
        #expect(attached.stderr.contains("was created by another process and stays"), "\(attached)")
        #expect(fixture.folder.readText("file") == "another program's")
    }

    @Test("-nc calls a file that the server has not changed not modified")
    func unchanged() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 304 Not Modified\r\nETag: \"x\"\r\n\r\n")
        }
        try await fixture.queue("-nc", "-H", "If-None-Match: \"x\"", server.url("/file"))
        #expect(await fixture.transfersEnd())
        let attached = try await fixture.attach()
        #expect(attached.stderr.contains("not modified"), "\(attached)")
        #expect(fixture.folder.names() == ["events"])
    }
}
