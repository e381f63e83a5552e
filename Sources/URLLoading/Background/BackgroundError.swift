import FoundationEssentials

/// What keeps a background session from being used.
package enum BackgroundError: Error, Sendable, Hashable {
    /// It cannot be called so, and why.
    case identifier(String)
    /// The environment names neither a folder for state nor a home.
    case noFolder
    /// Its files cannot be used.
    case file(PrivateFileError)
    /// Its journal cannot be used.
    case journal(JournalError)
    /// Another program is attached: that process, where it is known.
    case inUse(process: Int32?)
    /// Its transfer process is of a build that speaks otherwise.
    case protocolVersion(process: Int32?, version: Int)
    /// Its transfer process cannot be reached, or has gone, and why.
    case disconnected(String)
    /// Its transfer process cannot be started, and why.
    case executable(String)
    /// What was asked for cannot be done, and why.
    case refused(String)
    /// What its transfer process says.
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
            "its transfer process\(Self.words(process)) is of another build, which speaks version"
                + " \(version): it ends when its transfers have"
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

/// What a background session does not do: each breach is an error when the task is made.
enum BackgroundLimits {
    /// What a program wants of a session that has limits.
    enum TaskKind: Hashable, Sendable {
        case data
        case download
        /// From a file; or from memory, or a stream.
        case upload(isFile: Bool)
    }

    /// Looks at a task before it is made.
    ///
    /// - Parameters:
    ///   - kind: the kind of task.
    ///   - request: its request.
    ///   - hasDelegate: whether the session has a delegate.
    ///   - hasHandler: whether the task was given a completion handler.
    ///   - hasProtocols: whether the session was given ways of loading of the program's own.
    /// - Returns: what it fails with; `nil` where it can be done.
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
            words = "a background session has no completion handlers: its delegate is told"
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
