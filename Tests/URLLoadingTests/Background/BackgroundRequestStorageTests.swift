import Dispatch
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import URLLoading

/// Calls of a program that may end as soon as they return.
@Suite("Requests of a program that exits", .timeLimit(.minutes(1)))
struct BackgroundRequestStorageTests {
    private let fixture: BackgroundFixture

    init() throws {
        fixture = try BackgroundFixture()
    }

    /// The state of the journal, as the next transfer process would read it.
    private var state: BackgroundState {
        get throws {
            let text = fixture.session.home.readText(fixture.session.name + "/journal")
            return try read(try #require(text))
        }
    }

    private func read(_ journal: String) throws -> BackgroundState {
        struct Line: Decodable {
            let record: JournalRecord
        }
        let lines = journal.split(separator: "\n").dropFirst()
        return try BackgroundState(
            lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)).record }
        )
    }

    @Test("B-01 a request is on the disk when its call returns")
    func orders() async throws {
        let session = fixture.open(BackgroundDelegate())
        let tasks = try (1...20).map { session.downloadTask(with: try fixture.url($0)) }
        for task in tasks {
            task.resume()
            let found = try state
            #expect(found.tasks[task.taskIdentifier]?.isLive == true)
            #expect(found.tasks.count == task.taskIdentifier)
        }
        tasks[0].suspend()
        #expect(try state.tasks[1]?.phase == .held)
        tasks[0].resume()
        #expect(try state.tasks[1]?.isLive == true)
        tasks[1].cancel()
        let now = try state.tasks
        #expect(now[1]?.hasEnded == false && now[2]?.hasEnded != false)
        let last = session.downloadTask(with: try fixture.url(21))
        session.finishTasksAndInvalidate()
        #expect(try state.tasks[last.taskIdentifier]?.phase == .held)
        session.invalidateAndCancel()
        // After the last event, the transfer process removes the session's folder with its journal.
        let text = fixture.session.home.readText(fixture.session.name + "/journal")
        if let text { #expect(try read(text).tasks.values.allSatisfy(\.hasEnded)) }
    }

    @Test("B-01 a call does not block if its request cannot be stored")
    func stalledServer() async throws {
        let delegate = BackgroundDelegate()
        var dependencies = fixture.dependencies
        dependencies.timeout = .milliseconds(300)
        let session = fixture.open(delegate, dependencies: dependencies)
        let testServer = try #require(fixture.testServer)
        let mayGo = DispatchSemaphore(value: 0)
        testServer.queue.async { mayGo.wait() }
        let task = session.downloadTask(with: try fixture.url(1))
        let began = ContinuousClock.now
        task.resume()
        #expect(ContinuousClock.now - began < .seconds(5))
        mayGo.signal()
        #expect(await eventually { testServer.transfers.started == [1] })
        session.invalidateAndCancel()
        #expect(await eventually { delegate.isInvalid })
        // This call has nothing to wait for.
        task.resume()
    }

    @Test("a request is the same after it was stored and read")
    func request() throws {
        var request = URLRequest(url: try #require(URL(string: "https://me:pw@example.org/a?b#c")))
        request.httpMethod = "GET"
        request.headerFields.add("one", to: "X-A")
        request.headerFields.add("two", to: "x-a")
        request.setValue("Bearer s", forHTTPHeaderField: "Authorization")
        request.httpShouldHandleCookies = false
        let stored = try #require(StoredRequest(request))
        #expect(stored.timeout == nil)
        let again = try #require(
            try JSONDecoder().decode(
                StoredRequest.self,
                from: try JSONEncoder().encode(stored)
            ).request
        )
        #expect(again.url == request.url)
        #expect(again.headerFields == request.headerFields)
        #expect(!again.httpShouldHandleCookies)
        #expect(again.ownTimeout == nil)
        request.timeoutInterval = .infinity
        #expect(StoredRequest(request)?.timeout == 0)
        #expect(StoredRequest(request)?.request?.timeoutInterval == 0)
        request.timeoutInterval = 2.5
        #expect(StoredRequest(request)?.request?.timeoutInterval == 2.5)
    }
}
