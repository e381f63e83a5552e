/// A moment of the clock that never goes back and counts the time that the machine sleeps.
///
/// It is `ContinuousClock.Instant` with a layout that the compiler knows. Of the standard library's own
/// it knows none, so each copy of a type with one in it is a call for each field, by way of metadata.
package struct MonotonicInstant: InstantProtocol {
    /// What all moments are measured from.
    private static let reference = ContinuousClock.now

    /// Since the reference.
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
