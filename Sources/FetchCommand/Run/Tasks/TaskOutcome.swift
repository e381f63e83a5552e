import Glibc
import URLLoading

/// How a task of the command ended: the one value from where that is known to the exit status.
enum TaskOutcome: Error, Equatable, Sendable {
    /// All is well.
    case success
    /// What the caller has is what the server has.
    case notModified
    /// The file that is there has all that the server has.
    case alreadyComplete(path: String)
    /// A file has the name already, and stays.
    case kept(path: String, KeptFile)
    /// A client-side error, or one of the file's.
    case error(URLError)
    /// `--max-time` ran out.
    case timeLimit(Duration)
    /// The server answered with an error status.
    case status(Int)
    /// Something the command line forbids, in words.
    case policy(String)
    /// What the body has to come to cannot be found out, in words, and so nothing was fetched.
    case unproven(String, ExitStatus)
    /// It was ended before it was over.
    case interrupted(Interruption)
    /// It did not end when its time was over.
    case stuck

    /// The reader of standard output has gone: there is no more to say, and no reader to say it to.
    static let outputClosed = interrupted(.signal(SIGPIPE))

    /// Does what fails with a client-side error.
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
        // What is wanted is a credential, and there was none to try, or the last was refused.
        case .status(401), .status(407): .authentication
        case .status: .serverError
        case .policy: .localPolicy
        case .unproven(_, let status): status
        case .interrupted: .failure
        }
    }

    /// What went wrong, for people; `nil` where nothing did.
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

/// Why a task has to end though it is not over.
enum Interruption: Sendable, Equatable {
    /// The process was told to end.
    case signal(Int32)
    /// Another task has failed, with `--fail-early`.
    case failEarly
}

/// Why a file that has a body's name stays, as `--no-clobber` has it.
enum KeptFile: Sendable {
    /// It was there before anything of the body was read.
    case found
    /// Another task of the run is fetching it; that one says what comes of it.
    case isUnderWay
    /// It came to be while the body came, which is dropped.
    case cameMeanwhile
}
