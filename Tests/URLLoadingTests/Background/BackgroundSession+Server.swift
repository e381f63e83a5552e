import Dispatch
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import URLLoading

// The server, without a process and without transfers, over real files and sockets; and its
// clients.
extension BackgroundSession {
    /// Starts a server where no process has the lock.
    ///
    /// - Parameters:
    ///   - command: what is run when all is done.
    ///   - timeout: how long it waits for a client, seconds.
    ///   - waits: what a discretionary session waits for; empty: it is none.
    ///   - tasks: what was written down before, to be carried out.
    ///   - socket: where it listens; `nil`: in the session's folder.
    /// - Returns: the server, and what is around it.
    /// - Throws: what keeps it from beginning.
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

    /// As a program does before it starts one.
    private func write(
        _ tasks: [BackgroundTaskRecord],
        _ settings: BackgroundSettings,
        _ folder: borrowing BackgroundFolder
    ) throws {
        var journaled = try found(try JournaledState.open(folder, settings: settings, limit: 0))
        let orders = tasks.map { BackgroundInput.resume(task: $0.identifier) }
        _ = try journaled.take([.make(tasks, from: 0)] + orders, in: folder, at: WallClock.now)
    }

    /// Makes a program's session, whose transfer process is one.
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

    /// Whether a client finds the server.
    var isReachable: Bool {
        do {
            let identifier = try BackgroundIdentifier(Self.identifier)
            let found = try BackgroundClient.Search.look(identifier, in: root, makes: false)
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

    /// Takes the lock, where no process has it, and hands it on.
    func take<Result>(
        _ body: (consuming BackgroundFolder, consuming BackgroundLock) throws -> Result
    ) throws -> Result {
        let found = try BackgroundClient.Search.find(
            BackgroundIdentifier(Self.identifier),
            in: root,
            makes: true
        )
        guard case .free(let folder, let lock) = consume found else {
            throw PrivateFileError.busy(path: root)
        }
        return try body(folder, lock)
    }

    /// Connects a program to the socket in the folder, and has it send its handshake.
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
    /// Makes a server, at the socket in the session's folder, and has it begin.
    ///
    /// - Parameters:
    ///   - folder: the session's.
    ///   - lock: its lock.
    ///   - journaled: its journal.
    ///   - queue: the server's.
    ///   - transfers: what carries tasks out.
    ///   - environment: what is put in the machine's place.
    ///   - socket: where it listens; `nil`: in the session's folder.
    ///   - made: takes the server before it begins.
    ///   - ended: called when it has ended.
    /// - Throws: what keeps it from beginning.
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
    /// The process that a test's background session is attached to.
    var transferProcess: Int32? {
        guard let attachment else { return nil }
        return attachment.sync { $0.client?.server }
    }
}
