import FoundationEssentials

/// The reason why a background session cannot be used.
package enum BackgroundError: Error, Sendable, Hashable {
    case identifier(String)
    /// The environment names neither a folder for state nor a home.
    case noFolder
    case file(PrivateFileError)
    /// The disk, or the user's quota, has no room for another record of the journal.
    case full(path: String)
    /// The ends of so many tasks are not reported that the journal takes no more work.
    case tooLarge(path: String)
    /// The journal is damaged before its last batch; it is not changed.
    case corrupt(path: String, line: Int, reason: String)
    /// The journal is of a version that this build does not read.
    case journalVersion(path: String, version: Int)
    /// The journal belongs to another session.
    case foreign(path: String, identifier: String)
    /// The journal's last batch could not be flushed to the disk, so the content on the disk is unknown.
    case broken(path: String)
    /// Another program is attached; its process, if known.
    case inUse(process: Int32?)
    /// The transfer process is of a build with another version of the protocol.
    case protocolVersion(process: Int32?, version: Int)
    /// The transfer process cannot be reached, or was lost, for this reason.
    case disconnected(String)
    /// The transfer process cannot be started, for this reason.
    case executable(String)
    case refused(String)
    case reported(URLError)

    /// The error as a program sees it.
    package var urlError: URLError {
        let code: URLError.Code =
            switch self {
            case .reported(let error): error.code
            case .identifier, .refused: .resourceUnavailable
            case .noFolder: .backgroundSessionRequiresSharedContainer
            case .inUse: .backgroundSessionInUseByAnotherProcess
            case .protocolVersion, .disconnected, .executable: .backgroundSessionWasDisconnected
            case .file(.failed), .full: .cannotWriteToFile
            case .file, .tooLarge, .corrupt, .journalVersion, .foreign, .broken: .cannotOpenFile
            }
        if case .reported(let error) = self { return error }
        return URLError(code, detail: description)
    }

    /// The value; throws the error of a file as `file`.
    static func files<Value: ~Copyable>(
        _ value: @autoclosure () throws(PrivateFileError) -> Value
    ) throws(BackgroundError) -> Value {
        do throws(PrivateFileError) {
            return try value()
        } catch {
            throw .file(error)
        }
    }
}

extension BackgroundError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .identifier(let reason): "the identifier cannot be used: \(reason)"
        case .noFolder: "neither XDG_STATE_HOME nor HOME names a folder for its state"
        case .file(let error): "\(error)"
        case .full(let path): "\(path): no space is left on the disk"
        case .tooLarge(let path):
            "\(path) is so large that it takes no more tasks; a program that attaches reports those that"
                + " have ended"
        case .corrupt(let path, let line, let reason):
            "\(path) is damaged in line \(line), and left as it is: \(reason)"
        case .journalVersion(let path, let version):
            "\(path) has version \(version), which this build cannot read; a newer build has"
                + " written it"
        case .foreign(let path, let identifier):
            "\(path) belongs to the session \(identifier.debugDescription)"
        case .broken(let path): "\(path) could not be written to the disk"
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
