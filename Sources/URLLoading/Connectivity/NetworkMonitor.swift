import CLinux
import Dispatch
import Glibc
import Synchronization

/// Wakes tasks that wait for a network when links, addresses or routes change, by the kernel's notices
/// (rtnetlink(7)).
///
/// The monitor listens from the first ``NetworkWatch`` to the last, without its own thread. Where no
/// notices are available, tasks are woken only after their longest wait.
final class NetworkMonitor: Sendable {
    /// Why an observer is woken.
    enum Reason: Sendable {
        /// The network has changed.
        case change
        /// The longest wait has passed without a change.
        case time
    }

    private struct Watch {
        let wake: @Sendable (Reason) -> Void
        /// The change counter when the observer was last woken.
        var seen: UInt64
        /// How often the watch was armed.
        var arms: UInt64 = 0
        var isArmed = false
    }

    private struct State {
        var watches: [UInt64: Watch] = [:]
        var made: UInt64 = 0
        var changes: UInt64 = 0
        var source: (any DispatchSourceRead)?
        /// The time of a burst's first notice.
        var first: MonotonicInstant?
        /// The time at which the burst counts as complete.
        var due: MonotonicInstant?
    }

    /// A change is a burst of notices: link, addresses, routes. A burst is complete after this time
    /// without a notice,
    private static let quiet: Duration = .milliseconds(100)
    /// or after this time in all.
    private static let maximumBurst: Duration = .seconds(1)
    /// Bytes to read at once; the kernel's messages have at most 32 KiB.
    private static let bufferSize = 32 << 10

    /// The monitor of this process.
    static let shared = NetworkMonitor { linux_open_route_notices() }

    private let shortestWait: Duration
    private let open: @Sendable () -> CInt
    private let queue = DispatchQueue(label: "NetworkMonitor", qos: .utility)
    private let state = Mutex(State())

    /// Listens on a non-blocking socket with notices; a negative number: none available.
    init(shortestWait: Duration = .zero, open: @escaping @Sendable () -> CInt) {
        self.shortestWait = shortestWait
        self.open = open
    }

    var isListening: Bool { state.withLock { $0.source != nil } }

    /// Counts changes for an observer, until the watch is released.
    ///
    /// Calls `wake` on the monitor's queue, once each time the watch is armed.
    func watch(_ wake: @escaping @Sendable (Reason) -> Void) -> NetworkWatch {
        let number = state.withLock { state in
            if state.watches.isEmpty { listen(&state) }
            state.made += 1
            state.watches[state.made] = Watch(wake: wake, seen: state.changes)
            return state.made
        }
        return NetworkWatch(self, number)
    }

    /// Wakes an observer at the next change, or after this time; at once if the network has changed
    /// since the observer was last woken.
    func arm(_ number: UInt64, atMost limit: Duration) {
        let (arm, isDue) = state.withLock { state in
            state.watches[number]?.arms += 1
            state.watches[number]?.isArmed = true
            let watch = state.watches[number]
            return (watch?.arms ?? 0, watch.map { $0.seen != state.changes } ?? false)
        }
        let reason = isDue ? Reason.change : .time
        let delay = isDue ? 0 : max(shortestWait, limit) / .seconds(1)
        queue.asyncAfter(deadline: .now() + delay) { [self] in fire(number, arm, reason) }
    }

    /// Ends a watch; after the last one the monitor stops.
    func end(_ number: UInt64) {
        let (watch, source) = state.withLock { state in
            let watch = state.watches.removeValue(forKey: number)
            guard state.watches.isEmpty else { return (watch, nil as (any DispatchSourceRead)?) }
            defer { state.source = nil }
            return (watch, state.source)
        }
        source?.cancel()
        // This releases the closure's captured objects outside the lock.
        _ = watch
    }

    private func fire(_ number: UInt64, _ arm: UInt64, _ reason: Reason) {
        let wake = state.withLock { state -> (@Sendable (Reason) -> Void)? in
            guard let watch = state.watches[number], watch.isArmed, watch.arms == arm else {
                return nil
            }
            state.watches[number]?.isArmed = false
            state.watches[number]?.seen = state.changes
            return watch.wake
        }
        wake?(reason)
    }
}

// Reading the kernel's notices.
extension NetworkMonitor {
    private func listen(_ state: inout State) {
        let descriptor = open()
        guard descriptor >= 0 else { return }
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler { [self] in read(descriptor) }
        source.setCancelHandler { close(descriptor) }
        state.source = source
        source.activate()
    }

    /// The most messages to read at once, in case a sender never stops.
    private static let maximumMessages = 1_000

