import Foundation
import TestSupport
import Testing

/// Bars together with a terminal's signals, jobs, keys, and bodies.
@Suite("Progress and the terminal", .timeLimit(.minutes(2)))
struct ProgressTerminalTests {
    private static func isHalf(_ screen: TerminalScreen) -> Bool {
        screen.text.last?.contains("50%") == true
    }

    @Test("Control-C leaves a clean screen")
    func interrupt() async throws {
        let server = try HalfwayServer()
        let terminal = try PseudoTerminal()
        let process = try FetchProcess([server.url("/stopped")], terminal: terminal).start()
        try await terminal.wait(for: "the bar", Self.isHalf)
        try terminal.type("\u{3}")
        let result = try await process.wait()
        #expect(result.signal == SIGINT)
        let screen = try await terminal.wait(for: "no bar") { !Self.isHalf($0) }
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
        try await terminal.wait(for: "the bar", Self.isHalf)
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
        try await terminal.wait(for: "the bar", Self.isHalf)
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
        try await terminal.wait(for: "the bar", Self.isHalf)
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
        try await terminal.wait(for: "the bar", Self.isHalf)
        try terminal.stopOutput()
        process.interrupt(SIGTERM)
        #expect(try await process.wait().signal == SIGTERM)
    }

    @Test("while a body is written to the same terminal, fetch draws nothing")
    func bodyOnTerminal() async throws {
        let server = try HalfwayServer(size: 20)
        let terminal = try PseudoTerminal()
        let process = try FetchProcess(["-O", "-", server.url()], terminal: terminal).start()
        try await terminal.wait(for: "half the body") { $0.text == ["aaaaaaaaaa"] }
        server.finish()
        #expect(try await process.wait().status == 0)
        try await terminal.wait(for: "the body") { $0.text == ["aaaaaaaaaabbbbbbbbbb"] }
        #expect(!terminal.bytes.contains(0x1B))
    }

