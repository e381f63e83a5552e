import Foundation
import TestSupport
import Testing

/// Memory and processor time, which must not grow with the body or with the wait.
@Suite("Memory and CPU", .timeLimit(.minutes(3)), .enabled(if: Sanitizer.isOff))
struct MemoryAndCPUTests {
    /// The size of the body: small, or larger than the permitted memory.
    private enum Body: CaseIterable {
        case small
        case large

        var size: Int {
            switch self {
            case .small: 1 << 20
            case .large: 256 << 20
            }
        }

        /// Flags that make a small body take long enough for a sample of the memory.
        var flags: [String] {
            switch self {
            case .small: ["--limit-rate", "400k"]
            case .large: []
            }
        }

        /// A sparse file of that many zeros; returns its name.
        func file(_ name: String) throws -> String {
            let nginx = try Nginx.shared
            let name = "\(name)-\(size)"
            try nginx.addFile(name, bytes: [])
            #expect(truncate("\(nginx.documentRoot)/\(name)", off_t(size)) == 0)
            return name
        }
    }

    /// The additional memory that a large body may take: the pieces under way.
    private static let growthKiB = 4 << 10
    /// The limit of a debug build, which has 36 MiB of its own code and tables in memory.
    private static let limitKiB = 44 << 10

    /// Runs fetch with a small and a large body, and compares the memory of both.
    private func compare(_ run: (Body) async throws -> ProcessResult) async throws {
        var peaks: [Int] = []
        for body in Body.allCases {
            let result = try await run(body)
            #expect(result.status == 0, "\(result)")
            peaks.append(result.maxResidentKiB)
        }
        #expect((1..<Self.limitKiB).contains(peaks[0]), "\(peaks)")
        #expect(peaks[1] < peaks[0] + Self.growthKiB, "\(peaks)")
    }

    @Test("T-07 a download of 256 MiB to a file needs at most 4 MiB more memory than one of 1 MiB")
    func download() async throws {
        let nginx = try Nginx.shared
        try await compare { body in
            let url = try nginx.url("/files/" + body.file("memory-file"))
            let arguments = body.flags + ["-O", "out", url]
            let result = try await FetchProcess(arguments, timeLimit: .seconds(120))
                .measuringMemory().run()
            #expect(result.folder.size("out") == body.size)
            return result
        }
    }

    @Test("a buffered body of 256 MiB needs at most 4 MiB more memory than one of 1 MiB")
    func buffered() async throws {
        try await compare { body in
            let url = try Nginx.shared.url("/files/" + body.file("memory-buffered"))
            let result = try await FetchProcess(
                shell: #"exec "$FETCH" "$@" >body"#,
                body.flags + ["-q", "--hold", "-O", "-", url],
                timeLimit: .seconds(120)
            ).measuringMemory().run()
            #expect(result.folder.size("body") == body.size)
            return result
        }
    }

    @Test(
        "T-02 a body of 256 MiB to a slow reader needs at most 4 MiB more memory than one of 1 MiB",
        arguments: ["-O", "-d"]
    )
    func standardOutput(flag: String) async throws {
        let nginx = try Nginx.shared
        let arguments = flag == "-d" ? ["-X", "GET", "-d", "x"] : ["-O", "-"]
        try await compare { body in
            // The shell execs fetch, so the numbers are fetch's.
            let folder = try TemporaryFolder("memory")
            let url = try nginx.url("/files/" + body.file("memory-stdout\(flag)"))
            let result = try await FetchProcess(
                shell: #"""
                    mkfifo body
                    { dd bs=64k count=1 status=none; sleep 0.5; cat; } <body | wc -c >count &
                    url=$1; shift
                    exec "$FETCH" -T 30 "$@" "$url" >body
                    """#,
                [url] + arguments + body.flags,
                in: folder,
                timeLimit: .seconds(120)
            ).measuringMemory().run()
            #expect(await eventually { folder.readText("count") == "\(body.size)\n" })
            return result
        }
    }

    @Test("T-05 an upload of 256 MiB from a pipe needs at most 4 MiB more memory than one of 1 MiB")
    func uploadFromPipe() async throws {
        let nginx = try Nginx.shared
        try await compare { body in
            let result = try await FetchProcess(
                shell: #"""
                    mkfifo body
                    head -c "$2" /dev/zero >body &
                    url=$1; shift 2
                    exec "$FETCH" --upload-file - "$@" "$url" <body
                    """#,
                [nginx.url("/dav/memory-pipe"), "\(body.size)"] + body.flags,
                timeLimit: .seconds(120)
            ).measuringMemory().run()
            let stored = try await FetchProcess.run("-I", nginx.url("/files/dav/memory-pipe"))
            #expect(stored.stdoutText.contains("Content-Length: \(body.size)\r\n"))
            return result
        }
    }

    @Test(
        "T-04 an upload of 256 MiB from a file needs at most 4 MiB more memory than one of 1 MiB",
        arguments: ["--upload-file", "-F"]
    )
    func uploadFromFile(flag: String) async throws {
        let nginx = try Nginx.shared
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            var left = Int(head["Content-Length"] ?? "") ?? 0
            while left > 0 { left -= try connection.read(exactly: min(left, 1 << 16)).count }
            try connection.respond(body: "taken")
        }
        try await compare { body in
            let source = try nginx.documentRoot + "/" + body.file("memory-source\(flag)")
            let value = flag == "-F" ? "file=@\(source)" : source
            let arguments = body.flags + [flag, value, server.url("/x")]
            let result = try await FetchProcess(arguments, timeLimit: .seconds(120))
                .measuringMemory().run()
            #expect(result.stdoutText == "taken")
            return result
        }
    }

    /// Expects an idle process to use no processor time for 3 s.
    private func expectIdle(_ process: RunningProcess) async throws {
        let clock = ContinuousClock()
        let began = clock.now
        let before = try process.processorSeconds
        #expect(await eventually { clock.now - began > .seconds(3) })
        let seconds = try process.processorSeconds - before
        #expect(process.isRunning)
        #expect(seconds < 0.1)
    }

    @Test("waiting 3 s for the first byte takes less than 0.1 s of CPU")
    func waiting() async throws {
        let gate = Gate()
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try gate.wait()
            try connection.respond(body: "x")
        }
        let process = try FetchProcess(["-qO-", server.url("/slow")]).start()
        #expect(await eventually { server.requestCount == 1 })
        try await expectIdle(process)
        gate.open()
        #expect(try await process.wait().status == 0)
    }

    @Test("waiting 3 s for an idle pipe takes less than 0.1 s of CPU")
    func waitingForInput() async throws {
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            _ = try connection.readBody(head)
            try connection.respond()
        }
        let process = try FetchProcess(
            ["--upload-file", "-", server.url("/x")],
            input: .pipe
        ).start()
        #expect(await eventually { server.requestCount == 1 })
        try await expectIdle(process)
        process.closeInput()
        #expect(try await process.wait().status == 0)
    }
}
