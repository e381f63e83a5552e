/// Checks a condition again and again until it holds, for events that happen soon but not at once.
///
/// - Parameters:
///   - limit: The time limit; `FETCH_TEST_TIMEOUT_FACTOR` lengthens it.
///   - isolation: The caller's actor, on which the condition is checked.
///   - condition: The condition.
/// - Returns: Whether the condition was met in time: `#expect(await eventually { … })`.
public func eventually(
    within limit: Duration = .seconds(30),
    isolation: isolated (any Actor)? = #isolation,
    _ condition: () async throws -> Bool
) async rethrows -> Bool {
    try await happens(in: limit.scaled, condition)
}

/// Checks a condition during a time that is part of the test, mostly for events that must not happen.
///
/// The pauses between checks grow from 1 ms to 20 ms. The condition is checked a last time at the end, so
/// a loaded machine does not fail it for having slept too long.
///
/// - Parameters:
///   - time: The duration, also under a sanitizer.
///   - isolation: The caller's actor, on which the condition is checked.
///   - condition: The condition that comes true, or must not.
/// - Returns: Whether the condition was met: `#expect(await !happens(in: .seconds(5)) { … })`.
public func happens(
    in time: Duration,
    isolation: isolated (any Actor)? = #isolation,
    _ condition: () async throws -> Bool
) async rethrows -> Bool {
    let clock = ContinuousClock()
    let deadline = clock.now + time
    var pause = Duration.milliseconds(1)
    while clock.now < deadline {
        if try await condition() { return true }
        try? await clock.sleep(for: pause)
        if Task.isCancelled { break }
        pause = min(pause * 2, .milliseconds(20))
    }
    return try await condition()
}
