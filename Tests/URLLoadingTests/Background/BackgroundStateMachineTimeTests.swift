import Testing

@testable import URLLoading

/// The times of a session's retries and deadlines, and the causes of waits.
@Suite("State machine and time")
final class BackgroundStateMachineTimeTests {
    private static let second: Int64 = 1_000_000
    private static let hour = 3_600 * second
    private static let now = 1_000_000 * hour

    private var machine = BackgroundStateMachine(
        BackgroundState([.session(settings: sessionSettings())]),
        limit: 2
    )

    @discardableResult
    private func take(_ inputs: BackgroundInput..., at now: Int64 = now) -> [BackgroundEffect] {
        machine.take(inputs, at: now).effects
    }

    private func retry(until time: Int64) -> BackgroundRetry {
        BackgroundRetry(attempts: 1, until: time, error: .lost)
    }

    @Test("a retry is not lost if the clock was set back by hours")
    func setBack() {
        let due = Self.now + 300 * Self.second
        take(.make([taskRecord(1)], from: 1), .resume(task: 1))
        take(.retry(task: 1, retry(until: due)))
        #expect(machine.wake == due)
        #expect(take(.tick) == [])
        let then = Self.now - 50 * Self.hour
        var next = BackgroundStateMachine(machine.state)
        #expect(next.begin(at: then).effects == [.start(task: taskRecord(1))])
        #expect(take(.tick, at: then) == [.start(task: taskRecord(1))])
    }

    @Test("no wait exceeds the longest one if the clock was set back a little")
    func setBackALittle() throws {
        let due = Self.now + 300 * Self.second
        take(.make([taskRecord(1)], from: 1), .resume(task: 1))
        take(.retry(task: 1, retry(until: due)))
        let then = due - 359 * Self.second
        #expect(take(.tick, at: then) == [])
        let wake = try #require(machine.wake)
        #expect(wake - then <= 360 * Self.second)
        #expect(take(.tick, at: wake).count == 1)
    }

    @Test("a retry with an invalid time starts at once", arguments: [Int64.max, .min])
    func noTime(_ time: Int64) {
        take(.make([taskRecord(1)], from: 1), .resume(task: 1))
        let effects = take(.retry(task: 1, retry(until: time)))
        #expect(effects == [.start(task: taskRecord(1))])
        #expect(machine.wake == nil)
    }

    @Test("the timer ignores retries of tasks that run, have no slot, or are suspended")
    func wake() {
        take(.make([taskRecord(1), taskRecord(2), taskRecord(3)], from: 1))
        take(.resume(task: 1), .retry(task: 1, retry(until: Self.now + 5)))
        #expect(machine.wake == Self.now + 5)
        take(.resume(task: 2), .resume(task: 3))
        #expect(machine.running == [2, 3])
        #expect(machine.wake == nil)
        take(.suspend(task: 2))
        #expect(machine.wake == Self.now + 5)
        take(.pause)
        #expect(machine.wake == nil)
        take(.resumeAll, .suspend(task: 2))
        #expect(machine.wake == Self.now + 5)
        take(.mayRun(false))
        #expect(machine.wake == nil)
        take(.mayRun(true))
        #expect(machine.wake == Self.now + 5)
        // The task runs again, although its record still has the failed attempts.
        #expect(take(.tick, at: Self.now + 5) == [.start(task: taskRecord(1))])
        take(.suspend(task: 3), at: Self.now + 6)
        #expect(machine.running == [1])
        #expect(machine.wake == nil)
        take(.retry(task: 1, retry(until: Self.now + 9)), at: Self.now + 6)
        #expect(machine.wake == Self.now + 9)
        take(.suspend(task: 1), at: Self.now + 6)
        #expect(machine.wake == nil)
    }

    @Test("a paused task ends at its deadline")
    func deadline() {
        let end = Self.now + Self.hour
        take(
            .make([taskRecord(1, deadline: end, made: Self.now)], from: 1),
            .resume(task: 1),
            .pause
        )
        #expect(machine.wake == end)
        // The part is handed over first.
        #expect(take(.tick, at: end) == [.handOverPart(task: 1)])
        #expect(take(.tick, at: end) == [])
        take(.partHandedOver(task: 1, resumeData: nil), at: end)
        #expect(machine.state.tasks[1]?.hasEnded == true)
        #expect(machine.wake == nil)
    }

    @Test("a late task needs no timer while its part is read, and others keep theirs")
    func lateAndReading() {
        let end = Self.now + Self.hour
        take(
            .make([taskRecord(1, deadline: end), taskRecord(2, deadline: end + 5)], from: 1),
            .resume(task: 1),
            .resume(task: 2)
        )
        let first = machine.state.tasks[1]?.deadline
        let later = machine.state.tasks[2]?.deadline
        take(.tick, at: first ?? end)
        #expect(machine.wake == later)
        take(.tick, at: later ?? end)
        #expect(machine.wake == nil)
        #expect(!machine.isIdle)
        take(.partHandedOver(task: 1, resumeData: nil), at: later ?? end)
        #expect(machine.wake == nil)
    }

    @Test("time while a task is held does not count, also in the next process")
    func held() {
        let end = Self.now + Self.hour
        take(.make([taskRecord(1, deadline: end, made: Self.now)], from: 1))
        #expect(machine.wake == nil)
        take(.resume(task: 1), at: Self.now + 5)
        #expect(machine.wake == end + 5)
        take(.suspend(task: 1), at: Self.now + 7)
        #expect(machine.wake == nil)
        machine = BackgroundStateMachine(BackgroundState(machine.state.history))
        #expect(take(.tick, at: end + 100) == [])
        #expect(machine.state.tasks[1]?.phase == .held)
        take(.resume(task: 1), at: end + 107)
        let later = end + 5 + Self.hour + 100
        #expect(machine.wake == later)
        #expect(BackgroundState(machine.state.history) == machine.state)
        #expect(take(.tick, at: later) == [.stop(task: 1), .handOverPart(task: 1)])
    }

    @Test(
        "a request that must not be repeated finishes when the session is paused",
        arguments: [true, false]
    )
    func post(isPaused: Bool) {
        var post = taskRecord(1)
        post.request.method = "POST"
        take(.make([post, taskRecord(2)], from: 1), .resume(task: 1), .resume(task: 2))
        let suspending: BackgroundInput = isPaused ? .pause : .mayRun(false)
        #expect(take(suspending) == [.stop(task: 2)])
        #expect(machine.running == [1])
        #expect(!machine.isIdle)
        take(.sent(task: 1, nil))
        #expect(machine.state.tasks[1]?.hasEnded == true)
        #expect(machine.running.isEmpty)
        let released: BackgroundInput = isPaused ? .resumeAll : .mayRun(true)
        #expect(take(released) == [.start(task: taskRecord(2))])
    }

    @Test("a request that must not be repeated does not start while the session is paused")
    func suspendedPost() {
        var post = taskRecord(1)
        post.request.method = "POST"
        #expect(take(.pause, .make([post], from: 1), .resume(task: 1)).count == 1)
        #expect(machine.running.isEmpty)
        #expect(take(.resumeAll) == [.start(task: post)])
        // A request to suspend this task stops it, although the server may have acted on it.
        #expect(take(.suspend(task: 1)) == [.stop(task: 1)])
    }
}
