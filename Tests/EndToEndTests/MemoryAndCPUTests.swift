import Foundation
import TestSupport
import Testing

/// What it costs: bounded amounts, which do not grow with the body or with the wait.
@Suite("Memory and CPU", .timeLimit(.minutes(3)), .enabled(if: Sanitizer.isOff))
struct MemoryAndCPUTests {
    /// What is sent or received: little, or what would not fit.
    private enum Body: CaseIterable {
        case small
        case large

        var size: Int {
            switch self {
            case .small: 1 << 20
            case .large: 256 << 20
            }
        }

        /// What has a small one take long enough to be looked at meanwhile.
        var flags: [String] {
            switch self {
            case .small: ["--limit-rate", "400k"]
            case .large: []
            }
        }

        /// A file of that many zeros, made without writing them; its name.
        func file(_ name: String) throws -> String {
            let nginx = try Nginx.shared
            let name = "\(name)-\(size)"
            try nginx.addFile(name, bytes: [])
            #expect(truncate("\(nginx.documentRoot)/\(name)", off_t(size)) == 0)
            return name
        }
    }

    /// How much more memory a large body may take than a small one: the pieces that are on their way.
    private static let growthKiB = 4 << 10
    /// Of a debug build, which has 36 MiB of its own code and tables in memory.
    private static let limitKiB = 44 << 10

    /// Runs fetch with a small body and with a large one, and compares what memory they took.
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

    @Test("T-07 a download of 256 MiB to a file needs 4 MiB more memory than one of 1 MiB at most")
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

    @Test("nor does a body of 256 MiB that is buffered")
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

    @Test("T-02 nor does a body of 256 MiB to a slow reader", arguments: ["-O", "-d"])
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

    @Test("T-05 nor does an upload of 256 MiB from a pipe")
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
        "T-04 nor does an upload of 256 MiB from a file, or in a form",
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

    /// Expects a process that has nothing to do to do nothing for 3 s.
    private func expectIdle(_ process: RunningProcess) async throws {
        let clock = ContinuousClock()
        let began = clock.now
        let before = try process.processorSeconds
        #expect(await eventually { clock.now - began > .seconds(3) })
        let seconds = try process.processorSeconds - before
        #expect(process.isRunning)
        #expect(seconds < 0.1)
    }

    @Test("waiting 3 s for the first byte costs less than 0.1 s of CPU")
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

    @Test("nor does waiting for a pipe that has nothing to send")
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
