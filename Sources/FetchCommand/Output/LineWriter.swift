import Dispatch
import Synchronization

/// Writes lines to a descriptor whose reader may be slow, without blocking the main thread.
final class LineWriter: Sendable {
    static let standardError = LineWriter(.standardError)

    private struct State {
        var keeps = false
        var kept: [[UInt8]] = []
        /// The number of buffered bytes, which includes those that the queue is writing.
        var backlog = 0
        var isWriting = false
    }

    private let output: OutputDescriptor
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "fetch.lines")

    init(_ output: OutputDescriptor) { self.output = output }

    /// Whether lines that cannot be written at once are buffered.
    var isKeeping: Bool { state.withLock { $0.keeps } }

    /// The number of bytes that the reader has not accepted yet.
    var backlog: Int { state.withLock { $0.backlog } }

    /// From now on, lines that cannot be written at once are buffered.
    func keepsLines() { state.withLock { $0.keeps = true } }

    /// Writes whole lines, or appends them to the buffer.
    func write(_ bytes: [UInt8]) {
        let begins: Bool? = state.withLock { state in
            guard state.keeps, state.isWriting || !output.takes(bytes.count) else { return nil }
            state.kept.append(bytes)
            state.backlog += bytes.count
            defer { state.isWriting = true }
            return !state.isWriting
        }
        switch begins {
        // An error cannot be reported, because this is the stream for errors.
        case nil: try? bytes.withUnsafeBytes { try output.write($0) }
        case true?: queue.async { [self] in writeKept() }
        case false?: break
        }
    }

    /// Writes the last lines after a signal, without blocking for long.
    func writeLast(_ bytes: [UInt8], within timeout: Duration) {
        let isBehind = state.withLock { state in
            if state.isWriting {
                state.kept.append(bytes)
                state.backlog += bytes.count
            }
            return state.isWriting
        }
        if !isBehind { output.write(bytes, within: timeout) }
    }

    /// Blocks until the buffer is written, or for a time; from now on, every write blocks.
    func finish(within timeout: Duration?) {
        let isWriting = state.withLock { state in
            state.keeps = false
            return state.isWriting
        }
        guard isWriting else { return }
        let done = DispatchSemaphore(value: 0)
        queue.async { done.signal() }
        let limit = timeout.map { DispatchTime.now() + $0 / .seconds(1) }
        _ = done.wait(timeout: limit ?? .distantFuture)
    }

    private func writeKept() {
        while true {
            let lines = state.withLock { state in
                defer { state.kept = [] }
                state.isWriting = !state.kept.isEmpty
                return state.kept
            }
            guard !lines.isEmpty else { return }
            for line in lines {
                try? line.withUnsafeBytes { try output.write($0) }
                state.withLock { $0.backlog -= line.count }
            }
        }
    }
}
