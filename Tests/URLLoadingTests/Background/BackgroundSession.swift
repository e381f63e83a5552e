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

// Who carries it out, and who speaks with that.
extension BackgroundSession {
    /// Takes the lock, where nobody has it, and hands it on.
    func take<Result>(
        _ queue: DispatchQueue,
        _ body: (consuming BackgroundFolder, consuming BackgroundLock) throws -> Result
    ) throws -> Result {
        let found = try BackgroundEntrance.enter(
            BackgroundIdentifier(Self.identifier),
            in: root,
            makes: true,
            queue: queue
        )
        guard case .free(let folder, let lock) = consume found else {
            throw PrivateFileError.busy(path: root)
        }
        return try body(folder, lock)
    }

    /// Connects a program to the socket in the folder, and has it say who it is.
    func connect(
        _ purpose: BackgroundHello.Purpose = .attach,
        seen: BackgroundVisitor.Seen? = nil,
        version: Int = BackgroundHello.version
    ) throws -> BackgroundProgram {
        let queue = DispatchQueue(label: "program")
        let address = SocketAddress(path: "\(root)/\(Self.identifier)/socket")
        let connection = try #require(
            try BackgroundConnection.connect(to: address, queue: queue)
        )
        let program = BackgroundProgram(connection, on: queue)
        program.begin(purpose, seen: seen, version: version)
        return program
    }
}

extension BackgroundHost {
    /// Makes a host, at the socket in the session's folder, and has it begin.
    ///
    /// - Parameters:
    ///   - folder: the session's.
    ///   - lock: its lock.
    ///   - book: its journal.
    ///   - queue: the host's.
    ///   - transfers: what carries tasks out.
    ///   - surroundings: what is put in the machine's place.
    ///   - made: takes the host before it begins.
    ///   - ended: called when it has ended.
    /// - Throws: what keeps it from beginning.
    static func begin(
        _ folder: consuming BackgroundFolder,
        _ lock: consuming BackgroundLock,
        _ book: consuming BackgroundBook,
        on queue: DispatchQueue,
        _ transfers: any BackgroundTransfers,
        _ surroundings: BackgroundSurroundings = BackgroundSurroundings(),
        made: (BackgroundHost) -> Void,
        ended: @escaping @Sendable () -> Void
    ) throws(BackgroundError) {
        let address = SocketAddress(path: folder.path + "/socket")
        let host = BackgroundHost(
            folder,
            lock,
            book,
            at: address,
            queue: queue,
            transfers: transfers,
            surroundings: surroundings,
            ended: ended
        )
        made(host)
        let outcome = queue.sync {
            Result { () throws(BackgroundError) in try host.begin() }
        }
        try outcome.get()
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
    priority: Float = 0.5
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
        made: 1,
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
