import CTestSupport
import Foundation
import Synchronization

/// A pseudo-terminal without a window, on which a process under test runs.
///
/// A test can read its screen and type keys.
public final class PseudoTerminal: Sendable {
    private let pump: TerminalPump

    /// Opens a terminal with a window of this size.
    public init(columns: Int = 80, rows: Int = 24) throws {
        pump = try TerminalPump(columns: columns, rows: rows)
    }

    deinit {
        pump.stop()
    }

    /// The path by which a process opens it.
    public var path: String { pump.path }

    /// The current screen.
    public var screen: TerminalScreen { pump.state.withLock { $0.screen } }

    /// All bytes received so far.
    public var bytes: [UInt8] { pump.state.withLock { $0.bytes } }

    /// Types keys: `"\u{3}"` is Control-C, `"\u{4}"` Control-D, `"\u{1a}"` Control-Z.
    public func type(_ keys: String) throws {
        try pump.type(Array(keys.utf8))
    }

    /// Stops the terminal's output, as Control-S does; after the return the terminal takes nothing.
    public func stopOutput() throws {
        try pump.flow(TCOOFF)
    }

    /// Restarts the terminal's output, as Control-Q does.
    public func startOutput() throws {
        try pump.flow(TCOON)
    }

    /// Gives the window another size, and notifies the process in the foreground with SIGWINCH.
    public func resize(columns: Int, rows: Int) throws {
        try pump.resize(columns: columns, rows: rows)
    }

    /// Waits until the screen satisfies a condition, and returns it.
    ///
    /// - Parameters:
    ///   - what: The awaited event, for the error.
    ///   - limit: The time limit.
    ///   - condition: The condition.
    /// - Returns: The screen.
    /// - Throws: `TestSupportError.timedOut` with the last screen.
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
