import Dispatch
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import URLLoading

/// A background session for a test's programs.
///
/// Its transfer processes are servers in the test's process, with real files and sockets, and with scripted
/// transfers.
final class BackgroundFixture: Sendable {
    /// The behaviour of the next transfer process.
    enum StartBehaviour: Sendable {
        case runs
        /// The process cannot be started.
        case isMissing
        /// The process ends at once, and the lock is free again.
        case exits
        /// The process has the lock, listens, and sends these bytes.
        case sends([UInt8])
    }

    let session: BackgroundSession
    let testServers = Mutex<[ScriptedServer]>([])
    let startBehaviour = Mutex(StartBehaviour.runs)
    /// The result of a started task; `nil`: none.
    let outcome = Mutex<(@Sendable (BackgroundTaskRecord) -> BackgroundInput?)?>(nil)
    /// Called at each step of a server; `true` kills the server.
    let kills = Mutex<(@Sendable () -> Bool)?>(nil)
    /// Processes that keep the lock, and send nothing or invalid bytes.
    private let lockOnlyProcesses = Mutex<[LockOnlyProcess]>([])

    init() throws {
        session = try BackgroundSession()
    }

    var dependencies: BackgroundDependencies {
        var dependencies = BackgroundDependencies()
        let root = session.root
        dependencies.root = { root }
        dependencies.start = { [weak self] identifier, root, lock throws(BackgroundError) in
            guard let self else { throw .executable("the test is over") }
            try self.start(identifier, root, lock)
        }
        return dependencies
    }

    /// The URL of a task, of which only the scripted transfers know.
    func url(_ task: Int) throws -> URL {
        try #require(URL(string: "http://h.test/\(task)"))
    }

    /// The current transfer process.
    var testServer: ScriptedServer? { testServers.withLock { $0.last } }

    /// Makes a program's session.
    func open(
        _ delegate: (any URLSessionDelegate)?,
        dependencies: BackgroundDependencies? = nil,
        _ change: (URLSessionConfiguration) -> Void = { _ in }
    ) -> URLSession {
        let configuration = URLSessionConfiguration.background(
            withIdentifier: BackgroundSession.identifier
        )
        configuration.urlCredentialStorage = nil
        change(configuration)
        return URLSession(
            configuration.settings,
            ScriptedTransport(),
            delegate,
            nil,
            dependencies: dependencies ?? self.dependencies
        )
    }

    private func start(
        _ identifier: BackgroundIdentifier,
        _ root: String,
        _ lock: consuming BackgroundLock
    ) throws(BackgroundError) {
        switch startBehaviour.withLock({ $0 }) {
        case .runs: break
        case .isMissing: throw .executable("fetch: No such file or directory")
        case .exits: return
        case .sends(let words):
            let lockOnlyProcess = try LockOnlyProcess(
                words,
                lock,
                at: session.root + "/com.example.test/s"
            )
            return lockOnlyProcesses.withLock { $0.append(lockOnlyProcess) }
        }
        guard let folder = try BackgroundFolder(identifier, in: root, makes: false) else {
            throw .executable("there is no folder")
        }
        let journaled = try Self.open(folder)
        try start(folder, lock, journaled)
    }

    private static func open(
        _ folder: borrowing BackgroundFolder
    ) throws(BackgroundError) -> JournaledState {
        do {
            return try found(try JournaledState.open(folder, settings: nil))
        } catch {
            throw .executable("\(error)")
        }
    }

    private func start(
        _ folder: consuming BackgroundFolder,
        _ lock: consuming BackgroundLock,
        _ journaled: consuming JournaledState
    ) throws(BackgroundError) {
        let testServer = ScriptedServer()
        let outcome = outcome.withLock { $0 }
        testServer.transfers.onStart.withLock { onStart in
            onStart = { [weak testServer] task in
                if let input = outcome?(task) { testServer?.report(input) }
            }
        }
        var environment = ServerEnvironment()
        environment.timeout = 30
        environment.runCommand = { $1(0) }
        environment.now = { [weak self, weak testServer] in
            if let self, let testServer, kills.withLock({ $0 })?() == true {
                testServer.queue.async { if testServer.isAttached { testServer.crash() } }
            }
            return WallClock.now
        }
        testServers.withLock { $0.append(testServer) }
        try testServer.begin(folder, lock, journaled, environment)
    }

    /// Writes the received file of a task.
    func receive(_ task: Int, _ text: String = "body") -> BackgroundInput? {
        guard
            let path = try? session.home.write(text, to: "\(session.name)/files/\(task).part"),
            let file = BackgroundFile(path)
        else { return nil }
        let response = StoredResponse(
            url: "http://example.org/\(task)",
            status: 200,
            httpVersion: "HTTP/1.1",
            fields: StoredHeader(HTTPHeaderFields(["Content-Type": "text/plain"]))
        )
        return .received(task: task, file: file, response)
    }

    /// Passes an input to the current transfer process.
    func report(_ input: BackgroundInput?) {
        if let input { testServer?.report(input) }
    }
}

/// A process that has a session's lock, and is not a transfer process.
actor LockOnlyProcess: QueueActor {
    nonisolated let queue = SerialQueue("impostor")
    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }
    private let lock: BackgroundLock
    private var listener: BackgroundListener?
    private var connections: [BackgroundConnection] = []

    init(
        _ words: [UInt8],
        _ lock: consuming BackgroundLock,
        at path: String
    ) throws(BackgroundError) {
        do throws(PrivateFileError) {
            try lock.describe(LockHolder(process: 4_711, socket: path, version: 1))
        } catch {
            throw .file(error)
        }
        self.lock = lock
        let outcome = sync { lockOnlyProcess in
            Result { () throws(BackgroundError) in try lockOnlyProcess.listen(path, words) }
        }
        try outcome.get()
    }

    private func listen(_ path: String, _ words: [UInt8]) throws(BackgroundError) {
        let address = SocketAddress(path: path)
        listener = try BackgroundListener(address, queue: queue) { [weak self] socket in
            self?.assumeIsolated { $0.take(socket, words) }
        }
    }

    private func take(_ socket: PeerSocket, _ words: [UInt8]) {
        let connection = BackgroundConnection(socket, queue: queue)
        connection.begin { _ in }
        if !words.isEmpty { try? connection.send(String(decoding: words, as: UTF8.self)) }
        connections.append(connection)
    }

    // The listener closes with this actor.
    deinit {
        queue.async { [connections] in
            for connection in connections { connection.close() }
        }
    }
}
