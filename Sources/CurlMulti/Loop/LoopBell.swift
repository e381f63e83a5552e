import CLinux
import Glibc
package import HTTPSemantics
import Synchronization
package import SystemPackage

/// Wakes one thread that sleeps among descriptors; it writes to its eventfd(2) only while the thread sleeps.
///
/// It replaces `curl_multi_wakeup`, so that only its own thread uses a `CURLM*`.
package final class LoopBell: Sendable {
    let descriptor: CInt
    private let isAsleep = Atomic(false)

    /// Makes the eventfd; throws `Errno` if the process has no descriptor left.
    package init() throws(Errno) {
        descriptor = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
        guard descriptor >= 0 else { throw Errno(rawValue: errno) }
    }

    deinit {
        close(descriptor)
    }

    /// Ends the thread's sleep; any thread may call it.
    ///
    /// Before the call, the caller posts work under a lock. The thread looks for work between
    /// ``beginSleep(unless:)`` and its sleep: it either finds the work there, or this call ends the sleep.
    package func ring() {
        guard isAsleep.exchange(false, ordering: .acquiringAndReleasing) else { return }
        var one: UInt64 = 1
        // This fails only if the counter is at its maximum: then the descriptor is readable anyway.
        _ = write(descriptor, &one, 8)
    }

    /// Notes that the thread is about to sleep; returns whether it may.
    ///
    /// `isBusy` finds out whether there is work, under the locks of the threads that post it.
    func beginSleep(unless isBusy: () -> Bool) -> Bool {
        isAsleep.store(true, ordering: .sequentiallyConsistent)
        guard isBusy() else { return true }
        isAsleep.store(false, ordering: .relaxed)
        return false
    }

    /// Notes that the thread has slept, and whether it found the descriptor readable.
    func endSleep(hasRung: Bool) {
        isAsleep.store(false, ordering: .relaxed)
        guard hasRung else { return }
        var count: UInt64 = 0
        _ = read(descriptor, &count, 8)
    }

    /// Sleeps as ``LoopIterations/wait(until:among:unless:)``, for an owner that hosts no loop.
    package func wait(
        until moment: MonotonicInstant?,
        among descriptors: inout [AwaitedDescriptor],
        unless isBusy: () -> Bool
    ) {
        guard beginSleep(unless: isBusy) else { return }
        descriptors.append(AwaitedDescriptor(self))
        let left = moment.map { CInt(clamping: max(.zero, $0 - .now).milliseconds) }
        AwaitedDescriptor.wait(among: &descriptors, milliseconds: left ?? -1)
        endSleep(hasRung: descriptors.removeLast().isReady)
    }
}

/// A descriptor that a loop's thread waits for besides the sockets of its transfers.
package struct AwaitedDescriptor: Sendable {
    package let descriptor: CInt
    /// Whether the owner waits to write to the descriptor, and not to read from it.
    package let isWritten: Bool
    /// Whether the other end may close, which counts as ready.
    ///
    /// libcurl ignores a hang-up silently, so we poll such a descriptor once more.
    package let mayEnd: Bool
    /// Whether the wait found the descriptor ready.
    package internal(set) var isReady = false

    package init(_ descriptor: CInt, isWritten: Bool = false, mayEnd: Bool = true) {
        self.descriptor = descriptor
        self.isWritten = isWritten
        self.mayEnd = mayEnd
    }

    init(_ bell: LoopBell) {
        self.init(bell.descriptor, mayEnd: false)
    }

    /// Flags the descriptors that are ready or closed, as soon as there is one or the time is over.
    ///
    /// A negative number of milliseconds sets no limit. It polls only the selected descriptors.
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
