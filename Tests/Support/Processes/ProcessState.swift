import CTestSupport
import Foundation

/// The state of a process under test; the lock of its `ProcessPump` protects it.
struct ProcessState {
    /// The bytes read from its standard output.
    var stdout: [UInt8] = []
    /// The bytes read from its standard error.
    var stderr: [UInt8] = []
    /// The bytes not yet written to its standard input.
    var pendingInput: ArraySlice<UInt8> = []
    /// Whether standard input ends once `pendingInput` is written.
    var isInputClosing = false
    /// Whether standard input has lost its reader.
    var isInputBroken = false
    /// The status from `wait4`, once the process has been waited for.
    var waitStatus: Int32?
    /// Processor time, user and system, in seconds.
    var cpuSeconds = 0.0
    /// The time from start to end, in seconds.
    var wallSeconds = 0.0
    /// The peak of its resident memory at the last sample, in KiB.
    var maxResidentKiB = 0
    /// Whether it was killed at its time limit.
    var isTimedOut = false
    /// Whether it has ended and all its output is read.
    var isFinished = false
    /// The tasks that wait for that.
    var waiting: [CheckedContinuation<Void, Never>] = []

    /// Notes the end of the process.
    mutating func end(status: Int32, usage: rusage, after elapsed: Duration) {
        waitStatus = status
        cpuSeconds = Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime)
        wallSeconds = elapsed / .seconds(1)
    }

    /// The result, once finished.
    func result(folder: TemporaryFolder, home: TemporaryFolder) -> ProcessResult {
        let status = waitStatus ?? 0
        let hasExited = wait_exited(status) != 0
        return ProcessResult(
            status: hasExited ? wait_exit_status(status) : nil,
            signal: hasExited ? nil : wait_signal(status),
            stdout: stdout,
            stderr: String(decoding: stderr, as: UTF8.self),
            wallSeconds: wallSeconds,
            cpuSeconds: cpuSeconds,
            maxResidentKiB: maxResidentKiB,
            folder: folder,
            home: home
        )
    }

    private static func seconds(_ time: timeval) -> Double {
        Double(time.tv_sec) + Double(time.tv_usec) / 1e6
    }
}
