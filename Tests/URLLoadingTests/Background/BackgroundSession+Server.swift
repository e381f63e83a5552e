import Dispatch
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import URLLoading

// Servers in the test's process, with real files and sockets, and their clients.
extension BackgroundSession {
    /// Takes the lock, and starts a server.
    ///
    /// - Parameters:
    ///   - command: the session's command.
    ///   - timeout: the time for which the server waits for a client, seconds.
    ///   - waits: the conditions of a discretionary session; empty: the session is not discretionary.
    ///   - tasks: resumed tasks in the journal.
    ///   - socket: the path of the socket; `nil`: in the session's folder.
    /// - Returns: the server, with its scripted environment.
    /// - Throws: the reason why the server cannot begin.
    func start(
        command: String? = nil,
        timeout: Double = 30,
        waits: [DiscretionaryConditions.Wait] = [],
        tasks: [BackgroundTaskRecord] = [],
        socket: String? = nil
    ) throws -> ScriptedServer {
        let testServer = ScriptedServer()
        testServer.waits.withLock { $0 = waits }
        var settings = sessionSettings(command: command)
        settings.isDiscretionary = !waits.isEmpty
        var environment = ServerEnvironment()
        environment.timeout = timeout
        environment.conditionsInterval = 0.01
        environment.socketInterval = 0.01
        environment.waits = { _ in testServer.waits.withLock { $0 } }
        environment.runCommand = { command, completionHandler in
            testServer.commands.withLock { $0.append(command) }
            completionHandler(0)
        }
        try take { [settings, environment] folder, lock in
            if !tasks.isEmpty { try write(tasks, settings, folder) }
            let journaled = try found(try JournaledState.open(folder, settings: settings))
            try testServer.begin(folder, lock, journaled, environment, socket: socket)
        }
        return testServer
    }

    /// Writes tasks to the journal, as a program does before it starts a transfer process.
    private func write(
        _ tasks: [BackgroundTaskRecord],
        _ settings: BackgroundSettings,
        _ folder: borrowing BackgroundFolder
    ) throws {
        var journaled = try found(try JournaledState.open(folder, settings: settings, limit: 0))
        let orders = tasks.map { BackgroundInput.resume(task: $0.identifier) }
        _ = try journaled.take([.make(tasks, from: 0)] + orders, in: folder, at: WallClock.now)
    }

    /// Makes a program's session with a real transfer process.
    func openReal(
        _ delegate: (any URLSessionDelegate)?,
        identifier: String = Self.identifier,
        _ change: (URLSessionConfiguration) -> Void = { _ in }
    ) throws -> URLSession {
        let configuration = URLSessionConfiguration.background(withIdentifier: identifier)
        configuration.transport = try TransferServer.configuration().transport
        configuration.httpCookieStorage = nil
        configuration.urlCredentialStorage = nil
        change(configuration)
        var dependencies = BackgroundDependencies()
        let program = try FetchProcess.executable()
        dependencies.root = { [root] in root }
        dependencies.start = { identifier, root, lock throws(BackgroundError) in
            let process = try TransferProcess.start(
                identifier,
                in: root,
                lock: lock,
                program: program
            )
            Children.detach(process)
        }
        return URLSession(
            configuration.settings,
            ScriptedTransport(),
            delegate,
            nil,
            dependencies: dependencies
        )
    }

    /// Whether a client can connect to the server.
    var isReachable: Bool {
        do {
            let identifier = try BackgroundIdentifier(Self.identifier)
            let found = try BackgroundClient.find(identifier, in: root, makes: false)
            guard case .some(.alive(let socket)) = consume found else { return false }
            try socket.descriptor.close()
            return true
        } catch {
            return false
        }
    }

    /// Connects to the server.
    func connectClient(
        _ purpose: BackgroundHandshake.Purpose = .attach,
        seen: Int? = nil,
        version: Int = BackgroundHandshake.version
    ) throws -> SocketClient {
        try connect(
            purpose,
            seen: seen.map { BackgroundCursor(token: "t1", sequence: $0) },
            version: version
        )
    }

    /// Takes the lock, and passes it to a closure.
    func take<Result>(
        _ body: (consuming BackgroundFolder, consuming BackgroundLock) throws -> Result
    ) throws -> Result {
        let found = try BackgroundClient.search(
            BackgroundIdentifier(Self.identifier),
            in: root,
            makes: true
        )
        guard case .free(let folder, let lock) = consume found else {
            throw PrivateFileError.busy(path: root)
        }
        return try body(folder, lock)
    }

    /// Connects a client to the socket in the folder, and sends its handshake.
    func connect(
        _ purpose: BackgroundHandshake.Purpose = .attach,
        seen: BackgroundCursor? = nil,
        version: Int = BackgroundHandshake.version
    ) throws -> SocketClient {
        let address = SocketAddress(path: "\(root)/\(Self.identifier)/socket")
        let client = SocketClient(try #require(try address.connect()))
        client.begin(purpose, seen: seen, version: version)
        return client
    }
}

extension BackgroundServer {
    /// Makes a server, and begins.
    ///
    /// - Parameters:
    ///   - folder: the session's folder.
    ///   - lock: the session's lock.
    ///   - journaled: the session's state.
    ///   - queue: the server's queue.
    ///   - transfers: carries out tasks.
    ///   - environment: the server's environment.
    ///   - socket: the path of the socket; `nil`: in the session's folder.
    ///   - made: takes the server before it begins.
    ///   - ended: called when the server has ended.
    /// - Throws: the reason why the server cannot begin.
    static func begin(
        _ folder: consuming BackgroundFolder,
        _ lock: consuming BackgroundLock,
        _ journaled: consuming JournaledState,
        on queue: SerialQueue,
        _ transfers: any BackgroundTransfers,
        _ environment: ServerEnvironment = ServerEnvironment(),
        socket: String? = nil,
        made: (BackgroundServer) -> Void,
        ended: @escaping @Sendable () -> Void
    ) throws(BackgroundError) {
        let address = socket.map { SocketAddress(path: $0) } ?? SocketAddress(inside: folder.path)
        let server = BackgroundServer(
            folder,
            lock,
            journaled,
            at: address,
            queue: queue,
            transfers: transfers,
            environment: environment,
            ended: ended
        )
        made(server)
        let outcome = queue.sync {
            server.assumeIsolated { server in
                Result { () throws(BackgroundError) in try server.begin() }
            }
        }
        try outcome.get()
    }
}

extension URLSession {
    /// The transfer process to which a background session is attached.
    var transferProcess: Int32? {
        guard let attachment else { return nil }
        return attachment.sync { attachment in
            attachment.client?.assumeIsolated { $0.connection?.process } ?? nil
        }
    }
}
