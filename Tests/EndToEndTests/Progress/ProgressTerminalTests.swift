import Foundation
import TestSupport
import Testing

/// Bars together with a terminal's signals, jobs, keys, and bodies.
@Suite("Progress and the terminal", .timeLimit(.minutes(2)))
struct ProgressTerminalTests {
    static func isHalf(_ screen: TerminalScreen) -> Bool {
        screen.text.last?.contains("50%") == true
    }

    @Test("fetch draws nothing while it writes a body to the same terminal")
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
