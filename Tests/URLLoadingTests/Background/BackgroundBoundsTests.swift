import Dispatch
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import URLLoading

/// Numbers outside their bounds, from a journal or over the socket.
@Suite("Bounds of numbers in background sessions", .timeLimit(.minutes(1)))
struct BackgroundBoundsTests {
    @Test(
        "an invalid task number is refused with a reason, and changes nothing",
        arguments: [Int.max, BackgroundTaskRecord.lastNumber + 1, 0, -1, .min]
    )
    func taskNumber(_ number: Int) {
        var machine = BackgroundStateMachine(
            BackgroundState([.session(settings: sessionSettings())])
        )
        let before = machine.state
        let made = machine.take([.make([taskRecord(1), taskRecord(number)], from: 7)], at: 1)
        let reason = "a task cannot have the number \(number)"
        let code = URLError.Code.resourceUnavailable.rawValue
        let refusal = BackgroundReply.refused(tasks: [1, number], code: code, detail: reason)
        #expect(made.effects == [.reply(connection: 7, refusal)])
        #expect(made.records.isEmpty)
        // A request with this number applies to no task.
        let ordered = machine.take(
            [
                .resume(task: number), .suspend(task: number), .cancel(task: number),
                .challengeDecided(task: number), .displaced(task: number), .sent(task: number, nil),
            ],
            at: 1
        )
        #expect(ordered.effects.isEmpty)
        #expect(ordered.records.isEmpty)
        #expect(machine.state == before)
    }

    @Test("an event is found behind numbers that are not there")
    func gaps() {
        let last = BackgroundState.lastSequence - 1
        let records: [JournalRecord] = [
            .session(settings: sessionSettings()),
            .event(sequence: last, event: .allDone(counts: BackgroundCounts())),
        ]
        var machine = BackgroundStateMachine(BackgroundState(records))
        _ = machine.take([.attach(AttachRequest(connection: 1, process: 77))], at: 1)
        #expect(machine.nextDelivery()?.sequence == last)
        #expect(machine.nextDelivery() == nil)
    }

    @Test("an event of a move has a valid number", arguments: [Int.max, .min, 0, 1 << 50])
    func moved(_ sequence: Int) {
        let placement = BackgroundPlacement(
            file: receivedFile(1),
            target: "/home/me/a.iso",
            replaces: true
        )
        let state = BackgroundState([
            .session(settings: sessionSettings()), .made(task: taskRecord(1)), .resumed(task: 1),
            .placing(task: 1, placement: placement), .placed(task: 1, sequence: sequence),
        ])
        #expect(state.events.isEmpty)
        #expect(state.tasks[1]?.phase == .placing(placement))
    }

    @Test("of a response's fields, those are stored that fit")
    func longFields() throws {
        let long = String(repeating: "\u{1}", count: 100_000)
        var header = HTTPHeaderFields()
        for number in 0..<9 { header.add(long, to: "X-\(number)") }
        header.add("\"a\"", to: "ETag")
        for _ in 0..<100 { header.add(String(long.prefix(500)), to: "X-Short") }
        let stored = StoredHeader(header, limit: StoredResponse.fieldsLimit)
        #expect(stored.all.first?.name == "ETag")
        let names = stored.all.map(\.name)
        #expect(names.count { $0 == "X-Short" } == 5)
        #expect(try JSONBytes.encode(stored).count <= StoredResponse.fieldsLimit)
        #expect(StoredHeader(header).all.count == 110)
    }

