import Dispatch
import FoundationEssentials
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import URLLoading

/// A server in the test's process, with real transfers.
final class TransferServer: Sendable {
    private let queue = SerialQueue("server")
    let hasEnded = Mutex(false)
    private let server = Mutex<BackgroundServer?>(nil)
    private let transfers = Mutex<URLSessionTransfers?>(nil)
    private let session: BackgroundSession

    /// Takes the lock, and starts a server.
    ///
    /// - Parameters:
    ///   - session: the session.
    ///   - change: changes the session's configuration.
    ///   - prepare: changes the transfers before the server begins.
    /// - Throws: the reason why the server cannot begin.
    init(
        _ session: BackgroundSession,
        change: (URLSessionConfiguration) -> Void = { _ in },
        prepare: (URLSessionTransfers) -> Void = { _ in }
    ) throws {
        self.session = session
        var settings = sessionSettings()
        settings.configuration = try Self.configuration(change).settings.stored
        try session.take { [queue, settings] folder, lock in
            let journaled = try found(try JournaledState.open(folder, settings: settings))
            let transfers = URLSessionTransfers(
                filesFolder: folder.filesPath,
                partsFolder: folder.partsPath,
                queue: queue
            )
            self.transfers.withLock { $0 = transfers }
            prepare(transfers)
            try BackgroundServer.begin(
                folder,
                lock,
                journaled,
                on: queue,
                transfers,
                made: { made in
                    server.withLock { $0 = made }
                },
                ended: { [weak self] in
                    self?.hasEnded.withLock { $0 = true }
                    self?.server.withLock { $0 = nil }
                }
            )
        }
    }

    /// A configuration that uses no stores of the machine, and trusts the test authority.
    static func configuration(
        _ change: (URLSessionConfiguration) -> Void = { _ in }
    ) throws -> URLSessionConfiguration {
        let identifier = BackgroundSession.identifier
        let configuration = URLSessionConfiguration.background(withIdentifier: identifier)
        configuration.transport.proxy = .none
        configuration.transport.strictTransportSecurity = .none
        configuration.httpCookieStorage = nil
        configuration.urlCredentialStorage = nil
        configuration.urlCache = nil
        configuration.transport.trust.certificateAuthorityFile = try Certificates.shared.authority
        change(configuration)
        return configuration
    }

    /// Connects a client, and attaches.
    func connectClient() async throws -> SocketClient {
        let client = try session.connect()
        #expect(await eventually { client.isReady })
        return client
    }

    private func inspect<Value: Sendable>(
        _ question: (isolated BackgroundServer) -> Value
    ) -> Value? {
        server.withLock { $0 }?.sync(question)
    }

    func task(_ number: Int) -> BackgroundTask? {
        inspect { $0.journaled.machine.state.tasks[number] } ?? nil
    }

    /// The retry for which a task waits.
    func retry(_ number: Int) -> BackgroundRetry? {
        if case .active(let retry?)? = task(number)?.phase { retry } else { nil }
    }

    func received(_ number: Int) -> Int64 {
        inspect { $0.progress[number]?.received ?? 0 } ?? 0
    }

    /// The tasks that the transfers have begun, and not forgotten.
    var begun: Set<Int> {
        transfers.withLock { $0 }?.sync { $0.begun.union($0.complete) } ?? []
    }

    /// Ends in order, as after SIGTERM; a second call of `finish` does not replace the first one.
    func terminate() {
        queue.sync {
            let server = server.withLock { $0 }
            let transfers = transfers.withLock { $0 }
            transfers?.finish { [weak server] in server?.assumeIsolated { $0.end() } }
            transfers?.finish {}
        }
    }

    /// Crashes the server.
    ///
    /// Its transfers may still change their files, which the test restores afterwards.
    func kill() {
        queue.sync {
            server.withLock { $0 }?.assumeIsolated { server in
                for client in server.connections.values { client.connection.close() }
            }
            server.withLock { $0 = nil }
            transfers.withLock { $0 = nil }
        }
    }
}

extension BackgroundTaskRecord {
    static func make(
        _ identifier: Int,
        _ url: String,
        sending file: String? = nil,
        to destination: String? = nil,
        _ change: (inout BackgroundTaskDraft) -> Void = { _ in }
    ) throws -> BackgroundTaskRecord {
        var draft = BackgroundTaskDraft(try URLLoadingTests.request(url), sending: file)
        draft.destination = destination
        change(&draft)
        let settings = try TransferServer.configuration().settings
        return try draft.record(identifier, settings, at: WallClock.now)
    }
}

extension SocketClient {
    /// Makes and resumes tasks.
    func run(_ tasks: BackgroundTaskRecord...) {
        send(.make(tasks: tasks))
        send(.resume(tasks: tasks.map(\.identifier)))
    }

    /// Waits for the end of a task, and returns its file.
    func file(of task: Int) async -> BackgroundFile? {
        _ = await eventually(within: .seconds(30)) { self.end(of: task) != nil }
        return deliveries.lazy.compactMap { delivery in
            if case .finished(task, let file, _) = delivery.event { file } else { nil }
        }.first
    }

    /// The end of a task; `nil` before its end.
    func end(of task: Int) -> (error: StoredError?, response: StoredResponse?)? {
        deliveries.lazy.compactMap { delivery in
            if case .completed(task, let error, let response, _) = delivery.event {
                (error, response)
            } else {
                nil
            }
        }.first
    }

    /// Waits for the end of a task.
    func waitForEnd(
        of task: Int
    ) async throws -> (error: StoredError?, response: StoredResponse?) {
        _ = await eventually(within: .seconds(30)) { self.end(of: task) != nil }
        return try #require(end(of: task))
    }
}
