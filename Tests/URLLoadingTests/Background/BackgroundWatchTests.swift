import FoundationEssentials
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import URLLoading

/// Programs that only look on, and visitors that make tasks.
@Suite("Background sessions, watched", .timeLimit(.minutes(1)))
struct BackgroundWatchTests {
    private let theatre: BackgroundTheatre

    init() throws {
        theatre = try BackgroundTheatre()
    }

    private func visit(_ purpose: BackgroundHandshake.Purpose) throws -> BackgroundProgram {
        try theatre.session.connect(purpose)
    }

    private func record() -> BackgroundTaskRecord { taskRecord(0) }

    @Test("while a program is attached nobody else makes tasks")
    func attached() async throws {
        let audience = BackgroundAudience()
        let session = theatre.open(audience)
        let visitor = try visit(.control)
        visitor.send(.make(tasks: [record()]))
        #expect(
            await eventually {
                visitor.has(
                    .refused(
                        tasks: [1],
                        code: URLError.Code.resourceUnavailable.rawValue,
                        detail: "a program is attached to it: process \(getpid())"
                    )
                )
            }
        )
        visitor.leave()
        session.finishTasksAndInvalidate()
        #expect(await eventually { audience.isInvalid })
    }

    @Test("who looks on is told of tasks that others make, of their orders, and of their ends")
    func watching() async throws {
        let maker = BackgroundAudience()
        let making = theatre.open(maker)
        let url = try #require(URL(string: "http://h.test/1"))
        making.downloadTask(with: url).resume()
        making.detach()
        #expect(await eventually { maker.isInvalid })
        let audience = BackgroundAudience()
        let session = theatre.open(audience) { $0.background.watches = true }
        #expect(await session.allTasks.map(\.taskIdentifier) == [1])
        let own = session.downloadTask(with: url)
        #expect((own.error as? URLError)?.code == .resourceUnavailable)
        let visitor = try visit(.control)
        visitor.send(.make(tasks: [record(), record()]))
        #expect(await eventually { visitor.has(.made(tasks: [2, 3])) })
        #expect(await eventually { await session.allTasks.map(\.taskIdentifier) == [1, 2, 3] })
        #expect(await session.allTasks.map(\.state) == [.running, .suspended, .suspended])
        visitor.send(.resume(tasks: [3]))
        #expect(await eventually { await session.allTasks.last?.state == .running })
        visitor.send(.suspend(tasks: [1]))
        #expect(await eventually { await session.allTasks.first?.state == .suspended })
        theatre.report(theatre.receive(3))
        #expect(await eventually { audience.has(.completed(3, nil)) })
        await session.allTasks.first?.cancel()
        #expect(await eventually { audience.has(.completed(1, .cancelled)) })
        visitor.send(.discard)
        #expect(await eventually { audience.has(.completed(2, .cancelled)) })
        visitor.leave()
        session.finishTasksAndInvalidate()
        #expect(await eventually { audience.isInvalid })
        #expect(audience.has(.invalid(nil)))
    }

    @Test("where there is no session there is nothing to look at")
    func absent() async throws {
        let audience = BackgroundAudience()
        let session = theatre.open(audience) { $0.background.watches = true }
        #expect(await eventually { audience.isInvalid })
        #expect(audience.failures.first?.contains("there is no background session") == true)
        #expect(!theatre.session.home.exists(theatre.session.name))
        _ = session
    }

    @Test("more tasks than a frame holds are all there when the session is made")
    func many() async throws {
        let maker = BackgroundAudience()
        let making = theatre.open(maker)
        let url = try #require(URL(string: "http://h.test/1"))
        let tasks = (1...1_200).map { _ in making.downloadTask(with: url) }
        tasks.last?.suspend()
        making.detach()
        #expect(await eventually { maker.isInvalid })
        let audience = BackgroundAudience()
        let session = theatre.open(audience)
        #expect(await session.allTasks.count == 1_200)
        session.invalidateAndCancel()
        #expect(await eventually { audience.isInvalid })
        #expect(audience.told.filter { $0.call != .allDone }.count == 1_200)
    }
}
