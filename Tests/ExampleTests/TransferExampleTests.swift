import Foundation
import TestSupport
import Testing

@Suite("Examples: uploads and downloads", .timeLimit(.minutes(1)))
struct TransferExampleTests {
    private static let password = ["PASSWORD": TestUser.usual.password]

    @Test(
        "T-03 T-04 T-06 Upload: the client sends a body from memory and from a file, and counts it",
        arguments: ["data", "file"]
    )
    func upload(_ kind: String) async throws {
        let nginx = try Nginx.shared
        let folder = try TemporaryFolder("run")
        let bytes = PseudoRandom.bytes(300_000, seed: 5)
        try folder.write(bytes, to: "body")
        let name = "example-upload-\(kind)"
        let url = nginx.url("/dav/\(name)")
        let lines = try await Example.run("Upload", kind, "body", url, "name", in: folder).lines
        #expect(lines.suffix(2) == ["sent 300000 of 300000", "status 201, error 0"])
        #expect(isSameBytes(nginx.uploaded(name), bytes))
    }

    @Test(
        "T-05 A-06 Upload: the task requests the stream again when the server requires a password"
    )
    func streamedTwice() async throws {
        let apache = try Apache.shared
        let folder = try TemporaryFolder("run")
        try folder.write(PseudoRandom.bytes(200_000, seed: 6), to: "body")
        let lines = try await Example.run(
            "Upload",
            "stream",
            "body",
            apache.url("/digest/uploads/example-stream"),
            TestUser.usual.name,
            in: folder,
            environment: Self.password
        ).lines
        #expect(
            lines.filter { !$0.hasPrefix("sent ") } == [
                "a stream is wanted", "a password is wanted", "a stream is wanted",
                "status 201, error 0",
            ]
        )
        #expect(lines.contains("sent 200000 of 200000"))
        let stored = FileManager.default.contents(atPath: apache.uploaded("example-stream"))
        #expect(isSameBytes(stored.map(Array.init), PseudoRandom.bytes(200_000, seed: 6)))
    }

    @Test("T-05 Upload: the task requests the stream again after a 307")
    func streamedElsewhere() async throws {
        let apache = try Apache.shared
        let folder = try TemporaryFolder("run")
        try folder.write("the body", to: "body")
        let url = apache.url("/redirect/307/open/uploads/example-redirected")
        let lines = try await Example.run("Upload", "stream", "body", url, "name", in: folder).lines
        #expect(
            lines.filter { !$0.hasPrefix("sent ") } == [
                "a stream is wanted", "a stream is wanted", "status 201, error 0",
            ]
        )
    }

    @Test("T-07 T-08 Download: another run continues a stopped download where it ended")
    func stopped() async throws {
        let nginx = try Nginx.shared
        try nginx.addLargeFile("example-stopped", size: 1_500_000, seed: 7)
        let url = nginx.url("/slow-at-first/example-stopped?rate=1000000")
        let folder = try TemporaryFolder("run")
        let first = try await Example.run("Download", url, "out", "300000", in: folder)
        #expect(Set(first.lines) == ["can be continued", "error -999"])
        #expect(!folder.exists("out"))
        let second = try await Example.run("Download", url, "out", in: folder).lines
        #expect(second.count == 2 && second.last == "saved 1500000 bytes", "\(second)")
        #expect(second.first?.hasSuffix(" of 1500000") == true)
        #expect(isSameBytes(folder.read("out"), PseudoRandom.bytes(1_500_000, seed: 7)))
        #expect(folder.names() == ["out"])
        let requests = await nginx.accessLog("/slow-at-first/example-stopped", waitingFor: 2)
        #expect(requests.map(\.status) == [200, 206])
    }

    @Test("T-08 Download: the error of a lost connection carries resume data")
    func lost() async throws {
        let bytes = PseudoRandom.bytes(400_000, seed: 8)
        let server = try SocketServer { connection in
            var file = ServedFile(bytes)
            file.cutAfter = connection.number == 0 ? 150_000 : nil
            try file.serve(connection)
        }
        let folder = try TemporaryFolder("run")
        let first = try await Example.run("Download", server.url("/file"), "out", in: folder)
        #expect(first.lines == ["error -1005", "can be continued"])
        let second = try await Example.run("Download", server.url("/file"), "out", in: folder)
        #expect(second.lines == ["continued at 150000 of 400000", "saved 400000 bytes"])
        #expect(isSameBytes(folder.read("out"), bytes))
        #expect(server.heads.map { $0["Range"] } == [nil, "bytes=150000-"])
    }

    @Test("T-08 Download: a file that changed meanwhile is downloaded from its beginning")
    func changed() async throws {
        let old = PseudoRandom.bytes(400_000, seed: 9)
        let new = PseudoRandom.bytes(400_000, seed: 10)
        let server = try SocketServer { connection in
            var file = ServedFile(connection.number == 0 ? old : new)
            file.entityTag = "\"\(connection.number)\""
            file.cutAfter = connection.number == 0 ? 150_000 : nil
            try file.serve(connection)
        }
        let folder = try TemporaryFolder("run")
        _ = try await Example.run("Download", server.url("/file"), "out", in: folder)
        let second = try await Example.run("Download", server.url("/file"), "out", in: folder)
        #expect(second.lines == ["saved 400000 bytes"])
        #expect(isSameBytes(folder.read("out"), new))
    }
}