    @Test("a journal above its limit takes no new work, and takes the ends of tasks")
    func largeJournal() throws {
        let session = try BackgroundSession()
        let folder = try session.open()
        let format = JournalFormat(version: 2, readers: [:], sizeLimit: 1_000)
        let first = [JournalRecord.session(settings: sessionSettings())]
        var journal = try Journal.make(first, in: folder.folder, format: format)
        let made = (1...10).map { JournalRecord.made(task: taskRecord($0)) }
        try journal.append(made, beginsWork: true)
        let path = folder.folder.place("journal")
        #expect(throws: BackgroundError.tooLarge(path: path)) {
            try journal.append(made, beginsWork: true)
        }
        try journal.append(first, beginsWork: false)
    }

    @Test("a task can have the highest number, and no task follows it")
    func lastNumber() {
        let last = BackgroundTaskRecord.lastNumber
        var machine = BackgroundStateMachine(
            BackgroundState([.session(settings: sessionSettings())])
        )
        let made = machine.take([.make([taskRecord(last)], from: 1)], at: 1)
        #expect(made.effects == [.reply(connection: 1, .made(tasks: [last]))])
        let refused = machine.take([.make([taskRecord(last + 1)], from: 1)], at: 1)
        guard case .reply(1, .refused)? = refused.effects.first else {
            Issue.record("\(refused.effects)")
            return
        }
        #expect(BackgroundStatus(machine, process: nil)?.counters.lastTask == last)
    }

    @Test("counters in a journal are limited to valid values")
    func journal() {
        for number in [Int.max, .min] {
            var counters = BackgroundCounters()
            counters.lastTask = number
            counters.lastEvent = number
            counters.offered = number
            counters.doubted = number
            counters.acknowledged = number
            counters.counts = BackgroundCounts(succeeded: number, failed: number)
            counters.command = BackgroundCommandRun(
                number: number,
                reason: .credential(task: number),
                isRunning: true
            )
            var state = BackgroundState([.session(settings: sessionSettings(command: "true"))])
            state.apply(.figures(figures: counters))
            var machine = BackgroundStateMachine(state)
            _ = machine.begin(at: 1)
            _ = machine.take([.attach(AttachRequest(connection: 1, process: 1))], at: 1)
            _ = machine.take([.make([taskRecord(1)], from: 1), .resume(task: 1)], at: 1)
            _ = machine.take([.failed(task: 1, .lost, nil), .discard], at: 1)
            _ = machine.take([.acknowledge(sequence: number, from: 1)], at: 1)
            while machine.nextDelivery() != nil {}
            #expect((0...BackgroundState.lastSequence).contains(machine.state.counters.lastEvent))
            #expect(
                BackgroundState(machine.state.history).counters.lastTask
                    == machine.state.counters.lastTask
            )
        }
    }

    @Test("the count of failed attempts does not overflow")
    func attempts() {
        for attempts in [Int.max, .min] {
            let retry = BackgroundRetry(attempts: attempts, until: 1, error: .lost)
            let state = BackgroundState([
                .session(settings: sessionSettings()), .made(task: taskRecord(1)),
                .waiting(task: 1, retry: retry),
            ])
            guard case .active(let known?)? = state.tasks[1]?.phase else {
                Issue.record("it waits")
                return
            }
            #expect((0...BackgroundRetry.lastAttempt).contains(known.attempts))
            var counter = AttemptCounter(.background(tries: nil), failed: known.attempts)
            let failure = RetryFailure(event: .error(URLError(.timedOut)), method: "GET")
            let decision = counter.decision(on: failure, reached: 0, timeLeft: nil)
            guard case .retry(let wait, _) = decision else {
                Issue.record("\(decision)")
                return
            }
            #expect(wait.duration <= .seconds(300))
        }
    }

    private func read(_ count: Int64) throws -> BackgroundProgress {
        let text = """
            {"task":1,"received":\(count),"expectedToReceive":\(count),"sent":\(count),\
            "expectedToSend":\(count)}
            """
        return try JSONDecoder().decode(BackgroundProgress.self, from: Data(text.utf8))
    }

    @Test("a count of bytes is never negative, and a total may be unknown")
    func counts() throws {
        for (stored, count, whole) in [
            (Int64.min, Int64(0), Int64(-1)), (-2, 0, -1), (-1, 0, -1), (0, 0, 0), (7, 7, 7),
            (.max, .max, .max),
        ] {
            let progress = try read(stored)
            #expect([progress.received, progress.sent] == [count, count])
            #expect([progress.expectedToReceive, progress.expectedToSend] == [whole, whole])
            let again = try JSONDecoder().decode(
                BackgroundProgress.self,
                from: try JSONEncoder().encode(progress)
            )
            #expect(again == progress)
        }
    }

    @Test("progress with any numbers, in any order, does not overflow")
    func progress() async throws {
        let fixture = try BackgroundFixture()
        let delegate = BackgroundDelegate()
        let session = fixture.open(delegate)
        let download = session.downloadTask(with: try #require(URL(string: "http://h.test/1")))
        download.resume()
        let testServer = try #require(fixture.testServer)
        #expect(await eventually { testServer.transfers.started == [1] })
        for count in [Int64.max, .min, -1, 0, .max, 1] {
            let progress = BackgroundProgress(
                task: 1,
                received: count,
                expectedToReceive: count,
                sent: count,
                expectedToSend: count
            )
            _ = testServer.queue.sync { testServer.inspect { $0.sendProgress(progress) } }
            #expect(
                await eventually {
                    download.countOfBytesReceived == max(0, count)
                        && download.countOfBytesExpectedToReceive == max(-1, count)
                }
            )
            #expect((0...1).contains(download.progress.fractionCompleted))
        }
        // A later client gets the last progress.
        session.detach()
        #expect(await eventually { delegate.isInvalid })
        let next = BackgroundDelegate()
        let later = fixture.open(next)
        #expect(await later.allTasks.first?.countOfBytesReceived == 1)
        later.invalidateAndCancel()
        #expect(await eventually { next.isInvalid })
    }
}
