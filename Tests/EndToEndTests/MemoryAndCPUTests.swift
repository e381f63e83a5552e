import Foundation
import TestSupport
import Testing

/// What it costs: bounded amounts, which do not grow with the body or with the wait.
@Suite("Memory and CPU", .timeLimit(.minutes(3)))
struct MemoryAndCPUTests {
    private static let size = 256 << 20
    /// Of a debug build, which has 24 MiB of its own size in memory when it has only begun.
    private static let limitKiB = 44 << 10

    /// A file of that many zeros, made without writing them; its name.
    private static func large(_ name: String) throws -> String {
        let nginx = try Nginx.shared
        try nginx.addFile(name, bytes: [])
        #expect(truncate("\(nginx.documentRoot)/\(name)", off_t(size)) == 0)
        return name
    }

    @Test("T-07 a download of 256 MiB to a file needs less than 44 MiB of memory")
    func download() async throws {
        let nginx = try Nginx.shared
        let result = try await FetchProcess.run(
            "-O",
            "out",
            nginx.url("/files/" + Self.large("memory-file")),
            timeLimit: .seconds(120)
        )
        #expect(result.status == 0, "\(result)")
        #expect(result.folder.size("out") == Self.size)
        #expect((1..<Self.limitKiB).contains(result.maxResidentKiB), "\(result.maxResidentKiB)")
    }

    @Test("T-02 a body of 256 MiB to a slow reader needs no more", arguments: ["-O", "-d"])
    func standardOutput(flag: String) async throws {
        let nginx = try Nginx.shared
        let arguments = flag == "-d" ? ["-X", "GET", "-d", "x"] : ["-O", "-"]
        // The shell becomes fetch, so that it is fetch that is measured.
        let folder = try TemporaryFolder("memory")
        let result = try await FetchProcess(
            shell: #"""
                mkfifo body
                { dd bs=64k count=1 status=none; sleep 0.5; cat; } <body | wc -c >count &
                url=$1; shift
                exec "$FETCH" -T 30 "$@" "$url" >body
                """#,
            [nginx.url("/files/" + Self.large("memory-stdout\(flag)"))] + arguments,
            in: folder,
            timeLimit: .seconds(120)
        ).run()
        #expect(result.status == 0, "\(result)")
        #expect(await eventually { folder.readText("count") == "\(Self.size)\n" })
        #expect((1..<Self.limitKiB).contains(result.maxResidentKiB), "\(result.maxResidentKiB)")
    }

    @Test("T-05 an upload of 256 MiB from a pipe needs no more")
    func uploadFromPipe() async throws {
        let nginx = try Nginx.shared
        let result = try await FetchProcess.shell(
            #"""
            mkfifo body
            head -c "$2" /dev/zero >body &
            exec "$FETCH" --upload-file - "$1" <body
            """#,
            nginx.url("/dav/memory-pipe"),
            "\(Self.size)",
            timeLimit: .seconds(120)
        )
        #expect(result.status == 0, "\(result)")
        #expect((1..<Self.limitKiB).contains(result.maxResidentKiB), "\(result.maxResidentKiB)")
        let stored = try await FetchProcess.run("-I", nginx.url("/files/dav/memory-pipe"))
        #expect(stored.stdoutText.contains("Content-Length: \(Self.size)\r\n"))
    }

    @Test(
        "T-04 an upload of 256 MiB from a file, or in a form, needs no more",
        arguments: [
            "--upload-file", "-F",
        ]
    )
    func uploadFromFile(flag: String) async throws {
        let nginx = try Nginx.shared
        let source = try nginx.documentRoot + "/" + Self.large("memory-source\(flag)")
        let value = flag == "-F" ? "file=@\(source)" : source
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            var left = Int(head["Content-Length"] ?? "") ?? 0
            while left > 0 { left -= try connection.read(exactly: min(left, 1 << 16)).count }
            try connection.respond(body: "taken")
        }
        let result = try await FetchProcess.run(
            flag,
            value,
            server.url("/x"),
            timeLimit: .seconds(120)
        )
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText == "taken")
        #expect((1..<Self.limitKiB).contains(result.maxResidentKiB), "\(result.maxResidentKiB)")
    }

    @Test("waiting 3 s for the first byte costs less than 0.2 s of CPU above a start")
    func waiting() async throws {
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            if head.target == "/slow" { connection.pause(.seconds(3)) }
            try connection.respond(body: "x")
        }
        let quick = try await FetchProcess.run("-qO-", server.url("/quick"))
        let slow = try await FetchProcess.run("-qO-", server.url("/slow"))
        #expect(slow.status == 0, "\(slow)")
        #expect(slow.wallSeconds >= 3)
        #expect(
            slow.cpuSeconds - quick.cpuSeconds < 0.2,
            "\(slow.cpuSeconds) s, \(quick.cpuSeconds) s"
        )
    }

    @Test("nor does waiting for a pipe that has nothing to send")
    func waitingForInput() async throws {
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            _ = try connection.readBody(head)
            try connection.respond()
        }
        let result = try await FetchProcess.shell(
            #"""
            mkfifo body
            { sleep 2; echo x; } >body &
            exec "$FETCH" --upload-file - "$1" <body
            """#,
            server.url("/x")
        )
        #expect(result.status == 0, "\(result)")
        #expect(result.cpuSeconds < 0.5, "\(result.cpuSeconds) s")
    }
}
