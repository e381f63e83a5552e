import FoundationEssentials
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import URLLoading

/// Programs that only watch, and control clients that make tasks.
@Suite("Watched background sessions", .timeLimit(.minutes(1)))
struct BackgroundWatchTests {
    private let fixture: BackgroundFixture

    init() throws {
        fixture = try BackgroundFixture()
    }

    private func connect(_ purpose: BackgroundHandshake.Purpose) throws -> SocketClient {
        try fixture.session.connect(purpose)
    }

    private func record() -> BackgroundTaskRecord { taskRecord(0) }

    @Test("no other program makes tasks while one is attached")
    func attached() async throws {
        let delegate = BackgroundDelegate()
        let session = fixture.open(delegate)
        let controlClient = try connect(.control)
        controlClient.send(.make(tasks: [record()]))
        #expect(
            await eventually {
                controlClient.has(
                    .refused(
                        tasks: [1],
                        code: URLError.Code.resourceUnavailable.rawValue,
                        detail: "a program is attached to it: process \(getpid())"
                    )
                )
            }
        )
        controlClient.leave()
        session.finishTasksAndInvalidate()
        #expect(await eventually { delegate.isInvalid })
    }

    @Test("a watching program gets the tasks, requests and ends of others")
    func watching() async throws {
        let maker = BackgroundDelegate()
        let making = fixture.open(maker)
        let url = try #require(URL(string: "http://h.test/1"))
        making.downloadTask(with: url).resume()
        making.detach()
        #expect(await eventually { maker.isInvalid })
        let delegate = BackgroundDelegate()
        let session = fixture.open(delegate) { $0.background.watches = true }
        #expect(await session.allTasks.map(\.taskIdentifier) == [1])
        let own = session.downloadTask(with: url)
        #expect((own.error as? URLError)?.code == .resourceUnavailable)
        let controlClient = try connect(.control)
        controlClient.send(.make(tasks: [record(), record()]))
        #expect(await eventually { controlClient.has(.made(tasks: [2, 3])) })
        #expect(await eventually { await session.allTasks.map(\.taskIdentifier) == [1, 2, 3] })
        #expect(await session.allTasks.map(\.state) == [.running, .suspended, .suspended])
        controlClient.send(.resume(tasks: [3]))
        #expect(await eventually { await session.allTasks.last?.state == .running })
        controlClient.send(.suspend(tasks: [1]))
        #expect(await eventually { await session.allTasks.first?.state == .suspended })
        fixture.report(fixture.receive(3))
        #expect(await eventually { delegate.has(.completed(3, nil)) })
        await session.allTasks.first?.cancel()
        #expect(await eventually { delegate.has(.completed(1, .cancelled)) })
        controlClient.send(.discard)
        #expect(await eventually { delegate.has(.completed(2, .cancelled)) })
        controlClient.leave()
        session.finishTasksAndInvalidate()
        #expect(await eventually { delegate.isInvalid })
        #expect(delegate.has(.invalid(nil)))
    }

    @Test("a watching program fails without a session")
    func absent() async throws {
        let delegate = BackgroundDelegate()
        let session = fixture.open(delegate) { $0.background.watches = true }
        #expect(await eventually { delegate.isInvalid })
        #expect(delegate.failures.first?.contains("there is no background session") == true)
        #expect(!fixture.session.home.exists(fixture.session.name))
        _ = session
    }

    @Test("a session lists all tasks, even if they exceed a frame")
    func many() async throws {
        let maker = BackgroundDelegate()
        let making = fixture.open(maker)
        let url = try #require(URL(string: "http://h.test/1"))
        let tasks = (1...1_200).map { _ in making.downloadTask(with: url) }
        tasks.last?.suspend()
        making.detach()
        #expect(await eventually { maker.isInvalid })
        let delegate = BackgroundDelegate()
        let session = fixture.open(delegate)
        #expect(await session.allTasks.count == 1_200)
        session.invalidateAndCancel()
        #expect(await eventually { delegate.isInvalid })
        #expect(delegate.reported.filter { $0.call != .allDone }.count == 1_200)
    }
}
