import Dispatch
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import URLLoading

/// Transfer processes that are killed while a program is attached.
@Suite("Background sessions whose transfer process is lost", .timeLimit(.minutes(2)))
struct BackgroundLossTests {
    /// Runs six tasks to their ends, while transfer processes are killed at random steps.
    private func run(seed: UInt64) async throws {
        let fixture = try BackgroundFixture()
        let random = Mutex(PseudoRandom(seed: seed))
        let deaths = Mutex(0)
        fixture.kills.withLock { kills in
            kills = {
                let isFatal = random.withLock { $0.next() % 4 == 0 }
                guard isFatal else { return false }
                // One below the limit at which the session fails.
                return deaths.withLock { deaths in
                    deaths += 1
                    return deaths <= 4
                }
            }
        }
        fixture.outcome.withLock { outcome in
            outcome = { [weak fixture] task in
                task.identifier % 3 == 0
                    ? .failed(task: task.identifier, .lost, nil) : fixture?.receive(task.identifier)
            }
        }
        let delegate = BackgroundDelegate()
        let session = fixture.open(delegate)
        for number in 1...6 {
            let url = try #require(URL(string: "http://h.test/\(number)"))
            session.downloadTask(with: url).resume()
        }
        session.finishTasksAndInvalidate()
        #expect(await eventually { delegate.isInvalid }, "seed \(seed)")
        #expect(delegate.has(.invalid(nil)), "seed \(seed): \(delegate.failures)")
        let events = delegate.reported.filter { if case .wrote = $0.call { false } else { true } }
        #expect(!events.contains { $0.isRedelivery }, "seed \(seed)")
        let numbers = events.map(\.sequence)
        #expect(numbers == Array(1..<(numbers.count + 1)), "seed \(seed)")
        let isAllDone = events.filter { $0.call == .allDone }.count
        #expect(isAllDone >= 1, "seed \(seed)")
        #expect(numbers.count == 4 + 6 + isAllDone, "seed \(seed)")
        for number in 1...6 {
            let code: URLError.Code? = number % 3 == 0 ? .networkConnectionLost : nil
            #expect(
                events.filter { $0.call == .completed(number, code) }.count == 1,
                "seed \(seed)"
            )
        }
    }

    // Ten seeds for each case: on a slow disk, all seeds would exceed the time limit of a test.
    @Test(
        "B-02 killing the transfer process at any step neither loses nor repeats an event",
        arguments: 0..<UInt64(10)
    )
    func anyStep(ten: UInt64) async throws {
        for seed in 1...10 { try await run(seed: 10 * ten + UInt64(seed)) }
    }

    @Test("B-02 a slow delegate gets each event once, whichever process dies meanwhile")
    func slow() async throws {
        let fixture = try BackgroundFixture()
        fixture.outcome.withLock { outcome in
            outcome = { [weak fixture] in fixture?.receive($0.identifier) }
        }
        let gate = DispatchSemaphore(value: 0)
        let isIn = Flag()
        let delegate = BackgroundDelegate { call, _ in
            guard case .finished(1, _) = call else { return }
            isIn.raise()
            gate.wait()
        }
        let session = fixture.open(delegate)
        for number in 1...3 {
            let url = try #require(URL(string: "http://h.test/\(number)"))
            session.downloadTask(with: url).resume()
        }
        #expect(await eventually { isIn.isUp })
        let testServer = try #require(fixture.testServer)
        testServer.kill()
        #expect(await eventually { fixture.testServers.withLock { $0.count } == 2 })
        let next = try #require(fixture.testServer)
        #expect(await eventually { (next.queue.sync { next.undelivered } ?? 0) >= 7 })
        #expect(delegate.reported.isEmpty)
        gate.signal()
        session.finishTasksAndInvalidate()
        #expect(await eventually { delegate.isInvalid })
        let events = delegate.reported.filter { if case .wrote = $0.call { false } else { true } }
        #expect(events.map(\.sequence) == Array(1..<(events.count + 1)))
        #expect(events.filter { $0.call != .allDone }.count == 6)
        #expect(!events.contains { $0.isRedelivery })
    }

    @Test("an event during whose call the program ended is redelivered, with a flag")
    func doubted() async throws {
        let fixture = try BackgroundFixture()
        fixture.outcome.withLock { outcome in
            outcome = { [weak fixture] in fixture?.receive($0.identifier) }
        }
        let gate = DispatchSemaphore(value: 0)
        let isIn = Flag()
        let first = BackgroundDelegate { call, _ in
            guard case .completed = call else { return }
            isIn.raise()
            gate.wait()
        }
        let session = fixture.open(first)
        session.downloadTask(with: try #require(URL(string: "http://h.test/1"))).resume()
        #expect(await eventually { isIn.isUp })
        // As at the end of the program's process: the kernel closes the socket.
        let attachment = try #require(session.attachment)
        let cursor = try #require(session.backgroundCursor)
        #expect(cursor.sequence == 1)
        attachment.sync { $0.endAttachment() }
        let testServer = try #require(fixture.testServer)
        #expect(await eventually { testServer.queue.sync { !testServer.isAttached } })
        let second = BackgroundDelegate()
        let next = fixture.open(second)
        next.finishTasksAndInvalidate()
        #expect(await eventually { second.isInvalid })
        #expect(second.reported.map(\.call) == [.completed(1, nil), .allDone])
        #expect(second.reported.map(\.isRedelivery) == [true, true])
        gate.signal()
    }

    @Test("a program with a cursor gets no event twice")
    func seen() async throws {
        let fixture = try BackgroundFixture()
        fixture.outcome.withLock { outcome in
            outcome = { [weak fixture] in fixture?.receive($0.identifier) }
        }
        let first = BackgroundDelegate()
        let session = fixture.open(first)
        let attachment = try #require(session.attachment)
        // No event is ever acknowledged.
        attachment.sync { $0.acknowledged = .max }
        session.downloadTask(with: try #require(URL(string: "http://h.test/1"))).resume()
        #expect(await eventually { first.has(.allDone) })
        let cursor = try #require(session.backgroundCursor)
        #expect(cursor.sequence == 3)
        attachment.sync { $0.endAttachment() }
        let testServer = try #require(fixture.testServer)
        #expect(await eventually { testServer.queue.sync { !testServer.isAttached } })
        let second = BackgroundDelegate()
        let next = fixture.open(second) {
            $0.background.seen = BackgroundCursor(token: cursor.token, sequence: 2)
        }
        next.finishTasksAndInvalidate()
        #expect(await eventually { second.isInvalid })
        #expect(second.reported.map(\.call) == [.allDone])
    }

    @Test("a transfer process that is lost five times in a row is an error")
    func fiveTimes() async throws {
        let fixture = try BackgroundFixture()
        let delegate = BackgroundDelegate()
        let session = fixture.open(delegate)
        let task = session.downloadTask(with: try #require(URL(string: "http://h.test/1")))
        task.resume()
        for number in 1...5 {
            #expect(await eventually { fixture.testServers.withLock { $0.count } == number })
            let testServer = try #require(fixture.testServer)
            #expect(await eventually { testServer.queue.sync { testServer.isAttached } })
            testServer.kill()
        }
        #expect(await eventually { delegate.isInvalid })
        #expect(delegate.calls.last == .invalid(.backgroundSessionWasDisconnected))
        #expect(delegate.has(.completed(1, .backgroundSessionWasDisconnected)))
        #expect((task.error as? URLError)?.code == .backgroundSessionWasDisconnected)
        let late = session.downloadTask(with: try #require(URL(string: "http://h.test/2")))
        #expect(late.state == .completed)
        #expect((late.error as? URLError)?.code == .backgroundSessionWasDisconnected)
    }
}

extension ScriptedServer {
    /// Whether a client is attached; call it on the queue.
    var isAttached: Bool { inspect { $0.attached != nil } == true }
}
