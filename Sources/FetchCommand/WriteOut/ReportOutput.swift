import Dispatch
import URLLoading

/// The outputs of `--write-out`, to which reports are written one after another.
///
/// The main thread also performs the transfers, so it never blocks on a reader. Only the task whose
/// report is written waits for a slow reader, and tasks with later reports wait for their turn.
@MainLoop
final class ReportOutput {
    private lazy var standardOutput = PromptOutput(.standardOutput)
    /// Writes files, which may be FIFOs without a reader.
    private let queue = DispatchQueue(label: "fetch.reports")
    private var isBusy = false
    private var waiting: [Waiter] = []

    nonisolated init() {}

    /// Waits until no other report is being written; the caller must call ``end()`` afterwards.
    ///
    /// - Returns: the signal that ended the wait, and the report with it; `nil`: none.
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

    func end() {
        isBusy = false
        for waiter in waiting { waiter.ring() }
    }

    /// Writes to standard output; returns the signal that ended the wait for its reader.
    ///
    /// Throws errors of ``OutputDescriptor/write(_:)``.
    func write(_ bytes: [UInt8], _ waiter: Waiter) async throws -> Interruption? {
        var rest = bytes[...]
        while true {
            rest = rest.dropFirst(try rest.withUnsafeBytes { try standardOutput.write($0) })
            guard !rest.isEmpty else { return nil }
            let isWritable = AsyncResult<Void>()
            MainLoop.shared.executor.whenWritable(standardOutput.descriptor) {
                [standardOutput] in
                // The descriptor must stay open until the callback.
                withExtendedLifetime(standardOutput) { isWritable.set(()) }
                waiter.ring()
            }
            if let why = await wait(waiter, for: { isWritable.value != nil }) { return why }
        }
    }

    /// Writes to a file, which is created if missing.
    ///
    /// Returns the signal that ended the wait for a FIFO's reader.
    func write(
        _ bytes: [UInt8],
        to path: String,
        appends: Bool,
        _ waiter: Waiter
    ) async throws -> Interruption? {
        let written = AsyncResult<Result<Void, any Error>>()
        queue.async {
            written.set(
                Result {
                    let file = try OutputDescriptor(creating: path, empties: !appends)
                    defer { file.close() }
                    try bytes.withUnsafeBytes { try file.write($0) }
                }
            )
            waiter.ring()
        }
        if let why = await wait(waiter, for: { written.value != nil }) { return why }
        try written.value?.get()
        return nil
    }

    /// Waits until a condition holds or a signal arrives; the failure of another task is ignored.
    private func wait(_ waiter: Waiter, for condition: () -> Bool) async -> Interruption? {
        while true {
            let wake = await waiter.wait(until: nil, for: condition)
            guard case .interruption(let why) = wake else { return nil }
            if case .signal = why { return why }
        }
    }
}
