import Glibc

/// A moment of a clock that never runs backwards, and that counts the time while the machine sleeps.
///
/// It is `ContinuousClock.Instant` with a layout that the compiler knows. The standard library hides the
/// layout of its own type. So each copy of a value that contains one calls a function for each field,
/// through metadata. To read the clock by the system's call takes a quarter of the instructions.
package struct MonotonicInstant: InstantProtocol {
    /// One moment of both clocks.
    private static let reference = (own: now, clock: ContinuousClock.now)

    /// The time since the machine has started.
    @usableFromInline let offset: Duration

    @inlinable init(offset: Duration) {
        self.offset = offset
    }

    package init(_ instant: ContinuousClock.Instant) {
        offset = Self.reference.own.offset + Self.reference.clock.duration(to: instant)
    }

    package static var now: MonotonicInstant {
        var time = timespec()
        // It fails only for a clock that the kernel does not know.
        clock_gettime(CLOCK_BOOTTIME, &time)
        return MonotonicInstant(
            offset: Duration(
                secondsComponent: Int64(time.tv_sec),
                attosecondsComponent: Int64(time.tv_nsec) * 1_000_000_000
            )
        )
    }

    @inlinable
    package func advanced(by duration: Duration) -> MonotonicInstant {
        MonotonicInstant(offset: offset + duration)
    }

    @inlinable
    package func duration(to other: MonotonicInstant) -> Duration {
        other.offset - offset
    }

    @inlinable
    package static func < (one: MonotonicInstant, other: MonotonicInstant) -> Bool {
        one.offset < other.offset
    }

    @inlinable
    package static func + (instant: MonotonicInstant, duration: Duration) -> MonotonicInstant {
        instant.advanced(by: duration)
    }

    @inlinable
    package static func += (instant: inout MonotonicInstant, duration: Duration) {
        instant = instant + duration
    }

    @inlinable
    package static func - (instant: MonotonicInstant, duration: Duration) -> MonotonicInstant {
        MonotonicInstant(offset: instant.offset - duration)
    }

    @inlinable
    package static func - (one: MonotonicInstant, other: MonotonicInstant) -> Duration {
        other.duration(to: one)
    }
}
