import CLinux
import Glibc
package import HTTPSemantics
import Synchronization
public import SystemPackage

/// Wakes one thread that sleeps among descriptors: an eventfd(2), raised only while the thread sleeps.
///
/// It replaces `curl_multi_wakeup`, so that no `CURLM*` leaves its thread.
public final class LoopBell: Sendable {
    let descriptor: CInt
    private let isAsleep = Atomic(false)

    /// Throws `Errno` where the process has no descriptor left.
    public init() throws(Errno) {
        descriptor = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
        guard descriptor >= 0 else { throw Errno(rawValue: errno) }
    }

    deinit {
        close(descriptor)
    }

    /// Ends the thread's sleep; from any thread.
    ///
    /// The caller has posted before, under a lock, what the thread looks for between
    /// ``beginSleep(unless:)`` and its sleep: so either it is found there, or this ends the sleep.
    public func ring() {
        guard isAsleep.exchange(false, ordering: .acquiringAndReleasing) else { return }
        var one: UInt64 = 1
        // Fails only when the counter is at its maximum: then the descriptor is readable anyway.
        _ = write(descriptor, &one, 8)
    }

    /// The thread is about to sleep.
    ///
    /// - Parameter isBusy: whether there is something to do, under the locks of the threads that
    ///   post.
    /// - Returns: whether the thread may sleep.
    func beginSleep(unless isBusy: () -> Bool) -> Bool {
        isAsleep.store(true, ordering: .sequentiallyConsistent)
        guard isBusy() else { return true }
        isAsleep.store(false, ordering: .relaxed)
        return false
    }

    /// The thread has slept.
    ///
    /// - Parameter hasRung: whether the descriptor was found readable.
    func endSleep(hasRung: Bool) {
        isAsleep.store(false, ordering: .relaxed)
        guard hasRung else { return }
        var count: UInt64 = 0
        _ = read(descriptor, &count, 8)
    }

    /// Sleeps until a descriptor is ready, the bell rings, or a moment comes: for an owner that hosts
    /// no loop just now.
    ///
    /// - Parameters:
    ///   - moment: the latest end; `nil` for none.
    ///   - descriptors: what is waited for, flagged where it is ready.
    ///   - isBusy: whether there is something to do already.
    package func wait(
        until moment: MonotonicInstant?,
        among descriptors: inout [AwaitedDescriptor],
        unless isBusy: () -> Bool
    ) {
        guard beginSleep(unless: isBusy) else { return }
        descriptors.append(AwaitedDescriptor(self))
        let left = moment.map { max(.zero, $0 - .now) }
        AwaitedDescriptor.wait(
            among: &descriptors,
            milliseconds: left.map { CInt(clamping: $0.milliseconds) } ?? -1
        )
        endSleep(hasRung: descriptors.removeLast().isReady)
    }
}

/// A descriptor that a loop's thread waits for besides the sockets of its transfers.
public struct AwaitedDescriptor: Sendable {
    /// The descriptor.
    public let descriptor: CInt
    /// Whether it is to be written to, and not read from.
    public let isWritten: Bool
    /// Whether its other end may go, which counts as ready; libcurl ignores a hang-up silently, so
    /// such a descriptor is polled once more.
    public let mayEnd: Bool
    /// Whether the wait has found it ready.
    public internal(set) var isReady = false

    /// Sets them all.
    public init(_ descriptor: CInt, isWritten: Bool = false, mayEnd: Bool = true) {
        self.descriptor = descriptor
        self.isWritten = isWritten
        self.mayEnd = mayEnd
    }

    init(_ bell: LoopBell) {
        self.init(bell.descriptor, mayEnd: false)
    }

    /// Flags the descriptors that are ready or closed, once there is one or the time is over.
    ///
    /// - Parameters:
    ///   - descriptors: what is asked.
    ///   - isAsked: which of them; the others stay as they are.
    ///   - milliseconds: the time; below 0 for any.
    static func wait(
        among descriptors: inout [AwaitedDescriptor],
        where isAsked: (AwaitedDescriptor) -> Bool = { _ in true },
        milliseconds: CInt
    ) {
        let places = descriptors.indices.filter { isAsked(descriptors[$0]) }
        guard !places.isEmpty else { return }
        var asked = places.map { place in
            pollfd(
                fd: descriptors[place].descriptor,
                events: Int16(descriptors[place].isWritten ? POLLOUT : POLLIN),
                revents: 0
            )
        }
        guard poll(&asked, nfds_t(asked.count), milliseconds) > 0 else { return }
        for (place, result) in zip(places, asked) where result.revents != 0 {
            descriptors[place].isReady = true
        }
    }
}
