import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import URLLoading

/// Servers in the test's process, with scripted transfers, and with real files and sockets.
@Suite("Server of a background session", .timeLimit(.minutes(1)))
struct BackgroundServerTests {
    private let session: BackgroundSession
    private let identifier: BackgroundIdentifier

    init() throws {
        session = try BackgroundSession()
        identifier = try BackgroundIdentifier(BackgroundSession.identifier)
    }

    @Test("tasks are made, carried out and reported, and then the session is removed")
    func whole() async throws {
        let testServer = try session.start()
        let client = try session.connectClient()
        #expect(await eventually { client.isReady })
        client.send(.make(tasks: [taskRecord(1), taskRecord(2)]))
        #expect(await eventually { client.has(.made(tasks: [1, 2])) })
        client.send(.resume(tasks: [1, 2]))
        #expect(await eventually { client.has(.done(error: nil)) })
        #expect(await eventually { testServer.transfers.started == [1, 2] })
        try session.home.write("body", to: session.name + "/files/1.part")
        let path = session.home.path(session.name + "/files/1.part")
        let file = try #require(BackgroundFile(path))
        testServer.report(.received(task: 1, file: file, nil))
        testServer.report(.failed(task: 2, .lost, nil))
        #expect(await eventually { client.deliveries.count == 4 })
        #expect(client.deliveries.map(\.sequence) == [1, 2, 3, 4])
        #expect(client.deliveries[0].event.file == file)
        client.send(.acknowledge(sequence: 4))
        client.leave()
        #expect(await eventually { testServer.hasEnded.withLock { $0 } })
        #expect(!session.home.exists(session.name))
    }

