import Glibc
import URLLoading

/// The states of a body's files when the body was first sent.
///
/// If the body is sent again, the files must be unchanged.
struct SentFiles: Equatable, Sendable {
    /// By path; `nil` for a file that is not regular, whose bytes are buffered.
    private let states: [String: FileIdentity?]

    /// Records the states of a body's files.
    init(of body: BodyPlan) {
        var states: [String: FileIdentity?] = [:]
        for path in body.filePaths { states.updateValue(Self.state(path), forKey: path) }
        self.states = states
    }

    /// Compares the files with their recorded states.
    ///
    /// Throws `requestBodyStreamExhausted` if a file has changed.
    func check() throws(URLError) {
        for (path, state) in states where Self.state(path) != state {
            throw URLError(
                .requestBodyStreamExhausted,
                detail: "\(path) has changed since it was first sent"
            )
        }
    }

    private static func state(_ path: String) -> FileIdentity? {
        var status = stat()
        return stat(path, &status) == 0 ? FileStatus(status)?.identity : nil
    }
}

extension BodyPlan {
    /// The files that are read while the body is sent.
    fileprivate var filePaths: [String] {
        switch self {
        case .none, .data: []
        case .standardInput: ["/dev/stdin"]
        case .file(let path, _), .rest(let path, _, _): [path]
        case .form(let form): form.parts.flatMap(\.content.filePaths)
        }
    }
}
