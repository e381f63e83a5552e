import FoundationEssentials

/// The reason why a background session cannot be used.
package enum BackgroundError: Error, Sendable, Hashable {
    /// The identifier is invalid, for this reason.
    case identifier(String)
    /// The environment names neither a folder for state nor a home.
    case noFolder
    /// The session's files cannot be used.
    case file(PrivateFileError)
    /// The session's journal cannot be used.
    case journal(JournalError)
    /// Another program is attached; its process, if known.
    case inUse(process: Int32?)
    /// The transfer process is of a build with another version of the protocol.
    case protocolVersion(process: Int32?, version: Int)
    /// The transfer process cannot be reached, or was lost, for this reason.
    case disconnected(String)
    /// The transfer process cannot be started, for this reason.
    case executable(String)
    /// The request cannot be carried out, for this reason.
    case refused(String)
    /// The error that the transfer process has reported.
    case reported(URLError)
}

extension BackgroundError {
    /// The error as a program sees it.
    package var urlError: URLError {
        let code: URLError.Code =
            switch self {
            case .reported(let error): error.code
            case .identifier, .refused: .resourceUnavailable
            case .noFolder: .backgroundSessionRequiresSharedContainer
            case .inUse: .backgroundSessionInUseByAnotherProcess
            case .protocolVersion, .disconnected, .executable: .backgroundSessionWasDisconnected
            case .file(let error): Self.code(of: error)
            case .journal(.file(let error)): Self.code(of: error)
            case .journal(.full): .cannotWriteToFile
            case .journal: .cannotOpenFile
            }
        if case .reported(let error) = self { return error }
        return URLError(code, detail: description)
    }

    private static func code(of error: PrivateFileError) -> URLError.Code {
        switch error {
        case .failed: .cannotWriteToFile
        case .unsafe, .malformed, .busy: .cannotOpenFile
        }
    }
}

extension BackgroundError: CustomStringConvertible {
    /// The error as text.
    package var description: String {
        switch self {
        case .identifier(let reason): "the identifier cannot be used: \(reason)"
        case .noFolder: "neither XDG_STATE_HOME nor HOME names a folder for its state"
        case .file(let error): "\(error)"
        case .journal(let error): "\(error)"
        case .inUse(let process):
            "another process is attached to it" + Self.words(process)
        case .protocolVersion(let process, let version):
            "its transfer process\(Self.words(process)) is another build, with protocol version"
                + " \(version); it ends after its transfers"
        case .disconnected(let reason): "its transfer process cannot be reached: \(reason)"
        case .executable(let reason): "its transfer process cannot be started: \(reason)"
        case .refused(let reason): reason
        case .reported(let error): "\(error.localizedDescription)"
        }
    }

    private static func words(_ process: Int32?) -> String {
        process.map { " (process \($0))" } ?? ""
    }
}

/// The limits of background sessions; a task beyond them fails when it is made.
enum BackgroundLimits {
    /// The kind of a requested task.
    enum TaskKind: Hashable, Sendable {
        case data
        case download
        /// An upload from a file, or from memory or a stream.
        case upload(isFile: Bool)
    }

    /// Checks a task before it is made.
    ///
    /// - Parameters:
    ///   - kind: the kind of task.
    ///   - request: its request.
    ///   - hasDelegate: whether the session has a delegate.
    ///   - hasHandler: whether the task has a completion handler.
    ///   - hasProtocols: whether the session has `URLProtocol` classes.
    /// - Returns: the error; `nil` if the task can be made.
    static func validationError(
        _ kind: TaskKind,
        _ request: URLRequest,
        hasDelegate: Bool,
        hasHandler: Bool,
        hasProtocols: Bool
    ) -> URLError? {
        let words: String
        if !hasDelegate {
            words = "a background session needs a delegate, since it may outlive its program"
        } else if hasHandler {
            words = "a background session has no completion handlers; it reports to its delegate"
        } else if hasProtocols {
            words = "a background session cannot load by URLProtocol classes of the program's own"
        } else if let error = validationError(kind, request) {
            words = error
        } else {
            let scheme = request.url?.scheme?.lowercased()
            guard scheme != "http", scheme != "https" else { return nil }
            return URLError(
                .unsupportedURL,
                detail: "a background session loads by HTTP and HTTPS only",
                failingURL: request.url
            )
        }
        return URLError(.resourceUnavailable, detail: words, failingURL: request.url)
    }

    private static func validationError(_ kind: TaskKind, _ request: URLRequest) -> String? {
        switch kind {
        case .data: "a background session has download and upload tasks only"
        case .upload(isFile: false): "a background session uploads from files only"
        case .download where request.httpBody != nil || request.httpBodyStream != nil:
            "a background session sends bodies from files only"
        case .download, .upload: nil
        }
    }
}
