import Foundation

/// Why a test's server, process or certificate could not be had; never what the test is about.
public enum TestSupportError: Error, Equatable, CustomStringConvertible {
    /// A system call failed: which, and the system's words.
    case system(call: String, reason: String)
    /// A program the tests need is not installed.
    case missingProgram(String)
    /// A program the tests need failed: its name, and what it printed.
    case programFailed(String, output: String)
    /// A wait was longer than its limit: what was waited for, and what there was instead.
    case timedOut(String, seen: String)
    /// The other side of a connection ended it in the middle of something.
    case peerClosed(String)
    /// The other side of a connection sent what is not HTTP.
    case malformed(String)

    /// What happened and, where there is a remedy, which.
    public var description: String {
        switch self {
        case .system(let call, let reason):
            "\(call): \(reason)"
        case .missingProgram(let name):
            "\(name) is not installed: run Scripts/setup test"
        case .programFailed(let name, let output):
            "\(name) failed:\n\(output)"
        case .timedOut(let what, let seen):
            "timed out waiting for \(what); seen so far:\n\(seen)"
        case .peerClosed(let what):
            "the peer closed the connection in \(what)"
        case .malformed(let what):
            "not HTTP: \(what)"
        }
    }

    /// An error with the reason that `errno` holds, to be made right after the failed call.
    static func lastSystemError(_ call: String) -> Self {
        .systemError(call, code: errno)
    }

    /// An error with the reason of an `errno` value, for calls that return theirs.
    static func systemError(_ call: String, code: Int32) -> Self {
        .system(call: call, reason: String(cString: strerror(code)))
    }
}
