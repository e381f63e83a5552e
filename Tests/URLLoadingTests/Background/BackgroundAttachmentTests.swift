import Dispatch
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import URLLoading

/// A program's background session.
///
/// The transfer process is a server in the test's process, at a real socket.
@Suite("Attached background sessions", .timeLimit(.minutes(1)))
struct BackgroundAttachmentTests {
    private let fixture: BackgroundFixture

    init() throws {
        fixture = try BackgroundFixture()
    }

    @Test("B-02 tasks are carried out and reported once and in order, and no file is left")
    func whole() async throws {
        fixture.outcome.withLock { outcome in
            outcome = { [weak fixture] task in
                task.identifier == 2
                    ? .failed(task: 2, .lost, nil)
                    : fixture?.receive(task.identifier, "body \(task.identifier)")
            }
        }
        let delegate = BackgroundDelegate()
        let session = fixture.open(delegate)
        let tasks = try (1...3).map { session.downloadTask(with: try fixture.url($0)) }
        #expect(tasks.map(\.taskIdentifier) == [1, 2, 3])
        #expect(tasks.map(\.state) == [.suspended, .suspended, .suspended])
        for task in tasks { task.resume() }
        session.finishTasksAndInvalidate()
        #expect(await eventually { delegate.isInvalid })
        #expect(delegate.has(.invalid(nil)))
        let events = delegate.reported
        #expect(!events.contains { $0.isRedelivery })
        #expect(events.map(\.sequence) == Array(1..<(events.count + 1)))
        // If a task ends before the next is resumed, there is an extra `allDone` event.
        #expect(events.filter { $0.call != .allDone }.count == 5)
        #expect(delegate.has(.finished(1, "body 1")))
        #expect(delegate.has(.completed(2, .networkConnectionLost)))
        #expect(events.last?.call == .allDone)
        #expect(delegate.calls.last == .invalid(nil))
        #expect((tasks[0].response as? HTTPURLResponse)?.statusCode == 200)
        #expect(tasks.map(\.state) == [.completed, .completed, .completed])
        #expect(tasks[0].error == nil)
        #expect((tasks[1].error as? URLError)?.code == .networkConnectionLost)
        #expect(session.backgroundEvent == nil)
        let testServer = try #require(fixture.testServer)
        #expect(await eventually { testServer.hasEnded.withLock { $0 } })
        #expect(!fixture.session.home.exists(fixture.session.name))
    }

    @Test("B-02 tasks that ended meanwhile are reported to the next program once, as its tasks")
    func away() async throws {
        let first = BackgroundDelegate()
        let session = fixture.open(first)
        for number in 1...3 {
            var request = URLRequest(url: try fixture.url(number))
            request.setValue("v\(number)", forHTTPHeaderField: "X-Name")
            let task = session.downloadTask(with: request)
            task.taskDescription = "task \(number)"
            task.priority = 0.75
            if number < 3 { task.resume() }
        }
        session.detach()
        #expect(await eventually { first.isInvalid })
        #expect(first.calls == [.invalid(nil)])
        #expect(await session.allTasks.isEmpty)
        let testServer = try #require(fixture.testServer)
        #expect(await eventually { testServer.transfers.started == [1, 2] })
        fixture.report(fixture.receive(1))
        #expect(await eventually { testServer.queue.sync { testServer.undelivered } == 2 })

        let second = BackgroundDelegate()
        let next = fixture.open(second)
        #expect(await next.allTasks.count >= 2)
        #expect(await eventually { second.has(.completed(1, nil)) })
        #expect(second.has(.finished(1, "body")))
        #expect(second.reported.allSatisfy { !$0.isRedelivery })
        // The session forgets a task after its delegate's last call.
        #expect(await eventually { await next.allTasks.map(\.taskIdentifier) == [2, 3] })
        let tasks = await next.allTasks
        #expect(tasks.map(\.state) == [.running, .suspended])
        #expect(tasks.map(\.taskDescription) == ["task 2", "task 3"])
        #expect(tasks.map(\.priority) == [0.75, 0.75])
        let itsURL = try fixture.url(2)
        #expect(tasks[0].originalRequest?.url == itsURL)
        #expect(tasks[0].originalRequest?.value(forHTTPHeaderField: "X-Name") == "v2")
        let fourth = next.downloadTask(with: try fixture.url(4))
        #expect(fourth.taskIdentifier == 4)
        next.invalidateAndCancel()
        #expect(await eventually { second.isInvalid })
        #expect(second.has(.completed(2, .cancelled)))
        #expect(second.has(.completed(3, .cancelled)))
        #expect(second.has(.completed(4, .cancelled)))
        #expect(await eventually { testServer.hasEnded.withLock { $0 } })
        let processes = fixture.testServers.withLock { $0.count }
        #expect(processes == 1)
    }

