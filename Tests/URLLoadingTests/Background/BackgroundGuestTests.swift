import Dispatch
import FoundationEssentials
import Glibc
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import URLLoading

/// Guests of a host who take their time, die, or say what nobody means; and hosts that wait.
@Suite("Background hosts and their guests", .timeLimit(.minutes(1)))
struct BackgroundGuestTests {
    private let session: BackgroundSession

    init() throws {
        session = try BackgroundSession()
    }

    /// Looks at a host on its queue.
    private func look<Value: Sendable>(
        _ stage: BackgroundStage,
        _ value: (isolated BackgroundServer) -> Value?
    ) -> Value? {
        stage.queue.sync { stage.look(value) ?? nil }
    }

    @Test("B-07 what the journal has is not begun at a bad time, and is when that has passed")
    func badTime() async throws {
        let tasks = [taskRecord(1), taskRecord(2)]
        let stage = try session.start(timeout: 0, waits: [.idleMachine], tasks: tasks)
        let visitor = try session.enter(.control)
        visitor.send(.status)
        let status = try #require(look(stage) { $0.status })
        #expect(status.waitsFor == ["an idle machine"])
        #expect(await eventually { visitor.has(.status(status: status)) })
        #expect(visitor.phases == [.waiting, .waiting])
        #expect(stage.transfers.started == [])
        // Nor does it end, though it has nobody to wait for.
        visitor.leave()
        #expect(await eventually { look(stage) { $0.connections.isEmpty } == true })
        #expect(!stage.hasEnded.withLock { $0 })
        stage.waits.withLock { $0 = [] }
        #expect(await eventually { stage.transfers.started == [1, 2] })
        stage.waits.withLock { $0 = [.network] }
        #expect(await eventually { stage.transfers.log.withLock { $0.stopped } == [1, 2] })
        #expect(look(stage) { $0.status }?.waitsFor == ["a network"])
        stage.kill()
    }

    @Test("who is attached and reads nothing holds nobody up, and is forgotten with its death")
    func stalled() async throws {
        let stage = try session.start()
        let program = try session.enter()
        #expect(await eventually { program.isReady })
        let tasks = (1...100).map { taskRecord($0) }
        program.send(.make(tasks: tasks))
        program.send(.resume(tasks: tasks.map(\.identifier)))
        #expect(await eventually { program.has(.done(error: nil)) })
        program.stall()
        let detail = String(repeating: "x", count: 20_000)
        let error = StoredError(URLError(.networkConnectionLost, detail: detail))
        for task in tasks { stage.report(.failed(task: task.identifier, error, nil)) }
        #expect(await eventually { look(stage) { $0.attached?.connection.isFull } == true })
        #expect(await eventually { look(stage) { $0.journaled.machine.running.isEmpty } == true })
        // Others are heard, and what they want is done.
        let visitor = try session.enter(.control)
        visitor.send(.pause)
        #expect(await eventually { visitor.has(.done(error: nil)) })
        let second = try session.enter()
        #expect(await eventually { second.has(.inUse(process: getpid())) })
        // With its death its place is free, and what it was not told is told to the next.
        program.leave()
        #expect(await eventually { look(stage) { $0.journaled.machine.attachment == nil } == true })
        #expect(await eventually { look(stage) { $0.connections.count } == 1 })
        let next = try session.enter()
        #expect(await eventually { next.deliveries.count == 101 })
        #expect(next.deliveries.map(\.sequence) == Array(1...101))
        next.send(.acknowledge(sequence: 101))
        next.leave()
        visitor.leave()
        #expect(await eventually { stage.hasEnded.withLock { $0 } })
        #expect(!session.home.exists(session.name))
    }

    @Test("who asks and asks and reads no answer is heard no more, and gone when it dies")
    func asking() async throws {
        let tasks = (1...100).map { taskRecord($0) }
        let stage = try session.start(tasks: tasks)
        let visitor = try session.enter(.control)
        visitor.stall()
        for _ in 0..<500 { visitor.send(.status) }
        let isFull = await eventually {
            look(stage) { host in host.connections.values.contains { $0.connection.isFull } }
                == true
        }
        #expect(isFull)
        let program = try session.enter()
        #expect(await eventually { program.isReady })
        program.send(.cancel(tasks: tasks.map(\.identifier)))
        #expect(await eventually { program.deliveries.count == 101 })
        visitor.leave()
        #expect(await eventually { look(stage) { $0.connections.count } == 1 })
        program.send(.acknowledge(sequence: 101))
        program.leave()
        #expect(await eventually { stage.hasEnded.withLock { $0 } })
    }

