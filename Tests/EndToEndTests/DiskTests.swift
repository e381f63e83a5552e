import Foundation
import TestSupport
import Testing

/// Full disks, folders that cannot be written, files that cannot be read.
@Suite("Disks", .timeLimit(.minutes(1)))
struct DiskTests {
    /// Runs a command as an ordinary user, since file modes do not apply to root.
    private static let unprivileged = #"""
        if [ "$(id -u)" = 0 ]; then
            set -- setpriv --reuid=65534 --regid=65534 --clear-groups "$FETCH" "$@"
        else
            set -- "$FETCH" "$@"
        fi
        exec "$@"
        """#

    @Test("a full disk is status 3 with one line, and the old file remains")
    func full() async throws {
        let nginx = try Nginx.shared
        let path = try nginx.addLargeFile("disk-full", size: 3_000_000)
        let folder = try TemporaryFolder("full")
        try folder.makeFolder("disk")
        // Where mounting is not permitted, the limit on file sizes is as small.
        let result = try await FetchProcess.shell(
            #"""
            if [ "$1" != mounted ] && unshare -m true 2>/dev/null; then
                exec unshare -m sh -c '
                    mount -t tmpfs -o size=1m,mode=777 none disk && cd disk &&
                    echo old >out && "$FETCH" -q -O out "$1"; s=$?; cat out; ls -A; exit $s' sh "$1"
            fi
            cd disk && echo old >out && (ulimit -f 1024; "$FETCH" -q -O out "$1")
            s=$?; cat out; ls -A; exit $s
            """#,
            nginx.url(path),
            in: folder
        )
        #expect(result.status == 3, "\(result)")
        #expect(result.stdoutText == "old\nout\nout.part\nout.part.resume\n")
        #expect(result.blames(nginx.url(path)).count == 1)
        #expect(result.stderrLines.last?.contains("-c continues there") == true)
        #expect(result.stderrLines.count == 2)
    }

    @Test("a file at its size limit is status 3, and not a signal")
    func sizeLimit() async throws {
        let nginx = try Nginx.shared
        let path = try nginx.addLargeFile("disk-limit", size: 3_000_000)
        let result = try await FetchProcess.shell(
            #"ulimit -c 0; ulimit -f 1024; exec "$FETCH" -q -O out "$1""#,
            nginx.url(path)
        )
        #expect(result.status == 3, "\(result)")
        #expect(result.blames(nginx.url(path)).count == 1)
        #expect(result.folder.names() == ["out.part", "out.part.resume"])
    }

    @Test("a full standard output is status 3", arguments: ["-", "/dev/full"])
    func fullOutput(name: String) async throws {
        let url = try Nginx.shared.url("/files/hello.txt")
        let result = try await FetchProcess.shell(
            #"exec "$FETCH" -q -O "$1" "$2" >/dev/full"#,
            name,
            url
        )
        #expect(result.status == 3, "\(result)")
        #expect(result.blames(url).count == 1)
        #expect(result.stderr.contains("cannotWriteToFile -3003"))
    }

    @Test("T-14 a folder that cannot be written is status 3 before fetch sends anything")
    func readOnlyFolder() async throws {
        let server = try SocketServer { _ in }
        let folder = try TemporaryFolder("locked")
        try folder.makeFolder("locked")
        try #require(chmod(folder.path, 0o755) == 0)
        try #require(chmod(folder.path("locked"), 0o555) == 0)
        for arguments in [["-O", "locked/out"], ["-P", "locked"]] {
            let result = try await FetchProcess(
                shell: Self.unprivileged,
                arguments + [server.url("/file")],
                in: folder
            ).run()
            #expect(result.status == 3, "\(result)")
            #expect(result.blames(server.url("/file")).count == 1)
        }
        #expect(!server.wasCalled)
        #expect(folder.names() == ["locked"])
    }

    @Test(
        "a missing or invalid folder is status 3 before fetch sends anything",
        arguments: [
            ["-O", "missing/out"], ["-O", "file/out"], ["-P", "file"], ["-P", "file/sub"],
            ["-O", "."],
            ["-O", "folder"],
        ]
    )
    func noFolder(arguments: [String]) async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond(body: "x")
        }
        let folder = try TemporaryFolder("nofolder")
        try folder.write("mine", to: "file")
        try folder.makeFolder("folder")
        let result = try await FetchProcess(arguments + [server.url()], in: folder).run()
        #expect(result.status == 3, "\(result)")
        #expect(result.stderrLines.count == 1, "\(result)")
        #expect(!server.wasCalled)
        #expect(folder.names() == ["file", "folder"])
    }

    @Test(
        "a file to send that cannot be read is status 3 before fetch sends anything",
        arguments: ["--upload-file", "--post-file"]
    )
    func unreadable(flag: String) async throws {
        let server = try SocketServer { _ in }
        let folder = try TemporaryFolder("unreadable")
        try folder.write("secret", to: "file")
        try #require(chmod(folder.path, 0o755) == 0)
        try #require(chmod(folder.path("file"), 0o000) == 0)
        let result = try await FetchProcess(
            shell: Self.unprivileged,
            [flag, "file", server.url("/x")],
            in: folder
        ).run()
        #expect(result.status == 3, "\(result)")
        #expect(result.stderrLines == ["fetch: file: Permission denied"])
        #expect(!server.wasCalled)
        let folderAsFile = try await FetchProcess.run(flag, ".", server.url("/x"))
        #expect(folderAsFile.status == 3, "\(folderAsFile)")
    }

    @Test("a folder removed during the download is status 3")
    func vanished() async throws {
        let gate = Gate()
        let server = try SocketServer.halves(gate)
        let folder = try TemporaryFolder("vanished")
        try folder.makeFolder("sub")
        let process = try FetchProcess(["-O", "sub/out", server.url()], in: folder).start()
        #expect(await eventually { folder.exists("sub/out.part") })
        try FileManager.default.removeItem(atPath: folder.path("sub"))
        gate.open()
        let result = try await process.wait()
        #expect(result.status == 3, "\(result)")
        #expect(result.blames(server.url()).count == 1)
    }
}