    @Test("requests reach the transfer process in order, and a suspended task stays suspended")
    func orders() async throws {
        let delegate = BackgroundDelegate()
        let session = fixture.open(delegate)
        let one = session.downloadTask(with: try fixture.url(1))
        let two = session.downloadTask(with: try fixture.url(2))
        two.resume()
        let testServer = try #require(fixture.testServer)
        #expect(await eventually { testServer.transfers.started == [2] })
        two.suspend()
        #expect(await eventually { testServer.transfers.log.withLock { $0.stopped } == [2] })
        #expect(two.state == .suspended)
        two.resume()
        #expect(await eventually { testServer.transfers.started == [2, 2] })
        one.cancel()
        #expect(one.state == .canceling || one.state == .completed)
        #expect(await eventually { delegate.has(.completed(1, .cancelled)) })
        async let resumeData = two.cancelByProducingResumeData()
        #expect(await eventually { testServer.transfers.log.withLock { $0.handedOver } == [2] })
        testServer.report(.partHandedOver(task: 2, resumeData: nil))
        #expect(await resumeData == nil)
        #expect(await eventually { delegate.has(.completed(2, .cancelled)) })
        session.finishTasksAndInvalidate()
        #expect(await eventually { delegate.isInvalid })
    }

    @Test("an upload's response is delivered in pieces before its end", arguments: [true, false])
    func upload(isWanted: Bool) async throws {
        let file = try fixture.session.home.write("to send", to: "to-send")
        fixture.outcome.withLock { outcome in
            outcome = { [weak fixture] in
                fixture?.receive($0.identifier, String(repeating: "x", count: 100_000))
            }
        }
        let delegate = BackgroundDelegate(disposition: isWanted ? .allow : .cancel)
        let session = fixture.open(delegate)
        session.uploadTask(with: URLRequest(url: try fixture.url(1)), fromFile: URL(filePath: file))
            .resume()
        session.finishTasksAndInvalidate()
        #expect(await eventually { delegate.isInvalid })
        let pieces: [BackgroundDelegate.Call] =
            isWanted ? [.data(1, 65_536), .data(1, 34_464)] : []
        #expect(
            delegate.reported.map(\.call) == [.response(1, 200)] + pieces
                + [.completed(1, isWanted ? nil : .cancelled), .allDone]
        )
    }

    @Test("progress, waits and challenges are reported")
    func states() async throws {
        let file = try fixture.session.home.write("to send", to: "to-send")
        let delegate = BackgroundDelegate()
        let session = fixture.open(delegate)
        let download = session.downloadTask(with: try fixture.url(1))
        let upload = session.uploadTask(
            with: URLRequest(url: try fixture.url(2)),
            fromFile: URL(filePath: file)
        )
        download.resume()
        upload.resume()
        let testServer = try #require(fixture.testServer)
        #expect(await eventually { testServer.transfers.started == [1, 2] })
        let server = try #require(testServer.server.withLock { $0 })
        server.sync { server in
            server.attached?.send(.waiting(task: 1, reason: "a network"))
            server.attached?.send(.waiting(task: 2, reason: "the moon"))
            server.sendProgress(
                BackgroundProgress(
                    task: 1,
                    received: 40,
                    expectedToReceive: 100,
                    sent: 0,
                    expectedToSend: 0
                )
            )
            server.sendProgress(
                BackgroundProgress(
                    task: 2,
                    received: 0,
                    expectedToReceive: -1,
                    sent: 5,
                    expectedToSend: 7
                )
            )
        }
        #expect(await eventually { delegate.has(.wrote(1, 40, total: 40)) })
        #expect(await eventually { delegate.has(.sent(2, 5, total: 5)) })
        #expect(delegate.has(.waiting(1)))
        #expect(!delegate.has(.waiting(2)))
        #expect(download.progress.fractionCompleted == 0.4)
        #expect(upload.countOfBytesExpectedToSend == 7)
        let challenge = ChallengeRecord(
            host: "h.test",
            port: 80,
            scheme: "http",
            realm: "r",
            method: NSURLAuthenticationMethodHTTPBasic,
            isProxy: false,
            failures: 0
        )
        fixture.report(.challenged(task: 1, challenge))
        #expect(await eventually { delegate.has(.challenge(1, "h.test")) })
        #expect(
            await eventually { testServer.transfers.log.withLock { $0.passwords } == ["secret"] }
        )
        #expect(await eventually { testServer.transfers.started == [1, 2, 1] })
        let attachment = try #require(session.attachment)
        #expect(attachment.sync { $0.reportedWaiting } == [1])
        session.invalidateAndCancel()
        #expect(await eventually { delegate.isInvalid })
        #expect(attachment.sync { $0.reportedWaiting } == [])
    }

    @Test("a later program's settings apply from then on")
    func settings() async throws {
        let first = BackgroundDelegate()
        let session = fixture.open(first) { $0.background.completionCommand = "one" }
        session.downloadTask(with: try fixture.url(1)).resume()
        session.detach()
        #expect(await eventually { first.isInvalid })
        let testServer = try #require(fixture.testServer)
        #expect(await eventually { testServer.queue.sync { !testServer.isAttached } })
        let second = BackgroundDelegate()
        let next = fixture.open(second) { $0.background.completionCommand = "two" }
        #expect(await eventually { testServer.queue.sync { testServer.command } == "two" })
        next.invalidateAndCancel()
        #expect(await eventually { second.isInvalid })
    }
}

extension ScriptedServer {
    /// The number of undelivered events; call it on the queue.
    var undelivered: Int? { inspect { $0.status?.undelivered } ?? nil }

    /// The command for the end of all tasks; call it on the queue.
    var command: String? { inspect { $0.status?.settings.command } ?? nil }
}
