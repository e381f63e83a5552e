import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import FetchCommand

@Suite(.timeLimit(.minutes(1))) struct TerminalTests {
    private static let assumed = TerminalSize(columns: 77, rows: 7)

    /// Opens a terminal in the mode in which a shell passes it to its jobs.
    private static func open(_ terminal: PseudoTerminal) throws -> FileDescriptor {
        let options = FileDescriptor.OpenOptions(rawValue: O_NOCTTY | O_CLOEXEC)
        return try FileDescriptor.open(FilePath(terminal.path), .readWrite, options: options)
    }

    private static func terminal(_ shared: FileDescriptor, opens: Bool = true) throws -> Terminal {
        guard let terminal = Terminal(shared, assumedSize: assumed, opens: opens) else {
            throw Errno.ioError
        }
        return terminal
    }

    @Test func anotherDescriptorIsNoTerminal() throws {
        let file = try FileDescriptor.open("/dev/null", .readWrite)
        defer { try? file.close() }
        #expect(throws: Errno.ioError) {
            let terminal = try Self.terminal(file)
            return terminal.size.columns
        }
    }

    @Test func readsItsSizeAfterAChange() throws {
        let pseudo = try PseudoTerminal(columns: 33, rows: 11)
        let shared = try Self.open(pseudo)
        defer { try? shared.close() }
        let terminal = try Self.terminal(shared)
        var size = terminal.size
        #expect(size == TerminalSize(columns: 33, rows: 11))
        try pseudo.resize(columns: 44, rows: 12)
        size = terminal.size
        #expect(size == TerminalSize(columns: 44, rows: 12))
        try pseudo.resize(columns: 0, rows: 0)
        size = terminal.size
        #expect(size == Self.assumed)
    }

    @Test(
        "a stopped terminal does not delay the run, and receives all text in the end",
        arguments: [true, false]
    )
    func keepsWhatIsNotTaken(opens: Bool) async throws {
        let pseudo = try PseudoTerminal()
        let shared = try Self.open(pseudo)
        defer { try? shared.close() }
        var terminal = try Self.terminal(shared, opens: opens)
        try pseudo.stopOutput()
        var expected = ""
        for number in 1...20_000 {
            terminal.send("line \(number)\n")
            expected += "line \(number)\r\n"
        }
        let backlog = terminal.backlog
        #expect(backlog > 0)
        #expect(pseudo.bytes.isEmpty)
        try pseudo.startOutput()
        while !terminal.flush() { Terminal.takesMore(terminal.descriptor, within: 1_000) }
        let size = expected.utf8.count
        #expect(await eventually { pseudo.bytes.count >= size })
        let isSame = pseudo.bytes == Array(expected.utf8)
        #expect(isSame)
    }

    @Test("other users of the descriptor block as before")
    func leavesTheSharedDescriptorAlone() throws {
        let pseudo = try PseudoTerminal()
        let shared = try Self.open(pseudo)
        defer { try? shared.close() }
        let before = fcntl(shared.rawValue, F_GETFL)
        var terminal = try Self.terminal(shared)
        terminal.send("text")
        #expect(fcntl(shared.rawValue, F_GETFL) == before)
        let own = terminal.descriptor
        #expect(own != shared.rawValue)
    }

    @Test("a terminal that is not the process's controlling terminal counts as foreground")
    func foreground() throws {
        let pseudo = try PseudoTerminal()
        let shared = try Self.open(pseudo)
        defer { try? shared.close() }
        let terminal = try Self.terminal(shared)
        let isForeground = terminal.isForeground
        #expect(isForeground)
    }
}