    @Test("-vv lines and body pieces on one terminal keep their order, and are not split")
    func eventsAndBody() async throws {
        let line = String(repeating: "x", count: 99) + "\n"
        let body = String(repeating: line, count: 20_000)
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond(body: body)
        }
        let terminal = try PseudoTerminal(columns: 200, rows: 24)
        let process = try FetchProcess(["-vv", "-O", "-", server.url()], terminal: terminal).start()
        #expect(try await process.wait().status == 0)
        try await terminal.wait(for: "the last line") {
            $0.text.last == "* session didBecomeInvalidWithError: nil"
        }
        let output = String(decoding: terminal.bytes, as: UTF8.self)
        #expect(output.contains("\n* task 1 didReceiveResponse: HTTP/1.1 200 OK\r\n"))
        let events = output.matches(of: /\* task 1 did[A-Za-z]+: [^x\r\n]+\r\n/).count
        #expect(events >= 4)
        #expect(events == output.matches(of: /\* task 1/).count)
    }

    @Test("a body redirected elsewhere has a bar")
    func bodyElsewhere() async throws {
        let server = try HalfwayServer()
        let terminal = try PseudoTerminal()
        let process = try FetchProcess(
            shell: #""$FETCH" -O - "$1" | cat >body"#,
            [server.url("/body")],
            terminal: terminal
        ).start()
        try await terminal.wait(for: "the bar", Self.isHalf)
        server.finish()
        let result = try await process.wait()
        #expect(result.folder.size("body") == 1_000_000)
        try await terminal.wait(for: "the last line") {
            $0.text.count == 1 && $0.text[0].hasPrefix("\(server.url("/body")): 976.6 KiB in ")
        }
    }

    @Test("an upload has a bar while it is sent, and then its response is printed")
    func upload() async throws {
        let gate = Gate()
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            try gate.wait()
            _ = try connection.readBody(head)
            try connection.respond(body: "stored")
        }
        let folder = try TemporaryFolder("upload")
        try folder.writePseudoRandom(size: 40_000_000, to: "big.bin")
        let terminal = try PseudoTerminal()
        let process = try FetchProcess(
            ["--upload-file", "big.bin", server.url("/put")],
            in: folder,
            terminal: terminal
        ).start()
        try await terminal.wait(for: "the bar") { screen in
            screen.text.count == 1
                && screen.text[0].firstMatch(of: /\/put +\d+% \[/) != nil
        }
        gate.open()
        #expect(try await process.wait().status == 0)
        let screen = try await terminal.wait(for: "the response") { $0.text == ["stored"] }
        #expect(screen.unknown == [])
    }

    @Test("the bar of an upload without a printed response becomes a line")
    func uploadLine() async throws {
        let gate = Gate()
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            try gate.wait()
            _ = try connection.readBody(head)
            try connection.respond(body: "stored")
        }
        let folder = try TemporaryFolder("upload")
        try folder.writePseudoRandom(size: 40_000_000, to: "big.bin")
        let terminal = try PseudoTerminal()
        let process = try FetchProcess(
            shell: #"exec "$FETCH" --upload-file big.bin "$1" >response"#,
            [server.url("/put")],
            in: folder,
            terminal: terminal
        ).start()
        try await terminal.wait(for: "the bar") { $0.text.first?.contains("% [") == true }
        gate.open()
        #expect(try await process.wait().status == 0)
        try await terminal.wait(for: "the line") {
            $0.text.count == 1 && $0.text[0].hasPrefix("\(server.url("/put")): sent 38.1 MiB in ")
        }
        #expect(folder.readText("response") == "stored")
    }

    @Test("fetch does not draw over a typed body")
    func typed() async throws {
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            try connection.respond(body: String(decoding: connection.readBody(head), as: UTF8.self))
        }
        let terminal = try PseudoTerminal()
        let process = try FetchProcess(
            ["--upload-file", "-", "-O", "response", server.url("/x")],
            terminal: terminal
        ).start()
        #expect(await eventually { server.requestCount == 1 })
        try terminal.type("typed\r")
        try await terminal.wait(for: "the echo") { $0.text == ["typed"] }
        let clock = ContinuousClock()
        let start = clock.now
        #expect(await eventually { clock.now - start > .milliseconds(400) })
        try terminal.type("\u{4}")
        let result = try await process.wait()
        #expect(result.status == 0)
        #expect(result.folder.readText("response") == "typed\n")
        #expect(!terminal.bytes.contains(0x1B))
    }

    @Test(
        "--progress, or a terminal without cursor control, gives lines",
        arguments: [
            (["--progress", "lines"], "xterm"), ([], "dumb"), (["--progress=bar"], "dumb"),
            (["--events-file", "/dev/tty"], "xterm"),
        ]
    )
    func lines(arguments: [String], term: String) async throws {
        let server = try HalfwayServer()
        let terminal = try PseudoTerminal(columns: 200)
        let process = try FetchProcess(
            arguments + [server.url("/file")],
            environment: ["TERM": term],
            terminal: terminal
        ).start()
        try await terminal.wait(for: "the first line") {
            $0.text.contains("\(server.url("/file")) -> file (976.6 KiB)")
        }
        server.finish()
        #expect(try await process.wait().status == 0)
        try await terminal.wait(for: "the last line") {
            $0.text.contains { $0.hasPrefix("file: 976.6 KiB in ") }
        }
        #expect(!terminal.bytes.contains(0x1B))
        let note = terminal.screen.text.first?.hasPrefix("fetch: warning: --progress bar: ") == true
        #expect(note == (arguments == ["--progress=bar"]))
    }

    @Test("--progress none prints no progress", arguments: ["--progress=none", "-s", "-q", "-nv"])
    func none(flag: String) async throws {
        let server = try HalfwayServer()
        let terminal = try PseudoTerminal()
        let process = try FetchProcess([flag, server.url("/file")], terminal: terminal).start()
        #expect(await eventually { server.server.requestCount == 1 })
        let clock = ContinuousClock()
        let start = clock.now
        #expect(await eventually { clock.now - start > .milliseconds(400) })
        server.finish()
        #expect(try await process.wait().status == 0)
        // With -s, as in curl's lines, one line names the file.
        let lines = ["-nv", "-s"].contains(flag) ? 1 : 0
        try await terminal.wait(for: "the last line") { $0.text.count == lines }
        #expect(!terminal.bytes.contains(0x1B))
    }
}
