import Glibc
import URLLoading

/// How a task of the command ended, from its cause to the exit status.
enum TaskOutcome: Error, Equatable, Sendable {
    case success
    /// The existing file is the server's.
    case notModified
    /// The existing file is complete.
    case alreadyComplete(path: String)
    /// An existing file is kept.
    case kept(path: String, KeptFile)
    /// A client-side error, or a file's.
    case error(URLError)
    /// `--max-time` ran out.
    case timeLimit(Duration)
    /// The server sent an error status.
    case status(Int)
    /// Something the command line forbids, in words.
    case policy(String)
    /// The expected digest cannot be found, in words, and nothing was fetched.
    case unproven(String, ExitStatus)
    /// The task was interrupted.
    case interrupted(Interruption)
    /// The task did not end in time.
    case stuck

    /// The reader of standard output has closed it.
    static let outputClosed = interrupted(.signal(SIGPIPE))

    /// Runs code that may throw a client-side error.
    static func catching<Value>(
        _ body: () throws(URLError) -> Value
    ) throws(TaskOutcome) -> Value {
        do throws(URLError) {
            return try body()
        } catch {
            throw .error(error)
        }
    }

    var exitStatus: ExitStatus {
        switch self {
        case .success, .notModified, .alreadyComplete, .kept: .success
        case .error(let error): ExitStatus(error.code)
        case .timeLimit, .stuck: .timeLimit
        // A credential is required; there was none, or the last was refused.
        case .status(401), .status(407): .authentication
        case .status: .serverError
        case .policy: .localPolicy
        case .unproven(_, let status): status
        case .interrupted: .failure
        }
    }

    /// The error in words; `nil` for a success.
    var words: String? {
        switch self {
        case .success, .notModified, .alreadyComplete, .kept, .interrupted: nil
        case .error(let error): error.code.redacted(error.localizedDescription)
        case .timeLimit, .stuck: "timed out: --max-time ran out"
        case .status(let status): HeadText.status(status)
        case .policy(let words), .unproven(let words, _): words
        }
    }
}

/// Why a task is interrupted.
enum Interruption: Sendable, Equatable {
    /// The process was asked to end.
    case signal(Int32)
    /// Another task has failed, with `--fail-early`.
    case failEarly
}

/// Why an existing file is kept, with `--no-clobber`.
enum KeptFile: Sendable {
    /// It existed before the body was read.
    case found
    /// Another task of the run is fetching it.
    case isUnderWay
    /// It was created during the download, whose body is discarded.
    case cameMeanwhile
}
