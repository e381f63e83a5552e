import Dispatch
import FoundationEssentials
import Glibc
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import URLLoading

/// Clients that are slow, crash, or send invalid requests; and servers that wait.
@Suite("Background servers and their clients", .timeLimit(.minutes(1)))
struct BackgroundClientTests {
    private let session: BackgroundSession

    init() throws {
        session = try BackgroundSession()
    }

    /// Reads a value of a server, on its queue.
    private func inspect<Value: Sendable>(
        _ testServer: ScriptedServer,
        _ value: (isolated BackgroundServer) -> Value?
    ) -> Value? {
        testServer.queue.sync { testServer.inspect(value) ?? nil }
    }

    @Test("B-07 a journal's tasks wait for the conditions, and start when these are met")
    func badTime() async throws {
        let tasks = [taskRecord(1), taskRecord(2)]
        let testServer = try session.start(timeout: 0, waits: [.idleMachine], tasks: tasks)
        let controlClient = try session.connectClient(.control)
        controlClient.send(.status)
        let status = try #require(inspect(testServer) { $0.status })
        #expect(status.waitsFor == ["an idle machine"])
        #expect(await eventually { controlClient.has(.status(status: status)) })
        #expect(controlClient.phases == [.waiting, .waiting])
        #expect(testServer.transfers.started == [])
        // The server does not end either, although no client is connected.
        controlClient.leave()
        #expect(await eventually { inspect(testServer) { $0.connections.isEmpty } == true })
        #expect(!testServer.hasEnded.withLock { $0 })
        testServer.waits.withLock { $0 = [] }
        #expect(await eventually { testServer.transfers.started == [1, 2] })
        testServer.waits.withLock { $0 = [.network] }
        #expect(await eventually { testServer.transfers.log.withLock { $0.stopped } == [1, 2] })
        #expect(inspect(testServer) { $0.status }?.waitsFor == ["a network"])
        testServer.kill()
    }

