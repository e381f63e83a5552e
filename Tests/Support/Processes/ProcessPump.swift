import CTestSupport
import Foundation
import Synchronization

/// The thread of one process: it writes the input, reads the outputs and waits for the end.
///
/// It is a thread and not a task, since it blocks in `poll`. One loop serves all three descriptors: no
/// amount of output on one of them stops the others.
final class ProcessPump: Sendable {
    /// The process id.
    let process: pid_t
    /// The known state of the process.
    let state: Mutex<ProcessState>
    /// A moment before the process starts, so that its measured time is never too short.
    private let start: ContinuousClock.Instant

    /// Starts the process and the thread.
    init(_ command: FetchProcess) throws {
        let spawn = Spawn(
            executable: command.program,
            arguments: command.arguments,
            environment: command.completeEnvironment,
            directory: command.folder.path
        )
        start = .now
        if let terminal = command.terminal {
            process = try spawn.start(on: terminal.path)
            state = Mutex(ProcessState())
            Janitor.shared.killAtExit(process)
            launch(try ProcessChannels(of: process), command)
            return
        }

        var output = try Pipe()
        var error = try Pipe()
        guard let outputEnd = output.writing.take(), let errorEnd = error.writing.take() else {
            throw TestSupportError.systemError("pipe2", code: EBADF)
        }
        var initial = ProcessState()
        var input: Descriptor?
        var inputEnd: Descriptor?
        switch command.input {
        case .null: inputEnd = try Descriptor.open("/dev/null", O_RDONLY)
        case .file(let path): inputEnd = try Descriptor.open(path, O_RDONLY)
        case .closed: break
        case .bytes, .pipe:
            var pipe = try Pipe()
            inputEnd = pipe.reading.take()
            input = pipe.writing.take()
            if case .bytes(let bytes) = command.input {
                initial.pendingInput = bytes[...]
                initial.isInputClosing = true
            }
        }
        process = try spawn.start(input: inputEnd, output: outputEnd, error: errorEnd)
        state = Mutex(initial)
        Janitor.shared.killAtExit(process)
        let channels = try ProcessChannels(
            of: process,
            input: input.take(),
            output: output.reading.take(),
            error: error.reading.take()
        )
        launch(channels, command)
    }

    private func launch(_ channels: consuming ProcessChannels, _ command: FetchProcess) {
        let parcel = Mutex<ProcessChannels?>(channels)
        Thread.detachNewThread { [self] in
            guard var channels = parcel.withLock({ $0.take() }) else { return }
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGPIPE)
            pthread_sigmask(SIG_BLOCK, &signals, nil)
            run(&channels, command)
        }
    }

    /// Runs on the pump's thread until the process has ended and its output is read.
    private func run(_ channels: inout ProcessChannels, _ command: FetchProcess) {
        let limit = command.timeLimit.scaled
        // The time for which a grandchild may keep the output open after the process was killed.
        let grace = Duration.seconds(1)
        // What a test writes to a pipe waits for the next iteration.
        let mustHurry = if case .pipe = command.input { true } else { command.measuresMemory }
        let interval = Duration.milliseconds(mustHurry ? 10 : 100)
        while true {
            channels.exchange(with: state, atMost: interval)
            let elapsed = ContinuousClock.now - start
            let resident = command.measuresMemory ? residentPeak() : 0
            let (hasEnded, isTimedOut) = state.withLock { state in
                state.maxResidentKiB = max(state.maxResidentKiB, resident)
                return (reap(&state, after: elapsed), state.isTimedOut)
            }
            if hasEnded { channels.noteEnd() }
            if hasEnded, channels.hasNoOutput || elapsed > limit + grace { break }
            if elapsed > limit, !isTimedOut {
                state.withLock { $0.isTimedOut = true }
                kill(-process, SIGKILL)
            }
        }
        Janitor.shared.forget(process)
        state.withLock { $0.isFinished = true }
        resumeWaiting()
    }

    /// Waits until the process has ended and its output is read, or the caller's task is cancelled.
    func waitForEnd() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.isFinished || Task.isCancelled { return true }
                    state.waiting.append(continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            resumeWaiting()
        }
    }

    /// Resumes all waiting tasks, which then check the state again.
    private func resumeWaiting() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Waits for the process without blocking; under the lock, so that no signal reaches another process.
    private func reap(_ state: inout ProcessState, after elapsed: Duration) -> Bool {
        if state.waitStatus != nil { return true }
        var status: Int32 = 0
        var usage = rusage()
        guard wait4(process, &status, WNOHANG, &usage) == process else { return false }
        state.end(status: status, usage: usage, after: elapsed)
        return true
    }

    /// The peak of its resident memory so far, in KiB; 0 when the process is gone.
    func residentPeak() -> Int {
        resident_peak(process)
    }
}
