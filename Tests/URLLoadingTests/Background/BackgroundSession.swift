import Dispatch
import FoundationEssentials
import TestSupport
import Testing

@testable import URLLoading

/// The folder of a background session, in a folder of the test's own.
struct BackgroundSession {
    static let identifier = "com.example.test"

    let home: TestSupport.TemporaryFolder
    let root: String

    init(root: String? = nil) throws {
        home = try TestSupport.TemporaryFolder("background")
        self.root = root ?? home.path("state/fetch/background")
    }

    /// Its name below the test's folder.
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

/// What holds for a session of the tests.
func sessionSettings(
    _ identifier: String = BackgroundSession.identifier,
    command: String? = nil
) -> BackgroundSettings {
    BackgroundSettings(identifier: identifier, token: "t1", command: command)
}

/// A download of the tests.
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

/// A file that a task of the tests may have received.
func receivedFile(_ task: Int) -> BackgroundFile {
    BackgroundFile(path: "/nowhere/\(task).part", device: 1, inode: UInt64(task), size: 10)
}

extension StoredError {
    static let lost = StoredError(URLError(.networkConnectionLost))
}

/// What is there, of a type that `#require` does not take.
func found<Value: ~Copyable>(_ value: consuming Value?) throws -> Value {
    switch consume value {
    case .some(let value): return value
    case .none: throw PrivateFileError.failed(path: "", reason: "there is none")
    }
}
