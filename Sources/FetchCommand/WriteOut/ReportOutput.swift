import Dispatch
import Synchronization
import URLLoading

/// Where `--write-out` writes: whole reports, one after another.
///
/// The main thread, which also moves the run's transfers, waits for no reader: the task whose report is
/// not taken does, and those with reports behind it.
@MainLoop
final class ReportOutput {
    private lazy var standardOutput = PromptOutput(.standardOutput)
    /// Writes to what may be a FIFO without a reader.
    private let queue = DispatchQueue(label: "fetch.reports")
    /// Whether a report is being written.
    private var isBusy = false
    private var waiting: [Waiter] = []

    nonisolated init() {}

    /// Waits until no other report is being written; ``end()`` must follow.
    ///
    /// - Returns: the signal that has ended the wait, and with it the report; `nil`: none.
    func begin(_ waiter: Waiter) async -> Interruption? {
        while isBusy {
            waiting.append(waiter)
            let why = await wait(waiter) { !isBusy }
            waiting.removeAll { $0 === waiter }
            if let why { return why }
        }
        isBusy = true
        return nil
    }

    /// The report is over.
    func end() {
        isBusy = false
        for waiter in waiting { waiter.ring() }
    }

    /// Writes to standard output.
    ///
    /// - Returns: the signal that has ended the wait for its reader; `nil`: none.
    /// - Throws: what ``OutputDescriptor/write(_:)`` does.
    func write(_ bytes: [UInt8], _ waiter: Waiter) async throws -> Interruption? {
        var rest = bytes[...]
        while true {
            rest = rest.dropFirst(try rest.withUnsafeBytes { try standardOutput.write($0) })
            guard !rest.isEmpty else { return nil }
            let isWritable = Latch()
            MainLoop.shared.executor.whenWritable(standardOutput.descriptor) {
                [standardOutput] in
                // Open until then.
                withExtendedLifetime(standardOutput) { isWritable.open(.success(())) }
                waiter.ring()
            }
            if let why = await wait(waiter, for: { isWritable.result != nil }) { return why }
        }
    }

    /// Writes to a file, which is made.
    ///
    /// - Returns: the signal that has ended the wait for a FIFO's reader; `nil`: none.
    /// - Throws: what opening and writing do.
    func write(
        _ bytes: [UInt8],
        to path: String,
        appends: Bool,
        _ waiter: Waiter
    ) async throws -> Interruption? {
        let written = Latch()
        queue.async {
            written.open(
                Result {
                    let file = try OutputDescriptor(
                        creating: path,
                        empties: !appends,
                        isPrivate: true
                    )
                    defer { file.close() }
                    try bytes.withUnsafeBytes { try file.write($0) }
                }
            )
            waiter.ring()
        }
        if let why = await wait(waiter, for: { written.result != nil }) { return why }
        try written.result?.get()
        return nil
    }

    /// Waits until something is so; that another task has failed does not end it.
    private func wait(_ waiter: Waiter, for isSo: () -> Bool) async -> Interruption? {
        while true {
            let wake = await waiter.wait(until: nil, for: isSo)
            guard case .interruption(let why) = wake else { return nil }
            if case .signal = why { return why }
        }
    }

    /// What has come of something on another thread.
    private final class Latch: Sendable {
        private let state = Mutex<Result<Void, any Error>?>(nil)

        var result: Result<Void, any Error>? { state.withLock { $0 } }

        func open(_ result: Result<Void, any Error>) {
            state.withLock { $0 = result }
        }
    }
}
