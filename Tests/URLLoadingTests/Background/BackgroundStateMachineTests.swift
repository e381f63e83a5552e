import Testing

@testable import URLLoading

@Suite("State machine of a background session")
final class BackgroundStateMachineTests {
    var machine = BackgroundStateMachine(
        BackgroundState([.session(settings: sessionSettings())]),
        limit: 2
    )

    func controlClient(
        _ connection: Int,
        process: Int32 = 77,
        seen: Int? = nil,
        token: String = "t1",
        taken: Set<Int> = []
    ) -> BackgroundInput {
        let seen = seen.map { BackgroundCursor(token: token, sequence: $0) }
        return .attach(
            AttachRequest(connection: connection, process: process, cursor: seen, taken: taken)
        )
    }

    /// Passes inputs to the state machine, one by one, and returns the effects of the last.
    @discardableResult
    func take(
        _ inputs: BackgroundInput...,
        at now: Int64 = 10
    )
        -> [BackgroundEffect]
    {
        var effects: [BackgroundEffect] = []
        for input in inputs { effects = machine.take([input], at: now).effects }
        return effects
    }

    func deliveries() -> [BackgroundDelivery] {
        var all: [BackgroundDelivery] = []
        while let next = machine.nextDelivery() { all.append(next) }
        return all
    }

