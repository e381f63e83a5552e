import Dispatch
import FoundationEssentials
import TestSupport
import Testing

@testable import URLLoading

/// The folder of a background session, in a test's temporary folder.
struct BackgroundSession {
    static let identifier = "com.example.test"

    let home: TestSupport.TemporaryFolder
    let root: String

    init(root: String? = nil) throws {
        home = try TestSupport.TemporaryFolder("background")
        self.root = root ?? home.path("state/fetch/background")
    }

    /// The session's path in the test's folder.
    let name = "state/fetch/background/com.example.test"

    func open() throws -> BackgroundFolder {
        guard
            let folder = try BackgroundFolder(
                BackgroundIdentifier(Self.identifier),
                in: root,
                makes: true
            )
        else { throw PrivateFileError.failed(path: root, reason: "it was not made") }
        return folder
    }
}

/// Settings for a session of the tests.
func sessionSettings(
    _ identifier: String = BackgroundSession.identifier,
    command: String? = nil
) -> BackgroundSettings {
    BackgroundSettings(identifier: identifier, token: "t1", command: command)
}

func taskRecord(
    _ identifier: Int,
    destination: String? = nil,
    deadline: Int64? = nil,
    priority: Float = 0.5,
    made: Int64 = 1
) -> BackgroundTaskRecord {
    var request = URLRequest(url: URL(filePath: "/"))
    request.url = URL(string: "http://example.org/\(identifier)")
    guard let stored = StoredRequest(request) else { preconditionFailure("it has a URL") }
    return BackgroundTaskRecord(
        identifier: identifier,
        kind: .download,
        request: stored,
        destination: destination,
        priority: priority,
        made: made,
        deadline: deadline
    )
}

/// A received file that does not exist.
func receivedFile(_ task: Int) -> BackgroundFile {
    BackgroundFile(path: "/nowhere/\(task).part", device: 1, inode: UInt64(task), size: 10)
}

extension StoredError {
    static let lost = StoredError(URLError(.networkConnectionLost))
}

/// Unwraps an optional of a type that `#require` does not take.
func found<Value: ~Copyable>(_ value: consuming Value?) throws -> Value {
    switch consume value {
    case .some(let value): return value
    case .none: throw PrivateFileError.failed(path: "", reason: "there is none")
    }
}
