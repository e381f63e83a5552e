import CLinux
import Dispatch
import Glibc
import Synchronization

/// Notifies tasks that wait for a network that another try may succeed: when links, addresses or
/// routes change, by the kernel's own notices (rtnetlink(7)).
///
/// It listens from the first ``NetworkWatch`` to the last, with no thread of its own. Where the kernel
/// gives it nothing to listen to there is only the time that each of those is ready to wait.
final class NetworkMonitor: Sendable {
    /// Why an observer is woken.
    enum Reason: Sendable {
        /// Something has changed.
        case change
        /// As long as was asked for nothing has.
        case time
    }

    private struct Watch {
        let wake: @Sendable (Reason) -> Void
        /// The changes that it knows of.
        var seen: UInt64
        /// How often it has been armed.
        var arms: UInt64 = 0
        var isArmed = false
    }

    private struct State {
        var watches: [UInt64: Watch] = [:]
        var made: UInt64 = 0
        var changes: UInt64 = 0
        var source: (any DispatchSourceRead)?
        /// The first notice of a burst.
        var first: ContinuousClock.Instant?
        /// When the burst counts as over.
        var due: ContinuousClock.Instant?
    }

    /// A change is a burst of notices: link, addresses, routes. It is over when nothing more has
    /// come for this long,
    private static let quiet: Duration = .milliseconds(100)
    /// or when it has gone on for this long.
    private static let longestBurst: Duration = .seconds(1)
    /// What is read at once; the kernel's own messages have no more than 32 KiB.
    private static let bufferSize = 32 << 10

    /// The monitor of this process.
    static let shared = NetworkMonitor { linux_open_route_notices() }

    private let shortestWait: Duration
    private let open: @Sendable () -> CInt
    private let queue = DispatchQueue(label: "NetworkMonitor", qos: .utility)
    private let state = Mutex(State())

    /// - Parameters:
    ///   - shortestWait: no observer is woken sooner without a change, whatever it asks for.
    ///   - open: makes the socket to listen to, non-blocking; negative where there is none.
    init(shortestWait: Duration = .zero, open: @escaping @Sendable () -> CInt) {
        self.shortestWait = shortestWait
        self.open = open
    }

    var isListening: Bool { state.withLock { $0.source != nil } }

    /// Begins to note changes for an observer.
    ///
    /// - Parameter wake: called on the monitor's queue, once for each time that it is armed.
    /// - Returns: the watch, which lasts as long as it is referenced.
    func watch(_ wake: @escaping @Sendable (Reason) -> Void) -> NetworkWatch {
        let number = state.withLock { state in
            if state.watches.isEmpty { listen(&state) }
            state.made += 1
            state.watches[state.made] = Watch(wake: wake, seen: state.changes)
            return state.made
        }
        return NetworkWatch(self, number)
    }

    /// Wakes an observer at the next change, at once where there was one since it was woken last,
    /// and after this time in any case.
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
        // What it holds is let go of here, and not under the lock.
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

// What the kernel says.
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

    /// How many are read before what they say counts: a sender that never stops is heard, too.
    private static let mostMessages = 1_000

    /// Reads all that has come: what is left for another time could count as another burst.
    private func read(_ descriptor: CInt) {
        let (mayHelp, isBroken) = withUnsafeTemporaryAllocation(
            byteCount: Self.bufferSize,
            alignment: 8
        ) { buffer in
            var mayHelp = false
            for _ in 0..<Self.mostMessages {
                let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                if count > 0 {
                    let message = UnsafeRawBufferPointer(rebasing: buffer[..<count])
                    mayHelp = RouteNotice.mayHelp(message) || mayHelp
                } else if count < 0, errno == ENOBUFS {
                    // The socket's buffer was full: something has been left out.
                    mayHelp = true
                } else if count == 0 || errno != EINTR {
                    return (mayHelp, count == 0 || errno != EAGAIN)
                }
            }
            return (mayHelp, false)
        }
        // It would be readable for ever.
        if isBroken { return stopListening() }
        if mayHelp { note() }
    }

    private func stopListening() {
        let source = state.withLock { state in
            defer { state.source = nil }
            return state.source
        }
        source?.cancel()
    }

    /// Takes note of something that may help.
    func note() {
        let now = ContinuousClock.now
        let isFirst = state.withLock { state in
            let first = state.first ?? now
            let isFirst = state.first == nil
            state.first = first
            state.due = min(now + Self.quiet, first + Self.longestBurst)
            return isFirst
        }
        if isFirst { look(after: Self.quiet) }
    }

    private func look(after time: Duration) {
        queue.asyncAfter(deadline: .now() + time / .seconds(1)) { [self] in settle() }
    }

    /// Wakes all observers, if the burst is over.
    private func settle() {
        let now = ContinuousClock.now
        let left = state.withLock { state in state.due.map { $0 - now } ?? .zero }
        guard left <= .zero else { return look(after: left) }
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

/// An observer's request to be woken when the network changes; it ends with its last owner.
///
/// A change that comes while no observer is waiting, since another try is out, is not lost: the next
/// ``wait(atMost:)`` is over at once.
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

    /// Has it woken once: by the next change, or after this time.
    func wait(atMost limit: Duration) {
        monitor.arm(number, atMost: limit)
    }
}

/// What rtnetlink(7) says, as far as it matters to a task that waits for a network.
enum RouteNotice {
    /// Types of messages, from `linux/netlink.h` and `linux/rtnetlink.h`.
    private enum Kind {
        /// Messages were lost.
        static let overrun: UInt16 = 4
        static let newLink: UInt16 = 16
        static let newAddress: UInt16 = 20
        static let newRoute: UInt16 = 24
        static let lostRoute: UInt16 = 25
    }

    /// `IFF_RUNNING` of netdevice(7): the link has a carrier.
    private static let running: UInt32 = 0x40
    /// `struct nlmsghdr`.
    private static let headerSize = 16
    /// Where `struct ifinfomsg`, behind the header, has the link's flags.
    private static let flagsOffset = headerSize + 8

    /// Whether messages that came at once say something after which more may be reached than before.
    ///
    /// A link that went down, or an address that is gone, helps no task; a route that is gone may
    /// have was in the way of a better one. What cannot be understood counts.
    static func mayHelp(_ messages: UnsafeRawBufferPointer) -> Bool {
        var rest = messages
        while !rest.isEmpty {
            guard rest.count >= headerSize else { return true }
            let size = Int(rest.loadUnaligned(as: UInt32.self))
            guard size >= headerSize, size <= rest.count else { return true }
            let message = UnsafeRawBufferPointer(rebasing: rest.prefix(size))
            if mayHelp(message: message) { return true }
            // Each begins at a multiple of four (NLMSG_ALIGN).
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
