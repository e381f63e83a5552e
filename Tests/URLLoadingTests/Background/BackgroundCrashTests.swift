import TestSupport
import Testing

@testable import URLLoading

/// Events of a program, while its processes and its transfer processes are killed at random moments.
@Suite("Crashes of background sessions", .timeLimit(.minutes(1)))
struct BackgroundCrashTests {
    /// A session, its disk, and a program.
    ///
    /// The transfer process and the program may be killed.
    private struct Simulation {
        /// The records on the disk.
        var disk: [JournalRecord] = [.session(settings: sessionSettings(command: "true"))]
        var machine: BackgroundStateMachine
        /// The events that the program has received.
        var reported: [(sequence: Int, event: BackgroundEvent, isRedelivery: Bool)] = []
        /// The program's cursor; nil after the program was killed.
        var seen: Int? = 0
        var connection = 0
        var isAttached = false
        var tasks = 0
        var commands = 0
        var random: PseudoRandom

        init(seed: UInt64) {
            machine = BackgroundStateMachine(BackgroundState(disk), limit: 3)
            random = PseudoRandom(seed: seed)
        }

        mutating func chance(_ one: Int) -> Bool { random.next() % UInt64(one) == 0 }

        /// Passes an input to the state machine.
        ///
        /// The transfer process may be killed before the records are on the disk, or after that and before
        /// the effects.
        mutating func take(_ input: BackgroundInput, at now: Int64) {
            let step = machine.take([input], at: now)
            if chance(15) {
                if chance(2) { disk += step.records }
                return startAgain(at: now)
            }
            disk += step.records
            act(step.effects)
        }

        mutating func act(_ effects: [BackgroundEffect]) {
            for effect in effects {
                if case .runCommand = effect { commands += 1 }
                if case .reply(_, .inUse) = effect { Issue.record("there is one program only") }
            }
        }

        mutating func startAgain(at now: Int64) {
            machine = BackgroundStateMachine(BackgroundState(disk), limit: 3)
            isAttached = false
            let step = machine.begin(at: now)
            disk += step.records
            act(step.effects)
        }

        /// Delivers the events.
        ///
        /// The program may be killed between them, or before an acknowledgement.
        mutating func deliver(killsProgram: Bool, at now: Int64) {
            if !isAttached {
                connection += 1
                let known = seen.map { BackgroundCursor(token: "t1", sequence: $0) }
                take(
                    .attach(AttachRequest(connection: connection, process: 1, cursor: known)),
                    at: now
                )
                isAttached = machine.attachment?.connection == connection
            }
            while isAttached, let next = machine.nextDelivery() {
                reported.append((next.sequence, next.event, next.isRedelivery))
                seen = next.sequence
                if killsProgram, chance(6) {
                    seen = nil
                    isAttached = false
                    return take(.detach(connection: connection), at: now)
                }
                if chance(2) {
                    take(.acknowledge(sequence: next.sequence, from: connection), at: now)
                }
            }
            if isAttached, let seen {
                take(.acknowledge(sequence: seen, from: connection), at: now)
            }
        }

        /// Ends a running transfer, chosen at random.
        mutating func transfer(at now: Int64) {
            guard let task = machine.running.sorted().randomElement(using: &random) else { return }
            switch random.next() % 5 {
            case 0: take(.failed(task: task, .lost, nil), at: now)
            case 1:
                let retry = BackgroundRetry(attempts: 1, until: now + 3, error: .lost)
                take(.retry(task: task, retry), at: now)
            default: take(.received(task: task, file: receivedFile(task), nil), at: now)
            }
        }

        mutating func order(at now: Int64) {
            switch random.next() % 8 {
            case 0...3:
                let number = machine.state.counters.lastTask + 1
                take(.make([taskRecord(number)], from: connection), at: now)
                // If the reply was lost, the program repeats its request.
                if machine.state.counters.lastTask == number { tasks = number }
                take(.resume(task: number), at: now)
            case 4: take(.suspend(task: tasks), at: now)
            case 5: take(.cancel(task: max(1, tasks - 1)), at: now)
            case 6: take(chance(2) ? .pause : .resumeAll, at: now)
            default:
                if machine.state.counters.command?.isRunning == true {
                    let run = machine.state.counters.command?.number ?? 0
                    take(.commandEnded(run: run, status: 0), at: now)
                }
            }
        }

