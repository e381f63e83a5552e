/// The end of a process under test, and all its output.
public struct ProcessResult: Sendable, CustomStringConvertible {
    /// The exit status, or `nil` if a signal ended it.
    public let status: Int32?
    /// The signal that ended it, or `nil` if it exited.
    public let signal: Int32?
    /// The bytes that it wrote to standard output.
    public let stdout: [UInt8]
    /// The text that it wrote to standard error, with invalid UTF-8 repaired.
    public let stderr: String
    /// The time from start to end, in seconds.
    public let wallSeconds: Double
    /// Processor time of the process and of the children it waited for, user and system, in seconds.
    public let cpuSeconds: Double
    /// The peak of its resident memory, in KiB, at the last sample before its end.
    ///
    /// Sampled at least every 10 ms, so 0 for a process with a shorter life. The kernel's own value is
    /// unusable here: a spawned process inherits the test process's peak.
    public let maxResidentKiB: Int
    /// The folder it ran in.
    public let folder: TemporaryFolder
    /// The folder that was its `HOME`, including the XDG folders.
    public let home: TemporaryFolder

    /// Standard output as text, with invalid UTF-8 repaired.
    public var stdoutText: String { String(decoding: stdout, as: UTF8.self) }

    /// The non-empty lines of standard error.
    public var stderrLines: [String] {
        stderr.split(whereSeparator: \.isNewline).map(String.init)
    }

    /// A shell's description of the end, for the message of a failed expectation.
    public var description: String {
        let end = signal.map { "signal \($0)" } ?? "status \(status ?? -1)"
        return "\(end), \(stdout.count) bytes on stdout, stderr:\n\(stderr)"
    }
}