    @Test("a file is moved to its destination, with a number if the name exists")
    func placed() async throws {
        let testServer = try session.start()
        let client = try session.connectClient()
        let target = try session.home.write("old", to: "target")
        let task = taskRecord(1, destination: target)
        client.send(.make(tasks: [task]))
        client.send(.resume(tasks: [1]))
        #expect(await eventually { testServer.transfers.started == [1] })
        let path = try session.home.write("new", to: session.name + "/files/1.part")
        testServer.report(.received(task: 1, file: try #require(BackgroundFile(path)), nil))
        #expect(await eventually { client.deliveries.count == 3 })
        #expect(client.deliveries[0].event.file?.path == target + ".1")
        #expect(session.home.readText("target") == "old")
        #expect(session.home.readText("target.1") == "new")
        client.leave()
    }

    @Test("one client is attached, others can query, and a second gets the first one's process")
    func second() async throws {
        let testServer = try session.start()
        let client = try session.connectClient()
        #expect(await eventually { client.isReady })
        let other = try session.connectClient()
        #expect(await eventually { other.has(.inUse(process: getpid())) })
        #expect(await eventually { other.isOver })
        #expect(!client.isOver)
        let controlClient = try session.connectClient(.control)
        client.send(.make(tasks: [taskRecord(1)]))
        client.send(.resume(tasks: [1]))
        #expect(await eventually { testServer.transfers.started == [1] })
        controlClient.send(.pause)
        #expect(await eventually { controlClient.has(.done(error: nil)) })
        #expect(await eventually { testServer.transfers.log.withLock { $0.stopped } == [1] })
        #expect(controlClient.deliveries.isEmpty)
        controlClient.leave()
        client.leave()
        #expect(await eventually { testServer.hasEnded.withLock { $0 } })
        // A paused session needs no process, but keeps its state.
        #expect(session.home.exists(session.name + "/journal"))
    }

    @Test("a client of another version gets the server's version, and is disconnected")
    func version() async throws {
        let testServer = try session.start()
        let client = try session.connectClient(version: 99)
        #expect(await eventually { client.isOver })
        #expect(client.hasHandshake)
        #expect(!client.isReady)
        #expect(await eventually { testServer.hasEnded.withLock { $0 } })
    }

    @Test("the next process continues where one was killed, and sends undelivered events")
    func killed() async throws {
        let first = try session.start()
        let client = try session.connectClient()
        client.send(.make(tasks: [taskRecord(1), taskRecord(2)]))
        client.send(.resume(tasks: [1, 2]))
        #expect(await eventually { first.transfers.started == [1, 2] })
        first.report(.failed(task: 1, .lost, nil))
        #expect(await eventually { client.deliveries.count == 1 })
        first.kill()
        #expect(await eventually { client.isOver })
        let second = try session.start()
        #expect(await eventually { second.transfers.started == [2] })
        let withCursor = try session.connectClient(seen: 1)
        second.report(.failed(task: 2, .lost, nil))
        #expect(await eventually { withCursor.deliveries.count == 2 })
        #expect(withCursor.deliveries.map(\.sequence) == [2, 3])
        withCursor.leave()
        #expect(await eventually { second.hasEnded.withLock { $0 } })
        // The last client ended without an acknowledgement, and the next one has no cursor.
        let third = try session.start()
        let withoutCursor = try session.connectClient()
        #expect(await eventually { withoutCursor.deliveries.count == 2 })
        #expect(withoutCursor.deliveries.map(\.isRedelivery) == [true, true])
        withoutCursor.send(.acknowledge(sequence: 3))
        withoutCursor.leave()
        #expect(await eventually { third.hasEnded.withLock { $0 } })
        #expect(!session.home.exists(session.name))
    }

    @Test("the command is run after all tasks, with their results")
    func command() async throws {
        let testServer = try session.start(command: "notify")
        let client = try session.connectClient()
        client.send(.make(tasks: [taskRecord(1)]))
        client.send(.resume(tasks: [1]))
        client.leave()
        #expect(await eventually { testServer.transfers.started == [1] })
        testServer.report(.sent(task: 1, nil))
        #expect(await eventually { testServer.hasEnded.withLock { $0 } })
        let commands = testServer.commands.withLock { $0 }
        #expect(commands.count == 1)
        #expect(commands.first?.text == "notify")
        #expect(
            commands.first?.variables == [
                "FETCH_BACKGROUND_ID": BackgroundSession.identifier,
                "FETCH_BACKGROUND_OUTCOME": "success", "FETCH_BACKGROUND_SUCCEEDED": "1",
                "FETCH_BACKGROUND_FAILED": "0",
            ]
        )
        #expect(session.home.exists(session.name + "/journal"))
    }

    @Test("a command runs in its folder with its variables, and its status is recorded")
    func realCommand() async throws {
        let status = Mutex<Int32?>(nil)
        let text = #"printf '%s' "$FETCH_BACKGROUND_ID $PWD" >out; exit 3"#
        let command = BackgroundCommand(
            text: text,
            folder: session.home.path,
            identifier: "it's \"me\"",
            reason: .credential(task: 1)
        )
        command.run { code in status.withLock { $0 = code } }
        #expect(await eventually { status.withLock { $0 } != nil })
        #expect(status.withLock { $0 } == 3 << 8)
        #expect(session.home.readText("out") == "it's \"me\" \(session.home.path)")
    }

    @Test("a discretionary session waits for its conditions, and reports them")
    func discretionary() async throws {
        let testServer = try session.start(waits: [.mainsPower, .network])
        let client = try session.connectClient()
        client.send(.make(tasks: [taskRecord(1)]))
        client.send(.resume(tasks: [1]))
        #expect(await eventually { client.has(.done(error: nil)) })
        client.send(.status)
        let status = try #require(testServer.queue.sync { testServer.inspect { $0.status } ?? nil })
        #expect(status.waitsFor == ["mains power", "a network"])
        #expect(await eventually { client.phases == [.waiting] })
        #expect(await eventually { client.has(.status(status: status)) })
        #expect(testServer.transfers.started == [])
        client.leave()
    }

    @Test(
        "B-07 a request to this machine waits for no network",
        arguments: [
            "http://127.0.0.1:8/x", "http://[::1]/", "http://sub.localhost/", "http://h.test/",
        ]
    )
    func local(_ url: String) throws {
        var task = taskRecord(1)
        task.request.url = url
        let testServer = try session.start(waits: [.network], tasks: [task])
        let isStarted = testServer.queue.sync { testServer.transfers.started == [1] }
        #expect(isStarted == !url.contains("test"))
        testServer.kill()
    }

    @Test("a server without clients and tasks exits")
    func alone() async throws {
        let testServer = try session.start(timeout: 0.05)
        #expect(await eventually { testServer.hasEnded.withLock { $0 } })
        let found = try BackgroundClient.search(identifier, in: session.root, makes: false)
        guard case .absent = consume found else {
            Issue.record("there is nothing to come back for")
            return
        }
    }

    @Test("a client waits while a server starts, and then fails with the server's process")
    func startUp() throws {
        try session.take { _, lock in
            try lock.describe(LockHolder(process: 4_711, socket: "/nowhere/socket", version: 1))
            do throws(BackgroundError) {
                _ = try BackgroundClient.search(
                    identifier,
                    in: session.root,
                    makes: true,
                    timeout: .milliseconds(20)
                )
                Issue.record("no server responds there")
            } catch {
                #expect("\(error)".contains("4711"))
                #expect(error.urlError.code == .backgroundSessionWasDisconnected)
            }
            _ = consume lock
        }
    }
}
