import Foundation
import TestSupport
import Testing

/// Lists of URLs from files, pipes and standard input.
@Suite("Lists of URLs", .timeLimit(.minutes(1)))
struct URLListTests {
    private var nginx: Nginx { get throws { try Nginx.shared } }

    @Test("a list has comments and empty lines, and its URLs follow those of the command line")
    func list() async throws {
        let nginx = try nginx
        let folder = try TemporaryFolder("many")
        let lines = ["# a list", "", "  " + nginx.url("/files/hello.txt") + "\r", "\t"]
        try folder.write(lines.joined(separator: "\n"), to: "list")
        let result = try await FetchProcess.run(
            "-i",
            "list",
            "-O-",
            "--write-out",
            "%{urlnum} %{url}\\n",
            "-q",
            nginx.url("/echo/many"),
            in: folder
        )
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText.hasSuffix("Hello, world!\n1 \(nginx.url("/files/hello.txt"))\n"))
        #expect(result.stdoutText.contains("0 \(nginx.url("/echo/many"))\n"))
    }

    @Test("an invalid line is an error of its own with its number, and the other URLs are fetched")
    func invalidLines() async throws {
        let nginx = try nginx
        let folder = try TemporaryFolder("many")
        try folder.write("ht!tp://x\n\(nginx.url("/files/hello.txt"))\nfoo://x/\n", to: "list")
        let result = try await FetchProcess.run("-q", "-i", "list", in: folder)
        #expect(result.status == 2, "\(result)")
        #expect(folder.readText("hello.txt") == "Hello, world!\n")
        let errors = result.stderrLines.filter { $0.hasPrefix("fetch: list:") }
        #expect(errors.count == 2, "\(result)")
        #expect(errors.first?.hasPrefix("fetch: list:1: ") == true)
        #expect(errors.last?.hasPrefix("fetch: list:3: ") == true)
    }

    @Test("a list may not name local files unless a flag permits it", arguments: ["list", "-"])
    func files(list: String) async throws {
        let folder = try TemporaryFolder("many")
        try folder.write("secret", to: "own")
        let path = folder.path("own")
        let ways = ["file://\(path)", "FILE:\(path)", "file://localhost\(path)"]
        let text = (ways + [try nginx.url("/files/hello.txt")]).joined(separator: "\n") + "\n"
        try folder.write(text, to: "list")
        func run(_ flags: String...) async throws -> ProcessResult {
            try await FetchProcess(
                shell: #"exec "$FETCH" -q -O- -j1 "$@" <list"#,
                flags + ["-i", list],
                in: folder
            ).run()
        }
        let result = try await run()
        #expect(result.status == 11, "\(result)")
        #expect(result.stdoutText == "Hello, world!\n")
        let refusals = result.stderrLines.filter { $0.contains("file: URLs in a list are refused") }
        #expect(refusals.count == 3, "\(result)")
        #expect(result.stderr.contains("--allow-file-urls"))
        let allowed = try await run("--allow-file-urls")
        #expect(allowed.status == 0, "\(allowed)")
        #expect(allowed.stdoutText == "secretsecretsecretHello, world!\n")
        // A file URL on the command line is the user's own choice.
        let own = try await FetchProcess(["-qO-", ways[0]]).run()
        #expect(own.stdoutText == "secret", "\(own)")
    }

    @Test("a missing list is an error before fetch sends anything")
    func missing() async throws {
        let server = try SocketServer { _ in }
        let result = try await FetchProcess.run("-i", "none", server.url())
        #expect(result.status == 3, "\(result)")
        #expect(result.stderr.contains("--input-file none: "), "\(result)")
        #expect(!server.wasCalled)
    }

    @Test("fetch downloads a pipe's URLs as they arrive")
    func pipe() async throws {
        let server = try ManyURLsTests.server(Gate())
        let process = try FetchProcess(["-q", "-i", "-", "-O-"], input: .pipe).start()
        try await process.write(server.url("/1") + "\n")
        try await process.waitForStdout(bytes: 4)
        try await process.write(server.url("/2"))
        process.closeInput()
        let result = try await process.wait()
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText == "[/1][/2]")
    }

    @Test("a signal ends the wait for a pipe's next URL")
    func signalWhileReading() async throws {
        let server = try ManyURLsTests.server(Gate())
        let process = try FetchProcess(["-q", "-i", "-", "-O-"], input: .pipe).start()
        try await process.write(server.url("/1") + "\n")
        try await process.waitForStdout(bytes: 4)
        process.interrupt()
        #expect(try await process.wait().signal == SIGINT)
    }

    @Test("a signal ends the reading of a list that never ends", arguments: [SIGINT, SIGTERM])
    func endless(signal: CInt) async throws {
        let process = try FetchProcess(["-i", "/dev/zero"]).start()
        try await process.waitForStderr("has more than 65536 bytes")
        process.interrupt(signal)
        #expect(try await process.wait().signal == signal)
    }

    @Test(
        "one file cannot take several bodies, and standard input cannot be both list and body",
        arguments: [
            ["-O", "file", "-i", "list"], ["-i", "-", "--upload-file", "-", "http://127.0.0.1/"],
            ["-c", "-i"], ["-j", "0", "127.0.0.1"],
        ]
    )
    func usage(arguments: [String]) async throws {
        let result = try await FetchProcess(arguments).run()
        #expect(result.status == 2, "\(result)")
    }

    @Test("--dry-run reads the list as well")
    func dryRun() async throws {
        let result = try await FetchProcess.run(
            "--dry-run",
            "-i",
            "-",
            "-O-",
            input: .text("127.0.0.1/a\nfoo://\n127.0.0.1/b\n")
        )
        #expect(result.status == 2, "\(result)")
        #expect(result.stdoutText.contains("GET http://127.0.0.1/a\n"))
        #expect(result.stdoutText.contains("GET http://127.0.0.1/b\n"))
        #expect(result.stderr.hasPrefix("fetch: standard input:2: "))
    }

    @Test(
        "ten thousand URLs of a list take no more memory than a hundred",
        .enabled(if: Sanitizer.isOff)
    )
    func memory() async throws {
        let nginx = try nginx
        var peaks: [Int] = []
        for count in [100, 10_000] {
            let folder = try TemporaryFolder("many")
            let gate = Gate()
            let server = try ManyURLsTests.server(gate)
            let line = nginx.url("/status/204") + "\n"
            let lines = String(repeating: line, count: count) + server.url("/gated") + "\n"
            try folder.write(lines, to: "list")
            let process = try FetchProcess(
                ["-q", "-j8", "-i", "list", "-O", "/dev/null"],
                in: folder,
                timeLimit: .seconds(50)
            ).start()
            // The last request keeps the process alive for the measurement.
            #expect(await eventually(within: .seconds(50)) { server.requestCount == 1 })
            peaks.append(process.maxResidentKiB)
            gate.open()
            let result = try await process.wait()
            #expect(result.status == 0, "\(result)")
        }
        #expect(peaks[0] > 0 && peaks[1] < peaks[0] + 8_192, "\(peaks)")
    }
}
