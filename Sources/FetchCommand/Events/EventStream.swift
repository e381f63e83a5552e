import Dispatch
import Glibc
import Synchronization
import SystemPackage
import URLLoading

/// Writes lines to a descriptor whose reader may be slow, without blocking the caller.
///
/// One queue writes, so lines keep their order. Lines that are being written have left the buffer;
/// buffer and queue together hold at most twice the limit.
final class EventStream: Sendable {
    /// In bytes; half a MiB holds about 1,500 events.
    private static let limit = 512 << 10

    private struct State {
        var buffer: EventBuffer
        /// Whether the queue is writing, or has been scheduled to write.
        var isWriting = false
        /// How many delegate calls are being written.
        var taken = 0
        /// How many batches were written; increases as long as the reader reads.
        var writes = 0
        var failure: String?
        /// How many delegate calls were posted at or after the failure.
        var refused = 0
        /// Whether the reader was too slow, so that no caller waits for it any more.
        var isGivenUp = false
    }

    let form: EventForm
    var name: String { output.output.name }
    var isOnTerminal: Bool { output.output.isTerminal }
    var place: FilePlace? { output.output.place }
    private let output: EventOutput
    private let state: Mutex<State>
    private let queue = DispatchQueue(label: "fetch.events")

    init(_ output: OutputDescriptor, _ form: EventForm) {
        self.output = EventOutput(output)
        self.form = form
        state = Mutex(State(buffer: EventBuffer(form, limit: Self.limit)))
    }

    /// Posts a record, which may be merged or dropped if the reader is slow.
    func post(_ record: EventRecord) {
        let line = EventLine(record, form)
        let mustStart = state.withLock { state in
            guard state.failure == nil else {
                state.refused += line.calls
                return false
            }
            state.buffer.add(line)
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if mustStart { queue.async { self.writeAll() } }
    }

    /// Writes a record after all posted ones, even after errors.
    func write(_ record: () -> EventRecord) {
        queue.sync {
            writeAll()
            // The record is made only now, so that its time is not before theirs.
            _ = output.write(form.line(record()))
        }
    }

    /// Writes a record, and returns whether it was; the reader may read nothing for a time.
    func write(_ record: EventRecord, timeout: Duration) -> Bool {
        guard state.withLock({ !$0.isGivenUp }) else { return false }
        let isWritten = AsyncResult<Bool>()
        let done = DispatchSemaphore(value: 0)
        queue.async { [self] in
            writeAll()
            isWritten.set(output.write(form.line(record)).failure == nil)
            done.signal()
        }
        let isDone = wait(for: done, timeout: timeout)
        state.withLock { $0.isGivenUp = !isDone }
        return isDone && isWritten.value == true
    }

    /// Blocks until everything is written, or a time limit is reached; returns the lost events.
    ///
    /// `timeout` is how long the reader may read nothing, and `end` an absolute limit. Without a
    /// reason, the reader was too slow.
    func finish(
        timeout: Duration?,
        by end: MonotonicInstant? = nil
    ) -> (count: Int, reason: String?)? {
        let done = DispatchSemaphore(value: 0)
        queue.async { done.signal() }
        if state.withLock({ !$0.isGivenUp }) { _ = wait(for: done, timeout: timeout, by: end) }
        return state.withLock { state in
            let count = state.buffer.calls + state.taken + state.refused
            return count == 0 ? nil : (count, state.failure)
        }
    }

    /// Waits for the queue's signal, as long as batches are written; returns whether it came.
    private func wait(
        for done: DispatchSemaphore,
        timeout: Duration?,
        by end: MonotonicInstant? = nil
    ) -> Bool {
        var writes = -1
        while let now = state.withLock({ $0.writes == writes ? nil : $0.writes }) {
            writes = now
            let wait = [timeout, end.map { $0 - .now }].compactMap(\.self).min()
            let limit = wait.map { DispatchTime.now() + max(0, $0 / .seconds(1)) }
            if done.wait(timeout: limit ?? .distantFuture) == .success { return true }
            if let end, end <= .now { break }
        }
        return false
    }

    /// Writes the buffered lines; runs on the queue.
    private func writeAll() {
        while let lines = take() {
            var rest = lines[...]
            while !rest.isEmpty {
                var size = 0
                let batch = rest.prefix { line in
                    size += line.bytes.count
                    return size == line.bytes.count || size <= output.batch
                }
                rest = rest.dropFirst(batch.count)
                guard write(batch) else { return }
            }
        }
    }

    private func take() -> [EventLine]? {
        state.withLock { state in
            let lines = state.failure == nil ? state.buffer.takeAll() : []
            state.isWriting = !lines.isEmpty
            state.taken = lines.reduce(0) { $0 + $1.calls }
            return lines.isEmpty ? nil : lines
        }
    }

    private func write(_ batch: ArraySlice<EventLine>) -> Bool {
        let (written, failure) = output.write(batch.flatMap(\.bytes))
        var size = 0
        let whole = batch.prefix { line in
            size += line.bytes.count
            return size <= written
        }
        return state.withLock { state in
            state.taken -= whole.reduce(0) { $0 + $1.calls }
            state.writes += 1
            guard let failure else { return true }
            state.failure = (failure as? URLError)?.detail ?? "\(name): the reader has closed it"
            state.isWriting = false
            state.refused += state.taken + state.buffer.calls
            state.taken = 0
            _ = state.buffer.takeAll()
            return false
        }
    }
}

/// The output of lines; a write call has only whole lines, few enough to be atomic.
struct EventOutput: Sendable {
    let output: OutputDescriptor
    /// The maximum size of one write call, in bytes.
    let batch: Int
    private let isRegular: Bool

    init(_ output: OutputDescriptor) {
        self.output = output
        var status = stat()
        let isKnown = fstat(output.descriptor.rawValue, &status) == 0
        isRegular = isKnown && status.st_mode & S_IFMT == S_IFREG
        // pipe(7): such a write to a pipe is atomic. A write to a file always is.
        batch = isRegular ? 65_536 : Int(PIPE_BUF)
    }

    /// Writes whole lines, blocking while the reader is slow.
    ///
    /// - Returns: how many bytes of whole lines were written, and the error of
    ///   `OutputDescriptor.writeSome`. A partial line in a file is removed again.
    func write(_ lines: [UInt8]) -> (written: Int, failure: (any Error)?) {
        var written = 0
        do {
            try lines.withUnsafeBytes { lines in
                while written < lines.count {
                    let rest = UnsafeRawBufferPointer(rebasing: lines[written...])
                    written += try output.writeSome(rest)
                }
            }
            return (written, nil)
        } catch {
            let whole = lines[..<written].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
            truncate(by: written - whole)
            return (whole, error)
        }
    }

    /// Truncates the file by `count` bytes, unless another process has written since.
    private func truncate(by count: Int) {
        var status = stat()
        let descriptor = output.descriptor.rawValue
        guard count > 0, isRegular, fstat(descriptor, &status) == 0,
            lseek(descriptor, 0, SEEK_CUR) == status.st_size
        else { return }
        // If this fails, the last line remains incomplete, and a warning reports the loss.
        _ = ftruncate(descriptor, status.st_size - off_t(count))
    }
}