        /// Ends all tasks, and delivers all events, without another crash.
        mutating func finish(at now: Int64) {
            random = PseudoRandom(seed: 99)
            startAgain(at: now)
            func run(_ input: BackgroundInput, _ time: Int64) {
                let step = machine.take([input], at: time)
                disk += step.records
                act(step.effects)
            }
            var time = now
            run(.resumeAll, time)
            for task in machine.state.tasks.keys.sorted() { run(.resume(task: task), time) }
            while machine.state.tasks.values.contains(where: { !$0.hasEnded }) {
                time += 10
                run(.tick, time)
                for task in machine.running.sorted() {
                    run(.received(task: task, file: receivedFile(task), nil), time)
                }
            }
            while let command = machine.state.counters.command, command.isRunning {
                run(.commandEnded(run: command.number, status: 0), time)
            }
            connection += 1
            let known = seen.map { BackgroundCursor(token: "t1", sequence: $0) }
            run(.attach(AttachRequest(connection: connection, process: 1, cursor: known)), time)
            while let next = machine.nextDelivery() {
                reported.append((next.sequence, next.event, next.isRedelivery))
            }
            run(.acknowledge(sequence: machine.state.counters.lastEvent, from: connection), time)
            run(.detach(connection: connection), time)
        }
    }

    private func run(seed: UInt64, killsProgram: Bool) -> Simulation {
        var simulation = Simulation(seed: seed)
        for now in 1...120 {
            let now = Int64(now)
            switch simulation.random.next() % 4 {
            case 0: simulation.order(at: now)
            case 1, 2: simulation.transfer(at: now)
            default: simulation.deliver(killsProgram: killsProgram, at: now)
            }
            simulation.take(.tick, at: now)
        }
        simulation.finish(at: 1_000)
        return simulation
    }

    @Test("killing transfer processes at any moment neither loses nor repeats an event")
    func transferProcess() {
        for seed in 1...300 {
            let simulation = run(seed: UInt64(seed), killsProgram: false)
            let numbers = simulation.reported.map(\.sequence)
            #expect(numbers == Array(numbers.sorted()), "seed \(seed)")
            #expect(Set(numbers).count == numbers.count, "seed \(seed)")
            #expect(!simulation.reported.contains { $0.isRedelivery }, "seed \(seed)")
            check(simulation, seed)
        }
    }

    @Test("killing programs too loses no event, and repeated events are flagged")
    func both() {
        var repeated = 0
        for seed in 1...300 {
            let simulation = run(seed: UInt64(seed), killsProgram: true)
            var reported: [Int: BackgroundEvent] = [:]
            for (sequence, event, isRedelivery) in simulation.reported {
                guard let before = reported.updateValue(event, forKey: sequence) else { continue }
                #expect(before == event, "seed \(seed)")
                #expect(isRedelivery, "seed \(seed): \(sequence)")
                repeated += 1
            }
            check(simulation, seed)
        }
        #expect(repeated > 0)
    }

    /// Checks that each task has one end, and that its file was reported before the end.
    private func check(_ simulation: Simulation, _ seed: Int) {
        var events: [Int: BackgroundEvent] = [:]
        for (sequence, event, _) in simulation.reported { events[sequence] = event }
        var ended: [Int: Int] = [:]
        var received: [Int: Int] = [:]
        for (sequence, event) in events.sorted(by: { $0.key < $1.key }) {
            switch event {
            case .finished(let task, _, _): received[task] = sequence
            case .completed(let task, let error, _, _):
                #expect(ended.updateValue(sequence, forKey: task) == nil, "seed \(seed)")
                let isWhole = received[task].map { $0 < sequence } ?? false
                #expect((error == nil) == isWhole, "seed \(seed)")
            case .allDone: break
            }
        }
        let made = simulation.machine.state.counters.lastTask
        #expect(ended.keys.sorted() == Array(1..<(made + 1)), "seed \(seed)")
        #expect(events.count == simulation.machine.state.counters.lastEvent, "seed \(seed)")
        #expect(simulation.machine.isIdle, "seed \(seed)")
        #expect(simulation.machine.state.isSpent, "seed \(seed)")
    }

    @Test("the state equals the journal's after each record, also with a shortened history")
    func replay() {
        for seed in 1...40 {
            let simulation = run(seed: UInt64(seed), killsProgram: true)
            var state = BackgroundState()
            for (index, record) in simulation.disk.enumerated() {
                state.apply(record)
                #expect(BackgroundState(state.history) == state, "seed \(seed), record \(index)")
                var machine = BackgroundStateMachine(state)
                let step = machine.begin(at: 5_000)
                var replayed = state
                for record in step.records { replayed.apply(record) }
                #expect(replayed == machine.state, "seed \(seed), record \(index)")
            }
            #expect(state == simulation.machine.state)
        }
    }
}