    @Test("a resumed task is carried out, and its end is reported")
    func whole() {
        take(controlClient(1))
        #expect(
            take(.make([taskRecord(1)], from: 1)) == [.reply(connection: 1, .made(tasks: [1]))]
        )
        #expect(take(.resume(task: 1)) == [.start(task: taskRecord(1))])
        #expect(take(.resume(task: 1)) == [])
        #expect(take(.received(task: 1, file: receivedFile(1), nil)) == [.deliver])
        let reported = deliveries()
        #expect(
            reported.map(\.event) == [
                .finished(task: 1, file: receivedFile(1), response: nil),
                .completed(task: 1, error: nil, response: nil),
                .allDone(counts: BackgroundCounts(succeeded: 1, failed: 0)),
            ]
        )
        #expect(reported.map(\.sequence) == [1, 2, 3])
        #expect(!reported.contains { $0.isRedelivery })
        #expect(!machine.isIdle)
        #expect(take(.acknowledge(sequence: 3, from: 1)) == [.forget(tasks: [1])])
        take(.detach(connection: 1))
        #expect(machine.isIdle)
        #expect(machine.state.isSpent)
    }

    @Test("the most urgent tasks run first, no more than the limit at once")
    func limit() {
        let tasks = [taskRecord(1), taskRecord(2), taskRecord(3), taskRecord(4, priority: 0.75)]
        take(.make(tasks, from: 1))
        take(.pause, .resume(task: 1), .resume(task: 2), .resume(task: 3), .resume(task: 4))
        #expect(machine.isIdle)
        #expect(take(.resumeAll) == [.start(task: tasks[3]), .start(task: tasks[0])])
        #expect(take(.failed(task: 4, .lost, nil)) == [.start(task: tasks[1])])
        #expect(take(.suspend(task: 1)) == [.stop(task: 1), .start(task: tasks[2])])
        #expect(take(.received(task: 1, file: receivedFile(1), nil)) == [])
        #expect(take(.pause) == [.stop(task: 2), .stop(task: 3)])
        #expect(machine.running.isEmpty)
    }

    @Test("a repeated request makes no second task, and no number is used twice")
    func numbers() {
        take(.make([taskRecord(1), taskRecord(3)], from: 1))
        #expect(
            take(.make([taskRecord(3), taskRecord(4)], from: 1))
                == [.reply(connection: 1, .made(tasks: [3, 4]))]
        )
        for tasks in [
            [taskRecord(2)], [taskRecord(5), taskRecord(5)], [taskRecord(4, priority: 1)],
        ] {
            let effects = take(.make(tasks, from: 1))
            guard case .reply(1, .refused)? = effects.first else {
                Issue.record("\(effects)")
                continue
            }
        }
        #expect(machine.state.tasks.keys.sorted() == [1, 3, 4])
    }

    @Test("a failed task waits, is tried again, and ends at its deadline")
    func retries() {
        let record = taskRecord(1, destination: "/home/me/file", deadline: 1_000, made: 10)
        take(.make([record], from: 1), .resume(task: 1))
        let retry = BackgroundRetry(attempts: 1, until: 50, error: .lost)
        #expect(take(.retry(task: 1, retry)) == [])
        #expect(machine.wake == 50)
        #expect(!machine.isIdle)
        #expect(take(.tick, at: 49) == [])
        // A resume does not shorten the wait.
        #expect(take(.resume(task: 1), at: 49) == [])
        #expect(take(.tick, at: 50).count == 1)
        // The part is kept before the end is reported.
        #expect(take(.tick, at: 1_000) == [.stop(task: 1), .handOverPart(task: 1)])
        #expect(machine.state.events.isEmpty)
        take(.partHandedOver(task: 1, resumeData: nil), at: 1_000)
        let ended = machine.state.events[1]?.event
        guard case .completed(1, let error?, _, _)? = ended else {
            Issue.record("\(String(describing: ended))")
            return
        }
        #expect(error.urlError.code == .timedOut)
        #expect(machine.isIdle)
    }

    @Test("the command is run once after all tasks, and its status is recorded")
    func command() {
        take(.settings(sessionSettings(command: "true")))
        take(.make([taskRecord(1), taskRecord(2)], from: 1), .resume(task: 1), .resume(task: 2))
        #expect(take(.received(task: 1, file: receivedFile(1), nil)) == [])
        let reason = BackgroundCommandReason.allDone(
            counts: BackgroundCounts(succeeded: 1, failed: 1)
        )
        #expect(take(.failed(task: 2, .lost, nil)) == [.runCommand(run: 1, reason)])
        #expect(reason.outcome == "failure")
        #expect(!machine.isIdle)
        // After a kill meanwhile, the next process does not run the command again.
        var next = BackgroundStateMachine(machine.state)
        #expect(next.begin(at: 1).effects == [])
        #expect(next.state.counters.command?.isRunning == false)
        #expect(next.isIdle)
        #expect(take(.commandEnded(run: 1, status: 256)) == [])
        #expect(machine.state.counters.command?.status == 256)
        #expect(machine.isIdle)
        take(.make([taskRecord(3)], from: 1), .resume(task: 3))
        let again = BackgroundCommandReason.allDone(
            counts: BackgroundCounts(succeeded: 1, failed: 0)
        )
        #expect(take(.sent(task: 3, nil)) == [.runCommand(run: 2, again)])
        #expect(again.outcome == "success")
    }

    @Test(
        "a discarded session runs no command after the move of its last file",
        arguments: [true, false]
    )
    func discardedWhilePlacing(isAttached: Bool) {
        take(.settings(sessionSettings(command: "true")))
        take(.make([taskRecord(1, destination: "/x"), taskRecord(2)], from: 1))
        take(.resumeAll, .received(task: 1, file: receivedFile(1), nil))
        if isAttached { take(controlClient(1)) }
        #expect(take(.discard).contains(.cancel(task: 2)))
        // The next process runs none either.
        var next = BackgroundStateMachine(BackgroundState(machine.state.history), limit: 2)
        for inputs in [[.placed(task: 1)], [BackgroundInput.tick]] {
            #expect(!take(inputs[0]).contains { if case .runCommand = $0 { true } else { false } })
            _ = next.take(inputs, at: 10)
        }
        for state in [machine.state, next.state] {
            #expect(state.tasks[1]?.hasEnded == true)
            #expect(state.counters.commandDue == nil)
            #expect(state.counters.command == nil)
        }
    }

    @Test("a discarded session does not run a command that is due")
    func discardedWhenDue() {
        take(.settings(sessionSettings(command: "true")))
        for task in 1...2 {
            take(.make([taskRecord(task)], from: 1), .resume(task: task), .sent(task: task, nil))
        }
        take(controlClient(1))
        // The first run has not ended.
        #expect(machine.state.counters.commandDue != nil)
        take(.discard, .commandEnded(run: 1, status: 0))
        #expect(machine.state.counters.command?.number == 1)
    }

    @Test("a missing credential runs the command, and challenges the next client")
    func credential() {
        let challenge = ChallengeRecord(
            host: "example.org",
            port: 443,
            realm: "r",
            method: "NSURLAuthenticationMethodHTTPBasic",
            isProxy: false,
            failures: 0
        )
        take(.settings(sessionSettings(command: "true")))
        take(.make([taskRecord(1)], from: 1), .resume(task: 1))
        #expect(
            take(.challenged(task: 1, challenge)) == [.runCommand(run: 1, .credential(task: 1))]
        )
        take(.commandEnded(run: 1, status: 0))
        // The task waits for a client, and needs no process meanwhile.
        #expect(machine.isIdle)
        #expect(!machine.state.isSpent)
        #expect(
            take(controlClient(1)) == [
                .attached(connection: 1), .ask(task: 1, challenge), .deliver,
            ]
        )
        // If a client disconnects without a disposition, the next one is asked.
        take(.detach(connection: 1))
        #expect(take(controlClient(2)).contains(.ask(task: 1, challenge)))
        #expect(take(.challengeDecided(task: 1)) == [.start(task: taskRecord(1))])
        #expect(take(.challenged(task: 1, challenge)) == [.ask(task: 1, challenge)])
        #expect(machine.state.counters.command?.number == 1)
        #expect(take(.cancel(task: 1)).first == .cancel(task: 1))
    }

    @Test("a process that only adds tasks carries none out")
    func adding() {
        take(.settings(sessionSettings(command: "true")))
        take(.make([taskRecord(1)], from: 1), .resume(task: 1))
        machine = BackgroundStateMachine(machine.state, limit: 0)
        #expect(take(.failed(task: 1, .lost, nil)).isEmpty)
        #expect(take(.make([taskRecord(2)], from: 1)).count == 1)
        #expect(take(.resume(task: 2)).isEmpty)
        #expect(machine.state.counters.commandDue != nil)
        #expect(machine.state.counters.command == nil)
    }

    @Test("a file is moved after its destination was journaled, also by the next process")
    func placing() {
        let task = taskRecord(1, destination: "/home/me/a.iso")
        take(.make([task], from: 1), .resume(task: 1))
        let placement = BackgroundPlacement(
            file: receivedFile(1),
            target: "/home/me/a.iso",
            replaces: false
        )
        #expect(
            take(.received(task: 1, file: receivedFile(1), nil)) == [.place(task: 1, placement)]
        )
        #expect(!machine.isIdle)
        // These requests come too late.
        #expect(take(.cancel(task: 1), .suspend(task: 1)) == [])
        var next = BackgroundStateMachine(machine.state)
        #expect(next.begin(at: 1).effects == [.place(task: 1, placement)])
        var other = placement
        other.target = "/home/me/a.iso.1"
        other.number = 1
        #expect(take(.displaced(task: 1)) == [.place(task: 1, other)])
        var placed = receivedFile(1)
        placed.path = other.target
        take(.placed(task: 1))
        #expect(machine.state.events[1]?.event == .finished(task: 1, file: placed, response: nil))
        #expect(machine.isIdle)
    }

    @Test("tasks neither start nor continue while the conditions are not met")
    func discretionary() {
        take(.make([taskRecord(1)], from: 1), .mayRun(false))
        #expect(take(.resume(task: 1)) == [])
        #expect(!machine.isIdle)
        #expect(take(.mayRun(true)) == [.start(task: taskRecord(1))])
        #expect(take(.mayRun(false)) == [.stop(task: 1)])
        // A late result.
        #expect(take(.retry(task: 1, BackgroundRetry(attempts: 1, until: 1, error: .lost))) == [])
    }

    @Test("a client gets the state of the whole session")
    func status() throws {
        take(.make([taskRecord(1), taskRecord(2)], from: 1), .resume(task: 1), controlClient(1))
        let status = try #require(BackgroundStatus(machine, process: 5)).with(machine)
        #expect(status.tasks.map(\.phase) == [.running, .held])
        #expect(status.counters.lastTask == 2)
        #expect(status.attached == 77)
        #expect(status.process == 5)
    }
}
