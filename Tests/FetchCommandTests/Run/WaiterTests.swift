import Glibc
import Testing

@testable import FetchCommand

@Suite(.timeLimit(.minutes(1)))
struct WaiterTests {
    /// Waits for something, with the bell rung once at the beginning.
    private func wait(_ limit: Duration, for isSo: () -> Bool) throws -> Waiter.Wake {
        let signals = Signals()
        defer {
            // The thread is the test's own only until the test ends.
            var set = sigset_t()
            sigemptyset(&set)
            for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&set, signal) }
            pthread_sigmask(SIG_UNBLOCK, &set, nil)
        }
        let bell = try Doorbell()
        bell.ring()
        return Waiter(bell: bell, printer: .errorsOnly)
            .wait(signals, until: .now + limit, for: isSo)
    }

    @Test func aRingForSomethingElseEndsNoWait() throws {
        guard case .late = try wait(.milliseconds(50), for: { false }) else {
            Issue.record("the ring has ended it")
            return
        }
    }

    @Test func whatIsSoEndsIt() throws {
        var asked = 0
        let wake = try wait(.seconds(30)) {
            asked += 1
            return asked == 2
        }
        guard case .bell = wake else {
            Issue.record("\(wake)")
            return
        }
    }
}
