import Dispatch
import Glibc
import Synchronization
import TestSupport
import Testing
import URLLoading

@testable import FetchCommand

/// Serialized: the process has one main loop, and each test takes its thread in turn.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct WaiterTests {
    /// Runs an operation on a main loop.
    private func run<Result: Sendable>(
        _ operation: @escaping @MainLoop @Sendable () async -> Result
    ) throws -> Result {
        let signals = Signals()
        defer {
            // The thread belongs to the test only until the test ends.
            var set = sigset_t()
            sigemptyset(&set)
            for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&set, signal) }
            pthread_sigmask(SIG_UNBLOCK, &set, nil)
        }
        return try MainLoop.run(signals, .errorsOnly, operation)
    }

    @Test func aRingWithoutTheConditionEndsNoWait() throws {
        let wake = try run {
            let waiter = Waiter()
            waiter.ring()
            return await waiter.wait(until: .now + .milliseconds(50), for: { false })
        }
        #expect(wake == .late)
    }

    @Test func aTrueConditionEndsAWait() throws {
        let wake = try run {
            let waiter = Waiter()
            waiter.ring()
            var asked = 0
            return await waiter.wait(until: .now + .seconds(30)) {
                asked += 1
                return asked == 2
            }
        }
        #expect(wake == .bell)
    }

    @Test func aRingFromAnotherThreadEndsAWait() throws {
        let wake = try run {
            let waiter = Waiter()
            DispatchQueue.global().async { waiter.ring() }
            return await waiter.wait(until: nil)
        }
        #expect(wake == .bell)
    }

    @Test func aSignalEndsEveryWaitAndTheNextOfAnIdleWaiter() throws {
        let wakes = try run {
            let waiters = [Waiter(), Waiter(), Waiter()]
            let late = waiters[2]
            async let first = waiters[0].wait(until: nil)
            async let second = waiters[1].wait(until: nil)
            pthread_kill(pthread_self(), SIGHUP)
            return [await first, await second, await late.wait(until: nil)]
        }
        #expect(wakes == Array(repeating: .interruption(.signal(SIGHUP)), count: 3))
    }

    @Test func anInterruptionIsReportedOnce() throws {
        let wakes = try run {
            let waiter = Waiter()
            MainLoop.shared.executor.interrupt(.signal(SIGTERM))
            return [
                await waiter.wait(until: nil),
                await waiter.wait(until: .now + .milliseconds(10)),
            ]
        }
        #expect(wakes == [.interruption(.signal(SIGTERM)), .late])
    }

    private final class Order: Sendable {
        let notes = Mutex<[String]>([])

        func note(_ text: String) { notes.withLock { $0.append(text) } }
    }

    @Test func aTaskThatYieldsToTheTransfersContinuesAfterAllOtherJobs() throws {
        let order = try run {
            let order = Order()
            let other = Task(executorPreference: MainLoop.shared.executor) {
                order.note("begins")
                await Task.yield()
                order.note("goes on")
            }
            await MainLoop.yieldToTransfers()
            order.note("has yielded")
            // A task that yields while another one is resumed is resumed itself.
            await MainLoop.yieldToTransfers()
            order.note("has yielded again")
            await other.value
            return order.notes.withLock { $0 }
        }
        #expect(order == ["begins", "goes on", "has yielded", "has yielded again"])
    }

    @Test func aLaterWaiterIsNotInterrupted() throws {
        let wake = try run {
            MainLoop.shared.executor.interrupt(.signal(SIGTERM))
            return await Waiter().wait(until: .now + .milliseconds(10))
        }
        #expect(wake == .late)
    }

    @Test func aSecondWaiterOfATaskIsInterruptedByWhatTheFirstHasNotSeen() throws {
        let wakes = try run {
            let first = Waiter()
            MainLoop.shared.executor.interrupt(.signal(SIGTERM))
            let second = Waiter(after: first)
            return [
                await second.wait(until: .now + .seconds(5)),
                await second.wait(until: .now + .milliseconds(10)),
            ]
        }
        #expect(wakes == [.interruption(.signal(SIGTERM)), .late])
    }

    @Test func readableInputEndsAWait() throws {
        var ends: [CInt] = [0, 0]
        #expect(pipe(&ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        defer { for end in [reading, writing] { close(end) } }
        let wakes = try run {
            let waiter = Waiter()
            let before = await waiter.wait(until: .now + .milliseconds(10), readable: reading)
            write(writing, "x", 1)
            return [before, await waiter.wait(until: nil, readable: reading)]
        }
        #expect(wakes == [.late, .bell])
    }
}
