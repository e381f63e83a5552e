import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import URLLoading

/// The end of a program's part in a session that continues.
@Suite("Detached background sessions", .timeLimit(.minutes(1)))
struct BackgroundDetachmentTests {
    private let fixture: BackgroundFixture

    init() throws {
        fixture = try BackgroundFixture()
    }

    @Test(
        "a refused event is reported to the next program, and does not delay the session's end",
        arguments: [BackgroundDelegate.Call.finished(1, "body 1"), .completed(1, nil), .allDone]
    )
    func refused(_ refused: BackgroundDelegate.Call) async throws {
        fixture.outcome.withLock { outcome in
            outcome = { [weak fixture] task in
                fixture?.receive(task.identifier, "body \(task.identifier)")
            }
        }
        let first = BackgroundDelegate { call, session in
            if call == refused { session.detachRefusingEvent() }
        }
        var dependencies = fixture.dependencies
        dependencies.timeout = .seconds(3_600)
        let session = fixture.open(first, dependencies: dependencies)
        session.downloadTask(with: try fixture.url(1)).resume()
        session.finishTasksAndInvalidate()
        #expect(await eventually { first.isInvalid })
        let last = try #require(first.reported.last)
        #expect(last.call == refused)

        let second = BackgroundDelegate()
        let next = fixture.open(second)
        next.finishTasksAndInvalidate()
        #expect(await eventually { second.isInvalid })
        let again = try #require(second.reported.first)
        #expect(again.sequence == last.sequence)
        #expect(again.call == refused)
        #expect(second.reported.last?.call == .allDone)
    }

    @Test("an event during a detachment is reported by this session or the next one")
    func detaching() async throws {
        let first = BackgroundDelegate()
        let session = fixture.open(first)
        for number in 1...3 { session.downloadTask(with: try fixture.url(number)).resume() }
        let testServer = try #require(fixture.testServer)
        #expect(await eventually { testServer.transfers.started == [1, 2, 3] })
        let attachment = try #require(session.attachment)
        // One block on the attachment's queue: the events arrive after the call, and before its effect.
        attachment.sync { [fixture] attachment in
            for number in 1...3 { fixture.report(fixture.receive(number)) }
            var sent: Int? = 0
            while sent.map({ $0 < 7 }) ?? false {
                sent = testServer.queue.sync {
                    testServer.inspect { $0.journaled.machine.attachment?.cursor } ?? nil
                }
            }
            session.detach()
            attachment.client?.assumeIsolated { $0.connection?.catchUp() }
        }
        #expect(await eventually { first.isInvalid })
        #expect(await session.allTasks.isEmpty)
        let second = BackgroundDelegate()
        let next = fixture.open(second)
        next.finishTasksAndInvalidate()
        #expect(await eventually { second.isInvalid })
        let reported = first.reported + second.reported
        #expect(reported.map(\.sequence) == Array(1...7))
        for number in 1...3 {
            #expect(reported.filter { $0.call == .completed(number, nil) }.count == 1)
        }
    }

    @Test("a session without a reference is released, and so is its connection")
    func released() async throws {
        weak var gone: URLSession?
        do {
            let session = fixture.open(BackgroundDelegate())
            gone = session
            #expect(session.configuration.identifier == BackgroundSession.identifier)
        }
        let testServer = try #require(fixture.testServer)
        #expect(await eventually { testServer.hasEnded.withLock { $0 } })
        #expect(gone == nil)
    }
}
