import CTestSupport
import Foundation

/// What is known of a process under test; kept under the lock of its `ProcessPump`.
struct ProcessState {
    /// What has been read from its standard output.
    var stdout: [UInt8] = []
    /// What has been read from its standard error.
    var stderr: [UInt8] = []
    /// What its standard input is still to be given.
    var pendingInput: ArraySlice<UInt8> = []
    /// Whether standard input ends once `pendingInput` is written.
    var isInputClosing = false
    /// Whether standard input has no reader any more.
    var isInputBroken = false
    /// The status as `wait4` gave it, once the process has been waited for.
    var waitStatus: Int32?
    /// Processor time, user and system, in seconds.
    var cpuSeconds = 0.0
    /// From start to end, in seconds.
    var wallSeconds = 0.0
    /// The peak of its resident memory when last looked up, in KiB.
    var maxResidentKiB = 0
    /// Whether it was killed for its time limit.
    var isTimedOut = false
    /// Whether it has ended and all its output is here.
    var isFinished = false
    /// What waits for that.
    var waiting: [CheckedContinuation<Void, Never>] = []

    /// Notes the end of the process.
    mutating func end(status: Int32, usage: rusage, after elapsed: Duration) {
        waitStatus = status
        cpuSeconds = Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime)
        wallSeconds = elapsed / .seconds(1)
    }

    /// The result to hand out, once finished.
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
