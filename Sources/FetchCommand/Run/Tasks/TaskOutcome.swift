import Glibc
import URLLoading

/// How a task of the command ended, from its cause to the exit status.
enum TaskOutcome: Error, Equatable, Sendable {
    case success
    case notModified
    case alreadyComplete(path: String)
    indirect case kept(path: String, KeptFile)
    /// An error of the session, or of a local file.
    indirect case error(URLError)
    /// `--max-time` ran out; `nil`: of a background session, whose limit is unknown.
    indirect case timeLimit(Duration?)
    case status(Int)
    /// The command line forbids the response; the reason as text.
    case policy(String)
    /// The expected digest cannot be found, so nothing was fetched; the reason as text.
    indirect case unproven(String, ExitStatus)
    case interrupted(Interruption)
    /// The task did not end in time.
    case stuck

    /// The reader of standard output has closed it.
    static let outputClosed = interrupted(.signal(SIGPIPE))

    /// Whether the task kept the existing file.
    var isUnchanged: Bool {
        switch self {
        case .notModified, .alreadyComplete, .kept: true
        default: false
        }
    }

    var exitStatus: ExitStatus {
        switch self {
        case .success, .notModified, .alreadyComplete, .kept: .success
        case .error(let error): ExitStatus(error.code)
        case .timeLimit, .stuck: .timeLimit
        // The server requires a credential; there was none, or it refused the last one.
        case .status(401), .status(407): .authentication
        case .status: .serverError
        case .policy: .localPolicy
        case .unproven(_, let status): status
        case .interrupted: .failure
        }
    }

    /// The error message; `nil` if there is none.
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

enum Interruption: Sendable, Equatable {
    /// A signal requested the end of the process.
    case signal(Int32)
    /// Another task failed, with `--fail-early`.
    case failEarly
}

/// Why an existing file is kept, with `--no-clobber`; the text follows the file's name.
enum KeptFile: String, Sendable {
    /// It existed before the body was received.
    case found = "exists, not fetched"
    /// Another task of the run is fetching it.
    case inProgress = "is already being fetched"
    /// It was created during the download, whose body was discarded.
    case createdMeanwhile =
        "was created by another process and stays; the download is discarded"
}

extension URLError {
    /// The error for messages, without secrets and control characters.
    var words: String { Printable.text(code.redacted(description)) }

    /// The resume data with which a download can be continued; `nil`: none.
    var kept: ResumeData? { downloadTaskResumeData.flatMap { try? ResumeData($0) } }
}
