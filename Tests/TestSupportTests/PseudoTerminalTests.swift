import Foundation
import TestSupport
import Testing

@Suite
struct PseudoTerminalTests {
    private static func shell(
        _ script: String,
        on terminal: PseudoTerminal
    ) throws -> RunningProcess {
        try FetchProcess(shell: script, terminal: terminal).start()
    }

    @Test
    func allThreeAreTheTerminal() async throws {
        let terminal = try PseudoTerminal(columns: 50, rows: 7)
        let process = try Self.shell(
            "for n in 0 1 2; do test -t $n && echo $n; done; stty size; echo error >&2",
            on: terminal
        )
        #expect(try await process.wait().status == 0)
        try await terminal.wait(for: "all output") {
            $0.text == ["0", "1", "2", "7 50", "error"]
        }
        #expect(terminal.bytes == Array("0\r\n1\r\n2\r\n7 50\r\nerror\r\n".utf8))
    }

    @Test
    func keysReachTheProcess() async throws {
        let terminal = try PseudoTerminal()
        let process = try Self.shell("read -r line; echo got $line", on: terminal)
        try terminal.type("word\r")
        #expect(try await process.wait().status == 0)
        try await terminal.wait(for: "the reply") { $0.text == ["word", "got word"] }
    }

    @Test
    func controlCInterrupts() async throws {
        let terminal = try PseudoTerminal()
        let process = try Self.shell("echo ready; exec sleep 100", on: terminal)
        try await terminal.wait(for: "ready") { $0.text == ["ready"] }
        try terminal.type("\u{3}")
        #expect(try await process.wait().signal == SIGINT)
    }

    @Test
    func takesNothingWhileStopped() async throws {
        let terminal = try PseudoTerminal()
        try terminal.stopOutput()
        let command = try FetchProcess(
            shell: "echo >started; echo text; echo >done",
            terminal: terminal
        )
        let folder = command.folder
        let process = try command.start()
        #expect(await eventually { folder.exists("started") })
        #expect(terminal.screen.text == [])
        #expect(!folder.exists("done"))
        try terminal.startOutput()
        #expect(try await process.wait().status == 0)
        try await terminal.wait(for: "text") { $0.text == ["text"] }
    }

    @Test
    func reportsAnotherSize() async throws {
        let terminal = try PseudoTerminal(columns: 30, rows: 10)
        let process = try Self.shell(
            "trap 'stty size; exit' WINCH; echo ready; while :; do sleep 0.01; done",
            on: terminal
        )
        try await terminal.wait(for: "ready") { $0.text == ["ready"] }
        try terminal.resize(columns: 20, rows: 5)
        #expect(try await process.wait().status == 0)
        try await terminal.wait(for: "the size") { $0.text == ["ready", "5 20"] }
    }
}
