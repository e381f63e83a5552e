/// A moment of a clock that never runs backwards, and that counts the time while the machine sleeps.
///
/// It is `ContinuousClock.Instant` with a layout that the compiler knows. The standard library hides the
/// layout of its own type. So each copy of a value that contains one calls a function for each field,
/// through metadata.
package struct MonotonicInstant: InstantProtocol {
    /// The reference point of all moments.
    private static let reference = ContinuousClock.now

    /// The time since the reference point.
    @usableFromInline let offset: Duration

    @inlinable init(offset: Duration) {
        self.offset = offset
    }

    package init(_ instant: ContinuousClock.Instant) {
        offset = Self.reference.duration(to: instant)
    }

    package static var now: MonotonicInstant { MonotonicInstant(.now) }

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
