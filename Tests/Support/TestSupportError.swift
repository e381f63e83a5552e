import Foundation

/// The reason why a test's server, process or certificate is missing; never the subject of a test.
public enum TestSupportError: Error, Equatable, CustomStringConvertible {
    /// A system call failed: its name, and the system's message.
    case system(call: String, reason: String)
    /// A program that the tests need is not installed.
    case missingProgram(String)
    /// A program that the tests need failed: its name, and its output.
    case programFailed(String, output: String)
    /// A wait exceeded its limit: the awaited event, and the state instead.
    case timedOut(String, seen: String)
    /// The other side of a connection closed it within a message.
    case peerClosed(String)
    /// The other side of a connection sent invalid HTTP.
    case malformed(String)

    /// The error and, where one exists, the remedy.
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

    /// An error with the reason in `errno`, to be made right after the failed call.
    static func lastSystemError(_ call: String) -> Self {
        .systemError(call, code: errno)
    }

    /// An error with the reason of an `errno` value, for calls that return theirs.
    static func systemError(_ call: String, code: Int32) -> Self {
        .system(call: call, reason: String(cString: strerror(code)))
    }
}
