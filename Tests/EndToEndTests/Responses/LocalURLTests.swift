import Foundation
import TestSupport
import Testing

/// `file:` and `data:` URLs.
@Suite("File and data URLs in the command", .timeLimit(.minutes(1)))
struct LocalURLTests {
    @Test("S-09 fetch copies a file URL to a file, with its time, and to standard output")
    func file() async throws {
        let source = try TemporaryFolder("source")
        let bytes = PseudoRandom.bytes(700_000)
        try source.write(bytes, to: "a b")
        let old = Date(timeIntervalSince1970: 1_000_000_000)
        try FileManager.default.setAttributes(
            [.modificationDate: old],
            ofItemAtPath: source.path("a b")
        )
        let url = "file://\(source.path)/a%20b"
        let folder = try TemporaryFolder("target")
        for _ in 0..<2 {
            let result = try await FetchProcess.run("-q", url, in: folder)
            #expect(result.status == 0, "\(result)")
        }
        #expect(folder.names().sorted() == ["a b", "a b.1"])
        #expect(folder.read("a b") == bytes)
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("a b"))
        #expect(attributes[.modificationDate] as? Date == old)
        let output = try await FetchProcess.run("-q", "-O", "-", "file:\(source.path)/a b")
        #expect(output.stdout == bytes)
    }

    @Test("S-09 fetch loads a data URL, and events report a response without a status")
    func data() async throws {
        let result = try await FetchProcess.run(
            "-O",
            "-",
            "--events-file",
            "e",
            "data:text/plain;base64,aGVsbG8="
        )
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText == "hello")
        let events = try Events(result.folder.read("e"))
        #expect(events.violations == [])
        #expect(events.names.contains("didReceiveResponse"))
        let file = try await FetchProcess.run("-q", "data:,x")
        #expect(file.folder.names() == ["data"])
    }

    @Test("S-09 each kind of unreadable local URL has its exit status")
    func failures() async throws {
        let folder = try TemporaryFolder("failures")
        try folder.write("x", to: "file")
        let cases: [([String], Int32, String)] = [
            (["file://\(folder.path)/nothing"], 3, "fileDoesNotExist -1100"),
            (["file://\(folder.path)"], 3, "fileIsDirectory -1101"),
            (["-O", "-", "file:///dev/zero"], 3, "not a regular file"),
            (["file://elsewhere/etc/passwd"], 2, "this machine"),
            (["file:///a%00b"], 2, "file URL"), (["-d", "x", "file:///a"], 2, "--data"),
            (["-I", "file:///a"], 2, "--head"), (["-c", "file:///a"], 2, "--continue"),
            (["-X", "PUT", "file:///a"], 2, "--request"), (["-r", "0-1", "data:,x"], 2, "--range"),
            (["data:;base64,a"], 2, "not Base64"),
        ]
        for (arguments, status, words) in cases {
            let result = try await FetchProcess(arguments, in: folder).run()
            #expect(result.status == status, "\(result)")
            #expect(result.stderr.contains(words), "\(result)")
        }
        #expect(folder.names() == ["file"])
    }

    @Test("S-09 fetch does not copy a file over its own part")
    func itself() async throws {
        let folder = try TemporaryFolder("itself")
        try folder.write("precious", to: "x.part")
        let result = try await FetchProcess.run(
            "-O",
            "x",
            "file://\(folder.path)/x.part",
            in: folder
        )
        #expect(result.status == 3, "\(result)")
        #expect(folder.readText("x.part") == "precious")
        try folder.write("same", to: "y")
        let same = try await FetchProcess.run(
            "-q",
            "-O",
            "y",
            "file://\(folder.path)/y",
            in: folder
        )
        #expect(same.status == 0, "\(same)")
        #expect(folder.readText("y") == "same")
    }

    @Test("S-09 a server cannot redirect to a local file or to data", arguments: ["file", "data"])
    func redirects(scheme: String) async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            let target = scheme == "file" ? "file:///etc/passwd" : "data:,x"
            try connection.respond("302 Found", ["Location: \(target)"])
        }
        let result = try await FetchProcess.run("-O", "-", server.url())
        #expect(result.status == 11, "\(result)")
        #expect(result.stdout == [])
        try server.verify()
    }

    @Test("S-09 the policies apply to files too")
    func policies() async throws {
        let folder = try TemporaryFolder("policies")
        try folder.write("12345", to: "a.txt")
        let url = "file://\(folder.path)/a.txt"
        let large = try await FetchProcess.run("-O", "-", "--max-filesize", "4", url)
        #expect(large.status == 11, "\(large)")
        #expect(large.stdout == [])
        let type = try await FetchProcess.run("-O", "-", "--accept-type", "image/*", url)
        #expect(type.status == 11, "\(type)")
        let unknown = try await FetchProcess.run(
            "-O",
            "-",
            "--max-filesize",
            "10",
            "file:///proc/self/status"
        )
        #expect(unknown.status == 11, "\(unknown)")
        #expect(unknown.stdout.count == 10)
    }
}
