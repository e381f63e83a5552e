import Foundation
import Synchronization

/// A running process under test.
///
/// It ends with the test: at its time limit, or when the last reference goes.
public final class RunningProcess: Sendable {
    /// The process id, which is also its process group's id.
    public let processID: Int32
    private let pump: ProcessPump
    private let command: FetchProcess

    /// Starts a process and its pump.
    init(_ command: FetchProcess) throws {
        self.command = command
        pump = try ProcessPump(command)
        processID = pump.process
    }

    deinit {
        signalGroup(SIGKILL)
    }

    /// The bytes written to standard output so far.
    public var stdout: [UInt8] { pump.state.withLock { $0.stdout } }

    /// The text written to standard error so far, with invalid UTF-8 repaired.
    public var stderr: String {
        String(decoding: pump.state.withLock { $0.stderr }, as: UTF8.self)
    }

    /// Whether it has not ended yet.
    public var isRunning: Bool { pump.state.withLock { $0.waitStatus == nil } }

    /// The processor time so far, user and system, in seconds, without its children's.
    public var processorSeconds: Double {
        get throws {
            let stat = try String(contentsOfFile: "/proc/\(processID)/stat", encoding: .utf8)
            let fields = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].split(separator: " ")
            guard fields.count > 13, let user = Double(fields[12]), let system = Double(fields[13])
            else { throw TestSupportError.system(call: "/proc/\(processID)/stat", reason: stat) }
            return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
        }
    }

    /// The peak of its resident memory so far, in KiB; the result has no less.
    public var maxResidentKiB: Int {
        pump.state.withLock { state in
            state.maxResidentKiB = max(state.maxResidentKiB, pump.residentPeak())
            return state.maxResidentKiB
        }
    }

    /// Sends SIGINT to the process alone; nothing happens if it has ended.
    public func interrupt() {
        interrupt(SIGINT)
    }

    /// Sends a signal to the process alone; nothing happens if it has ended.
    public func interrupt(_ signal: Int32) {
        pump.state.withLock { state in
            if state.waitStatus == nil { _ = kill(processID, signal) }
        }
    }

    /// Sends a signal to the process and its children, as a terminal's Control-C does.
    public func signalGroup(_ signal: Int32) {
        pump.state.withLock { state in
            if state.waitStatus == nil { _ = kill(-processID, signal) }
        }
    }

    /// Writes to a `.pipe` input and waits until the pipe has taken all bytes.
    ///
    /// Throws `TestSupportError.peerClosed` when the pipe has lost its reader.
    public func write(_ bytes: [UInt8]) async throws {
        pump.state.withLock { $0.pendingInput += bytes }
        try await wait(for: "the process to read its input", within: command.timeLimit) { state in
            if state.isInputBroken { throw TestSupportError.peerClosed("standard input") }
            return state.pendingInput.isEmpty
        }
    }

    /// Writes a text to a `.pipe` input and waits until the pipe has taken all of it.
    public func write(_ text: String) async throws {
        try await write(Array(text.utf8))
    }

    /// Closes a `.pipe` input after the written bytes.
    public func closeInput() {
        pump.state.withLock { $0.isInputClosing = true }
    }

    /// Waits until standard error contains a text, and returns all of standard error so far.
    ///
    /// Throws `TestSupportError.timedOut` when the process ended without the text, or took too long.
    @discardableResult
    public func waitForStderr(
        _ text: String,
        within limit: Duration = .seconds(30)
    ) async throws -> String {
        try await wait(for: "\"\(text)\" on stderr", within: limit) { state in
            String(decoding: state.stderr, as: UTF8.self).contains(text)
        }
        return stderr
    }

    /// Waits until standard output has a minimum of bytes, and returns all of them so far.
    ///
    /// Throws `TestSupportError.timedOut` when the process ended before, or took too long.
    @discardableResult
    public func waitForStdout(
        bytes count: Int,
        within limit: Duration = .seconds(30)
    ) async throws -> [UInt8] {
        try await wait(for: "\(count) bytes on stdout", within: limit) { state in
            state.stdout.count >= count
        }
        return stdout
    }

    /// Waits until the process has ended and its output has been read.
    ///
    /// Throws `TestSupportError.timedOut` past its time limit.
    @discardableResult
    public func wait() async throws -> ProcessResult {
        while !pump.state.withLock({ $0.isFinished }) {
            try Task.checkCancellation()
            await pump.waitForEnd()
        }
        let state = pump.state.withLock { $0 }
        guard !state.isTimedOut else {
            throw TestSupportError.timedOut(
                "\(command.arguments) to end, \(command.timeLimit)",
                seen: String(decoding: state.stderr, as: UTF8.self)
            )
        }
        return state.result(folder: command.folder, home: command.home)
    }

    private func wait(
        for what: String,
        within limit: Duration,
        _ condition: (ProcessState) throws -> Bool
    ) async throws {
        var isOver = false
        _ = try await eventually(within: limit) {
            try pump.state.withLock { state in
                isOver = try condition(state)
                return isOver || state.isFinished
            }
        }
        guard isOver else { throw TestSupportError.timedOut(what, seen: stderr) }
    }
}
