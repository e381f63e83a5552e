import TestSupport
import Testing

@testable import FetchCommand

/// `-N` stores the server's validator with the file.
@Suite("Validators stored by -N", .timeLimit(.minutes(1)))
struct TimestampValidatorTests {
    /// The validator stored with a file.
    private func validator(_ name: String, _ folder: TemporaryFolder) -> StoredValidator? {
        StoredValidator(of: folder.path(name))
    }

    @Test("-N ignores the validator of a file that changed, or of another URL")
    func disbelief() async throws {
        let origin = try TaggedOrigin(tag: "\"1\"")
        let first = try await FetchProcess.run("-N", "-O", "name", origin.server.url("/a"))
        let folder = first.folder
        let kept = try #require(validator("name", folder))
        #expect(kept.entityTag == "\"1\"")
        // The URL itself is not stored: it may contain a secret.
        #expect(kept.url.utf8.count == 64)
        #expect(kept.size == 9)
        let other = try await FetchProcess.run(
            "-N",
            "-O",
            "name",
            origin.server.url("/b"),
            in: folder
        )
        #expect(other.status == 0, "\(other)")
        #expect(origin.server.heads.last?["If-None-Match"] == nil)
        #expect(origin.server.heads.last?["If-Modified-Since"] == nil)
        // The same length, with another time.
        try folder.setModified(1_000_000_000, of: "name")
        _ = try await FetchProcess.run("-N", "-O", "name", origin.server.url("/b"), in: folder)
        #expect(origin.server.heads.last?["If-None-Match"] == nil)
        #expect(origin.server.heads.last?["If-Modified-Since"] == "Sun, 09 Sep 2001 01:46:40 GMT")
        try origin.server.verify()
    }

    @Test("fetch stores no validator with a file without -N")
    func unasked() async throws {
        let origin = try TaggedOrigin(tag: "\"1\"")
        let result = try await FetchProcess.run("-O", "name", origin.server.url())
        #expect(result.status == 0, "\(result)")
        #expect(validator("name", result.folder) == nil)
        try origin.server.verify()
    }

    @Test("a failed -N keeps the old file and its validator")
    func failure() async throws {
        let origin = try TaggedOrigin(tag: "\"1\"")
        let first = try await FetchProcess.run("-N", "-O", "name", origin.server.url())
        let folder = first.folder
        let before = validator("name", folder)
        #expect(before != nil)
        let short = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort")
        }
        let second = try await FetchProcess.run(
            "-N",
            "-t",
            "1",
            "-O",
            "name",
            short.url(),
            in: folder
        )
        #expect(second.status == 4, "\(second)")
        #expect(folder.readText("name") == "the first")
        #expect(validator("name", folder) == before)
    }
}