    @Test("an attached client that reads nothing blocks no other, and is dropped at its exit")
    func stalled() async throws {
        let testServer = try session.start()
        let client = try session.connectClient()
        #expect(await eventually { client.isReady })
        let tasks = (1...100).map { taskRecord($0) }
        client.send(.make(tasks: tasks))
        client.send(.resume(tasks: tasks.map(\.identifier)))
        #expect(await eventually { client.has(.done(error: nil)) })
        client.stopReading()
        let detail = String(repeating: "x", count: 20_000)
        let error = StoredError(URLError(.networkConnectionLost, detail: detail))
        for task in tasks { testServer.report(.failed(task: task.identifier, error, nil)) }
        #expect(await eventually { inspect(testServer) { $0.attached?.connection.isFull } == true })
        #expect(
            await eventually {
                inspect(testServer) { $0.journaled.machine.running.isEmpty } == true
            }
        )
        // Requests of other clients are carried out.
        let controlClient = try session.connectClient(.control)
        controlClient.send(.pause)
        #expect(await eventually { controlClient.has(.done(error: nil)) })
        let second = try session.connectClient()
        #expect(await eventually { second.has(.inUse(process: getpid())) })
        // After the client's crash, another can attach, and gets the undelivered events.
        client.leave()
        #expect(
            await eventually {
                inspect(testServer) { $0.journaled.machine.attachment == nil } == true
            }
        )
        #expect(await eventually { inspect(testServer) { $0.connections.count } == 1 })
        let next = try session.connectClient()
        #expect(await eventually { next.deliveries.count == 101 })
        #expect(next.deliveries.map(\.sequence) == Array(1...101))
        next.send(.acknowledge(sequence: 101))
        next.leave()
        controlClient.leave()
        #expect(await eventually { testServer.hasEnded.withLock { $0 } })
        #expect(!session.home.exists(session.name))
    }

    @Test("a client that reads no replies is not read, and dropped at its exit")
    func asking() async throws {
        let tasks = (1...100).map { taskRecord($0) }
        let testServer = try session.start(tasks: tasks)
        let controlClient = try session.connectClient(.control)
        controlClient.stopReading()
        for _ in 0..<500 { controlClient.send(.status) }
        let isFull = await eventually {
            inspect(testServer) { server in
                server.connections.values.contains { $0.connection.isFull }
            }
                == true
        }
        #expect(isFull)
        let client = try session.connectClient()
        #expect(await eventually { client.isReady })
        client.send(.cancel(tasks: tasks.map(\.identifier)))
        #expect(await eventually { client.deliveries.count == 101 })
        controlClient.leave()
        #expect(await eventually { inspect(testServer) { $0.connections.count } == 1 })
        client.send(.acknowledge(sequence: 101))
        client.leave()
        #expect(await eventually { testServer.hasEnded.withLock { $0 } })
    }

    @Test("thousands of tasks are sent in pages before the first event, as the outbox has room")
    func pages() async throws {
        let tasks = (1...9_000).map { taskRecord($0) }
        let testServer = try session.start(tasks: tasks)
        testServer.report(.failed(task: 1, .lost, nil))
        let client = try session.connectClient()
        client.stopReading()
        let isFull = await eventually {
            inspect(testServer) { server in server.attached?.connection.isFull == true } == true
        }
        #expect(isFull)
        // The remaining tasks stay in the state, and need no further memory.
        let left = inspect(testServer) { server in server.attached?.pages.first?.count ?? 0 } ?? 0
        #expect(left > 1_000)
        #expect(client.deliveries.isEmpty)
        client.resumeReading()
        #expect(await eventually { client.isReady })
        #expect(client.pages.flatMap(\.self) == Array(1...9_000))
        #expect(client.pages.allSatisfy { $0.count <= 500 })
        #expect(await eventually { client.deliveries.count == 1 })
        let controlClient = try session.connectClient(.control)
        controlClient.send(.status)
        #expect(await eventually { controlClient.pages.map(\.count).reduce(0, +) == 9_000 })
        testServer.kill()
    }

    @Test("a server binds its socket again if the file or its folder was removed")
    func clearedSocket() async throws {
        let socket = session.home.path("runtime/socket")
        let testServer = try session.start(tasks: [taskRecord(1)], socket: socket)
        #expect(session.isReachable)
        try #require(unlink(socket) == 0)
        #expect(!session.isReachable)
        #expect(await eventually { session.isReachable })
        #expect(session.home.exists("runtime/socket"))
        // As at a logout: the folder is removed, and cannot be made again.
        try FileManager.default.removeItem(atPath: session.home.path("runtime"))
        try session.home.write("", to: "runtime")
        #expect(await eventually { session.isReachable })
        #expect(session.home.exists(session.name + "/socket"))
        testServer.kill()
    }

    @Test(
        "a server ends if programs do not find it any more, and leaves all files alone",
        arguments: ["removed", "renamed", "lock removed"]
    )
    func lostFolder(_ how: String) async throws {
        let testServer = try session.start(tasks: [taskRecord(1), taskRecord(2)])
        let client = try session.connectClient()
        #expect(await eventually { client.isReady })
        let place = session.home.path(session.name)
        switch how {
        // On the server's queue, no file of it disappears meanwhile.
        case "removed":
            try testServer.queue.sync { try FileManager.default.removeItem(atPath: place) }
        case "renamed": try #require(rename(place, place + "~") == 0)
        default: try #require(unlink(place + "/lock") == 0)
        }
        if how != "lock removed" {
            try session.home.write("of another session", to: session.name + "/socket")
        }
        #expect(await eventually { testServer.hasEnded.withLock { $0 } })
        #expect(await eventually { client.isOver })
        #expect(testServer.transfers.log.withLock { $0.cancelled } == [])
        #expect(session.home.exists(session.name + "/journal") == (how == "lock removed"))
        #expect(session.home.exists(session.name + "/socket") == (how != "lock removed"))
    }

    @Test("a server continues while the path of its folder cannot be examined")
    func unreadableFolder() async throws {
        let testServer = try session.start(tasks: [taskRecord(1)])
        let place = session.home.path(session.name)
        // A link to itself is an error other than a missing file. On the server's queue, the server does not
        // see the moment without a folder.
        let isHidden = testServer.queue.sync {
            rename(place, place + "~") == 0 && symlink(place, place) == 0
        }
        #expect(isHidden)
        // The server has looked for its folder once it has closed the socket, which clients do not find.
        let moved = SocketAddress(path: place + "~/socket")
        let isClosed = try await eventually {
            guard let socket = try moved.connect() else { return true }
            try socket.descriptor.close()
            return false
        }
        #expect(isClosed)
        #expect(!testServer.hasEnded.withLock { $0 })
        let isBack = testServer.queue.sync {
            unlink(place) == 0 && rename(place + "~", place) == 0
        }
        #expect(isBack)
        #expect(await eventually { session.isReachable })
        testServer.kill()
    }

    @Test("a new client can attach before the server has noticed that the last one disconnected")
    func unreadEnd() async throws {
        let testServer = try session.start()
        let first = try session.connectClient()
        #expect(await eventually { first.isReady })
        var ends: [CInt] = [-1, -1]
        let kind = CInt(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
        let (mine, theirs) = (FileDescriptor(rawValue: ends[0]), FileDescriptor(rawValue: ends[1]))
        let second = SocketClient(try PeerSocket(mine))
        let socket = try PeerSocket(theirs)
        second.begin(.attach)
        // One block on the server's queue: the second client's handshake arrives before the end of the
        // first client.
        let isTaken = inspect(testServer) { server in
            first.leave()
            let numbers = Set(server.connections.keys)
            server.take(socket)
            let new = server.connections.first { !numbers.contains($0.key) }
            new?.value.connection.catchUp()
            return server.connections.count == 1
        }
        #expect(isTaken == true)
        #expect(await eventually { second.isReady || second.isOver })
        #expect(second.isReady)
        second.leave()
        #expect(await eventually { testServer.hasEnded.withLock { $0 } })
    }

    @Test("a client with invalid task numbers is refused, and other clients are served")
    func numbers() async throws {
        let testServer = try session.start()
        let controlClient = try session.connectClient(.control)
        controlClient.send(.make(tasks: [taskRecord(.max), taskRecord(0)]))
        let last = BackgroundTaskRecord.lastNumber
        let refusal = BackgroundReply.refused(
            tasks: [.max, last + 1],
            code: URLError.Code.resourceUnavailable.rawValue,
            detail: "a task cannot have the number \(Int.max)"
        )
        #expect(await eventually { controlClient.has(refusal) })
        controlClient.send(.make(tasks: [taskRecord(0)]))
        #expect(await eventually { controlClient.has(.made(tasks: [1])) })
        controlClient.send(.cancel(tasks: [.max, .min, 1]))
        #expect(await eventually { controlClient.has(.done(error: nil)) })
        controlClient.leave()
        #expect(await eventually { testServer.hasEnded.withLock { $0 } })
    }
}
