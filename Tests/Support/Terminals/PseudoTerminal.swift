import CTestSupport
import Foundation
import Synchronization

/// A terminal without a window, for a process under test to run on: what it shows can be read, and
/// keys can be typed.
public final class PseudoTerminal: Sendable {
    private let pump: TerminalPump

    /// Opens one with a window of this size.
    public init(columns: Int = 80, rows: Int = 24) throws {
        pump = try TerminalPump(columns: columns, rows: rows)
    }

    deinit {
        pump.stop()
    }

    /// The path by which a process opens it.
    public var path: String { pump.path }

    /// What it shows now.
    public var screen: TerminalScreen { pump.state.withLock { $0.screen } }

    /// All bytes that have come so far.
    public var bytes: [UInt8] { pump.state.withLock { $0.bytes } }

    /// Types keys: `"\u{3}"` is Control-C, `"\u{4}"` Control-D, `"\u{1a}"` Control-Z.
    public func type(_ keys: String) throws {
        try pump.type(Array(keys.utf8))
    }

    /// From its return on the terminal takes nothing, as after Control-S.
    public func stopOutput() throws {
        try pump.flow(TCOOFF)
    }

    /// Lets what is written come again, as Control-Q does.
    public func startOutput() throws {
        try pump.flow(TCOON)
    }

    /// Gives the window another size, and notifies the process in the foreground with SIGWINCH.
    public func resize(columns: Int, rows: Int) throws {
        try pump.resize(columns: columns, rows: rows)
    }

    /// Waits until the screen is as wanted, and returns it.
    ///
    /// - Parameters:
    ///   - what: what is waited for, for the error.
    ///   - limit: how long to wait.
    ///   - condition: whether the screen is so.
    /// - Returns: the screen.
    /// - Throws: `TestSupportError.timedOut` with what was seen last.
    @discardableResult
    public func wait(
        for what: String,
        within limit: Duration = .seconds(20),
        _ condition: (TerminalScreen) -> Bool
    ) async throws -> TerminalScreen {
        var seen = screen
        let isSo = await eventually(within: limit) {
            seen = screen
            return condition(seen)
        }
        guard isSo else {
            throw TestSupportError.timedOut(what, seen: seen.text.joined(separator: "\n"))
        }
        return seen
    }
}
