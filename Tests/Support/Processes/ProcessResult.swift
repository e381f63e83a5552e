/// How a process under test ended, and all it printed.
public struct ProcessResult: Sendable, CustomStringConvertible {
    /// The exit status, or `nil` if a signal ended it.
    public let status: Int32?
    /// The signal that ended it, or `nil` if it exited.
    public let signal: Int32?
    /// What it wrote to standard output.
    public let stdout: [UInt8]
    /// What it wrote to standard error, with invalid UTF-8 repaired.
    public let stderr: String
    /// From start to end, in seconds.
    public let wallSeconds: Double
    /// Processor time of it and of the children it waited for, user and system, in seconds.
    public let cpuSeconds: Double
    /// The most memory it had resident, in KiB, as last seen before it ended.
    ///
    /// Sampled every 10 ms after ``FetchProcess/measuringMemory()``, and 0 for any other run. The kernel's own
    /// value is of no use here: a spawned process inherits the test process's peak.
    public let maxResidentKiB: Int
    /// The folder it ran in.
    public let folder: TemporaryFolder
    /// The folder that was its `HOME`, with the XDG folders in it.
    public let home: TemporaryFolder

    /// Standard output as text, with invalid UTF-8 repaired.
    public var stdoutText: String { String(decoding: stdout, as: UTF8.self) }

    /// Standard error by lines, empty ones left out.
    public var stderrLines: [String] {
        stderr.split(whereSeparator: \.isNewline).map(String.init)
    }

    /// What the shell would say of it, for the message of a failed expectation.
    public var description: String {
        let end = signal.map { "signal \($0)" } ?? "status \(status ?? -1)"
        return "\(end), \(stdout.count) bytes on stdout, stderr:\n\(stderr)"
    }
}