    @Test("thousands of tasks come in pages, as there is room, and before the first event")
    func pages() async throws {
        let tasks = (1...9_000).map { taskRecord($0) }
        let stage = try session.start(tasks: tasks)
        stage.report(.failed(task: 1, .lost, nil))
        let program = try session.enter()
        program.stall()
        let isFull = await eventually {
            look(stage) { server in server.attached?.connection.isFull == true } == true
        }
        #expect(isFull)
        // What is left stays in the state, and costs no memory of its own.
        let left = look(stage) { server in server.attached?.pages.first?.count ?? 0 } ?? 0
        #expect(left > 1_000)
        #expect(program.deliveries.isEmpty)
        program.goOn()
        #expect(await eventually { program.isReady })
        #expect(program.pages.flatMap(\.self) == Array(1...9_000))
        #expect(program.pages.allSatisfy { $0.count <= 500 })
        #expect(await eventually { program.deliveries.count == 1 })
        let visitor = try session.enter(.control)
        visitor.send(.status)
        #expect(await eventually { visitor.pages.map(\.count).reduce(0, +) == 9_000 })
        stage.kill()
    }

    @Test("a server whose socket is cleared away binds it anew, and elsewhere without its folder")
    func clearedSocket() async throws {
        let socket = session.home.path("runtime/socket")
        let stage = try session.start(tasks: [taskRecord(1)], socket: socket)
        #expect(session.isReachable)
        try #require(unlink(socket) == 0)
        #expect(!session.isReachable)
        #expect(await eventually { session.isReachable })
        #expect(session.home.exists("runtime/socket"))
        // As at a logout: the folder goes, and cannot be made again.
        try FileManager.default.removeItem(atPath: session.home.path("runtime"))
        try session.home.write("", to: "runtime")
        #expect(await eventually { session.isReachable })
        #expect(session.home.exists(session.name + "/socket"))
        stage.kill()
    }

    @Test("who has hung up keeps nobody out, also where the host has not heard of that yet")
    func unheardEnd() async throws {
        let stage = try session.start()
        let first = try session.enter()
        #expect(await eventually { first.isReady })
        var ends: [CInt] = [-1, -1]
        let kind = CInt(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
        let (mine, theirs) = (FileDescriptor(rawValue: ends[0]), FileDescriptor(rawValue: ends[1]))
        let peer = PeerCredentials(process: getpid(), user: geteuid())
        let second = BackgroundProgram(PeerSocket(descriptor: mine, peer: peer))
        second.begin(.attach)
        // In one turn of the host's queue: it hears of the second before the end of the first.
        let isTaken = look(stage) { host in
            first.leave()
            let numbers = Set(host.connections.keys)
            host.take(PeerSocket(descriptor: theirs, peer: peer))
            let new = host.connections.first { !numbers.contains($0.key) }
            new?.value.connection.catchUp()
            return host.connections.count == 1
        }
        #expect(isTaken == true)
        #expect(await eventually { second.isReady || second.isOver })
        #expect(second.isReady)
        second.leave()
        #expect(await eventually { stage.hasEnded.withLock { $0 } })
    }

    @Test("who numbers tasks as nobody can is told so, and the host is there for others")
    func numbers() async throws {
        let stage = try session.start()
        let visitor = try session.enter(.control)
        visitor.send(.make(tasks: [taskRecord(.max), taskRecord(0)]))
        let last = BackgroundTaskRecord.lastNumber
        let refusal = BackgroundReply.refused(
            tasks: [.max, last + 1],
            code: URLError.Code.resourceUnavailable.rawValue,
            detail: "a task cannot have the number \(Int.max)"
        )
        #expect(await eventually { visitor.has(refusal) })
        visitor.send(.make(tasks: [taskRecord(0)]))
        #expect(await eventually { visitor.has(.made(tasks: [1])) })
        visitor.send(.cancel(tasks: [.max, .min, 1]))
        #expect(await eventually { visitor.has(.done(error: nil)) })
        visitor.leave()
        #expect(await eventually { stage.hasEnded.withLock { $0 } })
    }
}
