import Foundation
import TestSupport
import Testing

/// Signals, background jobs and stopped terminals.
@Suite("Progress and job control", .timeLimit(.minutes(2)))
struct ProgressJobTests {
    @Test("Control-C leaves a clean screen")
    func interrupt() async throws {
        let server = try HalfwayServer()
        let terminal = try PseudoTerminal()
        let process = try FetchProcess([server.url("/stopped")], terminal: terminal).start()
        try await terminal.wait(for: "the bar", ProgressTerminalTests.isHalf)
        try terminal.type("\u{3}")
        let result = try await process.wait()
        #expect(result.signal == SIGINT)
        let screen = try await terminal.wait(for: "no bar") { !ProgressTerminalTests.isHalf($0) }
        #expect(screen.text == [])
        #expect(screen.cursor == (0, 0))
        #expect(result.folder.names() == [])
    }

    @Test("a background job draws nothing and is not stopped; in the foreground it draws")
    func background() async throws {
        let server = try HalfwayServer()
        let terminal = try PseudoTerminal()
        let process = try FetchProcess(
            shell: #"stty tostop; set -m; "$FETCH" "$1" & read -r line; fg %1 >fg"#,
            [server.url("/job")],
            terminal: terminal
        ).start()
        #expect(await eventually { server.server.requestCount == 1 })
        // The first bar of a foreground job would appear after 150 ms.
        let clock = ContinuousClock()
        let start = clock.now
        #expect(await eventually { clock.now - start > .milliseconds(600) })
        #expect(terminal.bytes == [])
        try terminal.type("\r")
        try await terminal.wait(for: "the bar", ProgressTerminalTests.isHalf)
        server.finish()
        #expect(try await process.wait().status == 0)
        try await terminal.wait(for: "the last line") {
            $0.text.last?.hasPrefix("job: 976.6 KiB in ") == true
        }
    }

    @Test("Control-Z stops the job; in the foreground again it draws at the current cursor")
    func stoppedJob() async throws {
        let server = try HalfwayServer()
        let terminal = try PseudoTerminal()
        let process = try FetchProcess(
            shell: #"set -m; "$FETCH" "$1"; echo; echo stopped; read -r line; fg >fg"#,
            [server.url("/job")],
            terminal: terminal
        ).start()
        try await terminal.wait(for: "the bar", ProgressTerminalTests.isHalf)
        try terminal.type("\u{1a}")
        try await terminal.wait(for: "the shell") { $0.text.contains("stopped") }
        let size = terminal.bytes.count
        server.finish()
        try terminal.type("\r")
        #expect(try await process.wait().status == 0)
        #expect(terminal.bytes.count > size)
        let screen = try await terminal.wait(for: "the last line") {
            $0.text.last?.hasPrefix("job: 976.6 KiB in ") == true
        }
        #expect(screen.text.contains("stopped"))
        #expect(screen.cursor.column == 0)
    }

    @Test(
        "a job that ends in the background prints nothing for a success, and one line for a failure"
    )
    func backgroundEnd() async throws {
        let nginx = try Nginx.shared
        let terminal = try PseudoTerminal()
        let process = try FetchProcess(
            shell: #"set -m; "$FETCH" "$1" & wait $!; "$FETCH" "$2" & wait $!; echo "status $?""#,
            [nginx.url("/files/hello.txt"), nginx.url("/status/404")],
            terminal: terminal
        ).start()
        let result = try await process.wait()
        let error = "fetch: \(nginx.url("/status/404")): 404 Not Found"
        try await terminal.wait(for: "the error") { $0.text == [error, "status 8"] }
        #expect(result.folder.names() == ["hello.txt"])
    }

    @Test("a background job prints warnings, and no notes")
    func backgroundNotes() async throws {
        let nginx = try Nginx.shared
        let terminal = try PseudoTerminal()
        let folder = try TemporaryFolder("background")
        try folder.writePart(Array("old".utf8), to: "file.part")
        let process = try FetchProcess(
            shell: #"set -m; "$FETCH" -k -O file "$1" & wait $!; echo "status $?""#,
            [nginx.url("/files/hello.txt")],
            in: folder,
            terminal: terminal
        ).start()
        _ = try await process.wait()
        let warning = "fetch: warning: --no-check-certificate: certificates are not verified"
        try await terminal.wait(for: "the end") { $0.text == [warning, "status 0"] }
        #expect(folder.readText("file") == "Hello, world!\n")
    }

    @Test(
        "a stopped terminal does not stop the transfer, and receives every line in the end",
        arguments: [[], ["-vv"]]
    )
    func stopped(arguments: [String]) async throws {
        let server = try HalfwayServer(size: 8_000_000)
        let terminal = try PseudoTerminal(columns: 120)
        let command = try FetchProcess(arguments + [server.url("/whole")], terminal: terminal)
        let folder = command.folder
        let process = try command.start()
        try await terminal.wait(for: "the bar", ProgressTerminalTests.isHalf)
        try terminal.stopOutput()
        server.finish()
        #expect(await eventually { folder.exists("whole") })
        #expect(process.isRunning)
        #expect(!terminal.screen.text.contains { $0.hasPrefix("whole: ") })
        try terminal.startOutput()
        #expect(try await process.wait().status == 0)
        let screen = try await terminal.wait(for: "the last line") {
            $0.text.contains { $0.hasPrefix("whole: 7.6 MiB in ") }
                && ($0.text.last?.hasSuffix("didBecomeInvalidWithError: nil") ?? false)
                    == (arguments == ["-vv"])
        }
        #expect(!screen.text.contains { $0.contains("50%") }, "\(screen.text)")
        #expect(screen.unknown == [])
        if arguments == ["-vv"] {
            #expect(screen.text.contains("* task 1 didCompleteWithError: nil"))
        }
    }

    @Test("SIGTERM ends the run on a stopped terminal too")
    func terminatedWhileStopped() async throws {
        let server = try HalfwayServer()
        let terminal = try PseudoTerminal()
        let process = try FetchProcess([server.url("/x")], terminal: terminal).start()
        try await terminal.wait(for: "the bar", ProgressTerminalTests.isHalf)
        try terminal.stopOutput()
        process.interrupt(SIGTERM)
        #expect(try await process.wait().signal == SIGTERM)
    }
}
