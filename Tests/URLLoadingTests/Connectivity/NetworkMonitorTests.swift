import Glibc
import Synchronization
import TestSupport
import Testing

@testable import URLLoading

@Suite("Network monitor", .timeLimit(.minutes(1)))
struct NetworkMonitorTests {
    /// The kernel's end of a monitor's socket.
    private final class Kernel: Sendable {
        private let ends: (mine: CInt, theirs: CInt)
        let opened = Mutex(0)

        init() throws {
            var pair: [CInt] = [-1, -1]
            let type = CInt(SOCK_SEQPACKET.rawValue | SOCK_NONBLOCK.rawValue)
            try #require(socketpair(AF_UNIX, type, 0, &pair) == 0)
            ends = (pair[0], pair[1])
        }

        deinit {
            close(ends.mine)
        }

        func monitor() -> NetworkMonitor {
            NetworkMonitor { [self] in
                opened.withLock { $0 += 1 }
                return ends.theirs
            }
        }

        func say(_ bytes: [UInt8]) {
            _ = bytes.withUnsafeBytes { write(ends.mine, $0.baseAddress, $0.count) }
        }

        /// Whether the monitor has closed its end.
        var isLeft: Bool {
            var poll = pollfd(fd: ends.mine, events: 0, revents: 0)
            return Glibc.poll(&poll, 1, 0) > 0 && poll.revents & Int16(POLLHUP) != 0
        }
    }

    /// The reasons of all wake-ups.
    private final class Woken: Sendable {
        private let list = Mutex<[NetworkMonitor.Reason]>([])
        var reasons: [NetworkMonitor.Reason] { list.withLock { $0 } }
        func note(_ reason: NetworkMonitor.Reason) { list.withLock { $0.append(reason) } }
    }

    private static let route = RouteNoticeTests.message(24)

    @Test("T-15 a burst of notices wakes the task once, long before the timeout")
    func burst() async throws {
        let kernel = try Kernel()
        let woken = Woken()
        // All notices arrive before the monitor listens, so that they are one burst.
        for _ in 0..<20 { kernel.say(Self.route) }
        let watch = kernel.monitor().watch(woken.note)
        watch.wait(atMost: .seconds(3_600))
        #expect(await eventually { !woken.reasons.isEmpty })
        kernel.say(RouteNoticeTests.message(21))
        watch.wait(atMost: .milliseconds(300))
        #expect(await eventually { woken.reasons.count == 2 })
        #expect(woken.reasons == [.change, .time])
    }

    @Test("T-15 a change between two waits is not lost")
    func between() async throws {
        let kernel = try Kernel()
        let monitor = kernel.monitor()
        let woken = Woken()
        let other = Woken()
        let watch = monitor.watch(woken.note)
        let second = monitor.watch(other.note)
        second.wait(atMost: .seconds(3_600))
        kernel.say(Self.route)
        #expect(await eventually { other.reasons == [.change] })
        watch.wait(atMost: .seconds(3_600))
        #expect(await eventually { woken.reasons == [.change] })
    }

    @Test("T-15 only the timeout wakes a task without a socket to listen on")
    func deaf() async throws {
        let woken = Woken()
        let monitor = NetworkMonitor { -1 }
        let watch = monitor.watch(woken.note)
        #expect(!monitor.isListening)
        watch.wait(atMost: .milliseconds(10))
        #expect(await eventually { woken.reasons == [.time] })
    }

    @Test("the monitor listens from the first watch to the last")
    func lazily() async throws {
        let kernel = try Kernel()
        let monitor = kernel.monitor()
        #expect(!monitor.isListening)
        var first: NetworkWatch? = monitor.watch { _ in }
        var second: NetworkWatch? = monitor.watch { _ in }
        #expect(first != nil && second != nil && monitor.isListening)
        #expect(kernel.opened.withLock { $0 } == 1)
        first = nil
        #expect(monitor.isListening)
        second = nil
        #expect(!monitor.isListening)
        #expect(await eventually { kernel.isLeft })
    }
}
