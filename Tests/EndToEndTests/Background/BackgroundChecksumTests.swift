import TestSupport
import Testing

/// `--checksum` and its like with `-b`.
@Suite("Background sessions and checksums", .timeLimit(.minutes(3)))
struct BackgroundChecksumTests {
    private let fixture: BackgroundFixture

    init() throws {
        fixture = try BackgroundFixture()
    }

    /// The digest of `whole`.
    private static let right =
        "sha256:5d5766cf2d78701614200418ee1450690d9af12c84d52545e4802f001ad53099"
    private static let wrong = "sha256:" + String(repeating: "0", count: 64)

    private func server() throws -> SocketServer {
        try SocketServer { connection in
            let head = try connection.readHead()
            if head.target == "/SHA256SUMS" {
                let sum = Self.right.dropFirst("sha256:".count)
                return try connection.respond(body: "\(sum)  file\n")
            }
            try connection.respond(body: "whole")
        }
    }

    @Test("a body with the wrong checksum leaves no file, and status 10")
    func checksum() async throws {
        let server = try server()
        try await fixture.queue("--checksum", Self.wrong, "-O", "file", server.url("/file"))
        #expect(await fixture.transfersEnd())
        #expect(fixture.folder.names() == [])
        let attached = try await fixture.attach()
        #expect(attached.status == 10, "\(attached)")
        #expect(await eventually { fixture.isGone })
        try await fixture.queue("--checksum", Self.right, "-O", "file", server.url("/file"))
        #expect(try await fixture.attach().status == 0)
        #expect(fixture.folder.readText("file") == "whole")
    }

    @Test("the checksums in the lines of a list are verified")
    func lineChecksums() async throws {
        let server = try server()
        let lines = [("good", Self.right), ("bad", Self.wrong)].map { name, checksum in
            "\(server.url("/file"))\t\(name)\t\(checksum)\n"
        }
        try fixture.folder.write(lines.joined(), to: "list")
        let queued = try await fixture.queue("-i", "list")
        #expect(queued.status == 0, "\(queued)")
        let attached = try await fixture.attach()
        #expect(attached.status == 10, "\(attached)")
        #expect(fixture.folder.exists("good"))
        #expect(!fixture.folder.exists("bad"))
    }

    @Test(
        "a list of checksums is read, or fetched, before anything is queued",
        arguments: [true, false]
    )
    func checksumList(isRemote: Bool) async throws {
        let server = try server()
        let sum = Self.right.dropFirst("sha256:".count)
        try fixture.folder.write(
            "\(sum)  file\n\(String(repeating: "0", count: 64))  bad\n",
            to: "sums"
        )
        let list = isRemote ? server.url("/SHA256SUMS") : "sums"
        let queued = try await fixture.queue("--checksum-from", list, server.url("/file"))
        #expect(queued.status == 0, "\(queued)")
        #expect(try await fixture.attach().status == 0)
        #expect(fixture.folder.readText("file") == "whole")
        let unknown = try await fixture.queue("--checksum-from", list, server.url("/other"))
        #expect(unknown.status == 10, "\(unknown)")
        #expect(await eventually { fixture.isGone })
        guard !isRemote else { return }
        try await fixture.queue("--checksum-from", list, server.url("/bad"))
        #expect(try await fixture.attach().status == 10)
    }

    @Test("a 304 that nothing has asked for proves no checksum")
    func unaskedNotModified() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 304 Not Modified\r\nConnection: close\r\n\r\n")
        }
        try await fixture.queue("--checksum", Self.right, "-O", "file", server.url("/file"))
        #expect(try await fixture.attach().status == 10)
        #expect(fixture.folder.names() == ["events"])
    }
}
