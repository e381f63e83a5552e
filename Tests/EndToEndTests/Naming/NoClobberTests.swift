import Foundation
import TestSupport
import Testing

/// `--no-clobber`.
@Suite("Files that exist are not downloaded", .timeLimit(.minutes(1)))
struct NoClobberTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder("kept")
    }

    private func server(
        _ fields: [String] = [],
        body: String = "body"
    ) throws -> SocketServer {
        try SocketServer { connection in
            let head = try connection.readHead()
            _ = try connection.readBody(head)
            try connection.respond("200 OK", fields, body: body)
        }
    }

    @Test(
        "-nc keeps an existing file, sends nothing, and ends with status 0",
        arguments: [
            ["-nc"], ["--no-clobber", "-O", "file"], ["-nc", "-P", "."], ["-nc", "-c"],
            ["-nc", "-c", "-O", "file"], ["-nc", "-d", "x", "-O", "file"],
            ["-nc", "-I", "-O", "file"],
        ]
    )
    func stays(flags: [String]) async throws {
        try folder.write("mine", to: "file")
        let server = try server()
        let result = try await FetchProcess(flags + [server.url("/file")], in: folder).run()
        #expect(result.status == 0, "\(result)")
        #expect(result.stderrLines == ["fetch: file exists, not fetched"])
        #expect(folder.names() == ["file"])
        #expect(folder.readText("file") == "mine")
        #expect(server.connectionCount == 0)
    }

    @Test("-nc compares an existing file with its checksum: status 10 where it differs")
    func checksum() async throws {
        try folder.write("mine", to: "file")
        let server = try server()
        let (mine, other) = (try sha256(Array("mine".utf8)), try sha256(Array("body".utf8)))
        let same = try await FetchProcess.run(
            "-nc",
            "--checksum",
            "sha256:\(mine)",
            server.url("/file"),
            in: folder
        )
        #expect(same.status == 0, "\(same)")
        let differs = try await FetchProcess.run(
            "-nc",
            "--checksum",
            "sha256:\(other)",
            server.url("/file"),
            in: folder
        )
        #expect(differs.status == 10, "\(differs)")
        #expect(differs.stderr.contains("file exists and is kept"), "\(differs)")
        #expect(differs.stderr.contains(mine) && differs.stderr.contains(other))
        #expect(folder.names() == ["file"])
        #expect(folder.readText("file") == "mine")
        #expect(server.connectionCount == 0)
    }

    @Test("a folder has no checksum, not even that of an empty body")
    func folderHasNone() async throws {
        try folder.makeFolder("file")
        let server = try server()
        let result = try await FetchProcess.run(
            "-nc",
            "--checksum",
            "sha256:\(try sha256([]))",
            server.url("/file"),
            in: folder
        )
        #expect(result.status == 3, "\(result)")
        #expect(result.stderr.contains("is not a regular file"), "\(result)")
    }

    @Test("the part remains where the file system cannot rename without replacing")
    func noAtomicRename() async throws {
        // A shorter body would have no part file.
        let body = String(repeating: "body", count: 8_000)
        let server = try server(["ETag: \"one\""], body: body)
        let result = try await FetchProcess(
            shell: #"""
                # The search for leaks cannot do with another tracer.
                export ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0"
                exec strace -f -o /dev/null -e inject=renameat2:error=EINVAL \
                    -e inject=/^link:error=EPERM "$FETCH" "$1"
                """#,
            [server.url("/file")],
            in: folder
        ).run()
        #expect(result.status == 3, "\(result)")
        #expect(result.stderr.contains("-O NAME replaces"), "\(result)")
        #expect(folder.readText("file.part") == body)
        #expect(!folder.exists("file"))
    }

    @Test("one after another, files that exist are all kept, and the run ends")
    func manyKept() async throws {
        let server = try server()
        for name in ["a", "b", "c"] { try folder.write("old", to: name) }
        let urls = ["/a", "/b", "/c", "/d"].map { server.url($0) }
        let result = try await FetchProcess(["-nc", "-j", "1"] + urls, in: folder).run()
        #expect(result.status == 0, "\(result)")
        #expect(server.requestCount == 1)
        #expect(folder.readText("a") == "old")
        #expect(folder.readText("d") == "body")
    }

    @Test("a small body has no part file, unless the system refuses to link its file")
    func noPart() async throws {
        for injected in ["", "-e inject=linkat:error=EACCES"] {
            let server = try server()
            let result = try await FetchProcess(
                shell: #"""
                    export ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0"
                    exec strace -f -o calls -e trace=openat,linkat,renameat2 $2 "$FETCH" "$1"
                    """#,
                [server.url("/file"), injected],
                in: folder
            ).run()
            let calls = folder.readText("calls") ?? ""
            #expect(calls.contains("file.part\"") != injected.isEmpty, "\(calls)")
            #expect(result.status == 0, "\(result)")
            #expect(folder.readText("file") == "body")
            #expect(!folder.exists("file.part"))
            unlink(folder.path("file"))
        }
    }

    @Test("-nc keeps an existing link or folder as well", arguments: ["link", "folder"])
    func noFile(kind: String) async throws {
        if kind == "link" {
            symlink("nowhere", folder.path("x"))
        } else {
            try folder.makeFolder("x")
        }
        let server = try server()
        let result = try await FetchProcess.run("-nc", server.url("/x"), in: folder)
        #expect(result.status == 0, "\(result)")
        #expect(folder.names() == ["x"])
        #expect(server.connectionCount == 0)
    }

    @Test("-nc downloads a file that does not exist, and the next URL too")
    func fetches() async throws {
        try folder.write("mine", to: "a")
        let server = try server(["Connection: close"])
        let result = try await FetchProcess.run(
            "-nc",
            "-q",
            server.url("/a"),
            server.url("/b"),
            in: folder
        )
        #expect(result.status == 0, "\(result)")
        #expect(result.stderr == "")
        #expect(folder.names() == ["a", "b"])
        #expect(server.heads.map(\.target) == ["/b"])
    }

    @Test("-nc ends a task at its response where that names an existing file, and makes no folder")
    func namedByServer() async throws {
        try folder.write("mine", to: "given")
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send(
                "HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n"
                    + "Content-Disposition: attachment; filename=given\r\n\r\nbody"
            )
            // The client closes the connection; otherwise the test reaches its time limit.
            try connection.waitForPeerToClose()
        }
        let flags = ["-nc", "--content-disposition"]
        let result = try await FetchProcess(flags + [server.url("/x")], in: folder).run()
        #expect(result.status == 0, "\(result)")
        #expect(result.stderr.contains("given exists, not fetched"))
        #expect(folder.names() == ["given"])
        #expect(folder.readText("given") == "mine")
    }

    @Test("-nc keeps a file created during the download, and discards the body")
    func meanwhile() async throws {
        let gate = Gate()
        let server = try SocketServer.halves(gate, "ETag: \"x\"")
        let process = try FetchProcess(["-nc", server.url("/file")], in: folder).start()
        #expect(await eventually { folder.exists("file.part") })
        try folder.write("another program's", to: "file")
        gate.open()
        let result = try await process.wait()
        #expect(result.status == 0, "\(result)")
        #expect(result.stderr.contains("file was created by another process and stays"))
        #expect(folder.readText("file") == "another program's")
        #expect(folder.names() == ["file"])
        try server.verify()
    }

    @Test("the first of two tasks for one name downloads the file, and the other skips it")
    func twice() async throws {
        let gate = Gate()
        let server = try SocketServer.halves(gate)
        let url = server.url("/file")
        let process = try FetchProcess(["-nc", "-j", "2", url, url], in: folder).start()
        try await process.waitForStderr("is already being fetched")
        // Either of the two requests may wait at the gate.
        gate.open()
        gate.open()
        let result = try await process.wait()
        #expect(result.status == 0, "\(result)")
        #expect(result.stderr.contains("file is already being fetched"))
        #expect(folder.names() == ["file"])
        #expect(folder.readText("file") == "ab")
    }

    @Test("-nc numbers the files of different URLs with one name, and a second run finds them all")
    func numbered() async throws {
        let server = try server(["Connection: close"])
        let urls = ["/file?1", "/file?2", "/file?1"].map { server.url($0) }
        for _ in 1...2 {
            let result = try await FetchProcess(["-nc", "-j", "1"] + urls, in: folder).run()
            #expect(result.status == 0, "\(result)")
            #expect(folder.names() == ["file", "file.1"])
            #expect(server.heads.map(\.target) == ["/file?1", "/file?2"])
        }
    }

    @Test("T-08 -nc -c continues a part")
    func continued() async throws {
        let nginx = try Nginx.shared
        let bytes = PseudoRandom.bytes(300_000)
        try nginx.addFile("no-clobber-part", bytes: bytes, modified: 1_000_000_000)
        try folder.write(Array(bytes[..<100_000]), to: "no-clobber-part.part")
        let url = nginx.url("/files/no-clobber-part")
        let result = try await FetchProcess.run("-nc", "-c", url, in: folder)
        #expect(result.status == 0, "\(result)")
        #expect(folder.names() == ["no-clobber-part"])
        #expect(isSameBytes(folder.read("no-clobber-part"), bytes))
        let log = await nginx.accessLog("/files/no-clobber-part", waitingFor: 2)
        #expect(log.last?.range == "bytes=100000-")
    }

    @Test("-nc reports an error status as usual")
    func errorStatus() async throws {
        let result = try await FetchProcess.run(
            "-nc",
            "--content-disposition",
            Nginx.shared.url("/status/404"),
            in: folder
        )
        #expect(result.status == 8, "\(result)")
        #expect(folder.names() == [])
    }
}