    /// Reads all available messages, because a rest could later count as another burst.
    private func read(_ descriptor: CInt) {
        let (mayHelp, isBroken) = withUnsafeTemporaryAllocation(
            byteCount: Self.bufferSize,
            alignment: 8
        ) { buffer in
            var mayHelp = false
            for _ in 0..<Self.maximumMessages {
                let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                if count > 0 {
                    let message = UnsafeRawBufferPointer(rebasing: buffer[..<count])
                    mayHelp = RouteNotice.mayHelp(message) || mayHelp
                } else if count < 0, errno == ENOBUFS {
                    // The socket's buffer was full, so the kernel dropped messages.
                    mayHelp = true
                } else if count == 0 || errno != EINTR {
                    return (mayHelp, count == 0 || errno != EAGAIN)
                }
            }
            return (mayHelp, false)
        }
        guard isBroken else {
            if mayHelp { note() }
            return
        }
        // A broken socket would stay readable forever.
        let source = state.withLock { state in
            defer { state.source = nil }
            return state.source
        }
        source?.cancel()
    }

    /// Notes a notice after which an attempt may succeed.
    func note() {
        let now = MonotonicInstant.now
        let isFirst = state.withLock { state in
            let first = state.first ?? now
            let isFirst = state.first == nil
            state.first = first
            state.due = min(now + Self.quiet, first + Self.maximumBurst)
            return isFirst
        }
        if isFirst { check(after: Self.quiet) }
    }

    private func check(after time: Duration) {
        queue.asyncAfter(deadline: .now() + time / .seconds(1)) { [self] in settle() }
    }

    /// Wakes all observers, if the burst is complete.
    private func settle() {
        let now = MonotonicInstant.now
        let left = state.withLock { state in state.due.map { $0 - now } ?? .zero }
        guard left <= .zero else { return check(after: left) }
        let woken = state.withLock { state in
            state.first = nil
            state.due = nil
            state.changes += 1
            return state.watches.compactMap { number, watch in
                watch.isArmed ? (number, watch.arms) : nil
            }
        }
        for (number, arm) in woken { fire(number, arm, .change) }
    }
}

/// An observer's registration for changes of the network; its release ends it.
///
/// A change during another attempt is not lost: the next ``wait(atMost:)`` ends at once.
final class NetworkWatch: Sendable {
    private let monitor: NetworkMonitor
    private let number: UInt64

    init(_ monitor: NetworkMonitor, _ number: UInt64) {
        self.monitor = monitor
        self.number = number
    }

    deinit {
        monitor.end(number)
    }

    /// Requests one wake: by the next change, or after this time.
    func wait(atMost limit: Duration) {
        monitor.arm(number, atMost: limit)
    }
}

/// Parses rtnetlink(7) messages, as far as they matter to a task that waits for a network.
enum RouteNotice {
    /// Types of messages, from `linux/netlink.h` and `linux/rtnetlink.h`.
    private enum Kind {
        /// The kernel dropped messages.
        static let overrun: UInt16 = 4
        static let newLink: UInt16 = 16
        static let newAddress: UInt16 = 20
        static let newRoute: UInt16 = 24
        static let lostRoute: UInt16 = 25
    }

    /// `IFF_RUNNING` of netdevice(7): the link has a carrier.
    private static let running: UInt32 = 0x40
    /// The size of `struct nlmsghdr`.
    private static let headerSize = 16
    /// The offset of the link's flags in `struct ifinfomsg`, behind the header.
    private static let flagsOffset = headerSize + 8

    /// Whether messages report a change after which more hosts may be reachable.
    ///
    /// A link that went down, or a removed address, does not help; a removed route may have hidden a
    /// better one. A malformed message counts as helpful.
    static func mayHelp(_ messages: UnsafeRawBufferPointer) -> Bool {
        var rest = messages
        while !rest.isEmpty {
            guard rest.count >= headerSize else { return true }
            let size = Int(rest.loadUnaligned(as: UInt32.self))
            guard size >= headerSize, size <= rest.count else { return true }
            let message = UnsafeRawBufferPointer(rebasing: rest.prefix(size))
            if mayHelp(message: message) { return true }
            // Each message begins at a multiple of four (NLMSG_ALIGN).
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst((size + 3) & ~3))
        }
        return false
    }

    private static func mayHelp(message: UnsafeRawBufferPointer) -> Bool {
        switch message.loadUnaligned(fromByteOffset: 4, as: UInt16.self) {
        case Kind.newLink:
            guard message.count >= flagsOffset + 4 else { return true }
            let flags = message.loadUnaligned(fromByteOffset: flagsOffset, as: UInt32.self)
            return flags & running != 0
        case Kind.newAddress, Kind.newRoute, Kind.lostRoute, Kind.overrun: return true
        default: return false
        }
    }
}
