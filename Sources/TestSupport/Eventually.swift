/// Asks again and again until a condition holds, for what happens soon but not at once.
///
/// Waits between questions grow from 1 ms to 20 ms. The condition is asked a last time at the
/// limit, so a loaded machine does not fail it for having slept too long.
///
/// - Parameters:
///   - limit: How long to go on asking.
///   - isolation: The caller's actor, on which the condition is asked.
///   - condition: What should come true.
/// - Returns: Whether the condition held in time: `#expect(await eventually { … })`.
public func eventually(
    within limit: Duration = .seconds(30),
    isolation: isolated (any Actor)? = #isolation,
    _ condition: () async throws -> Bool
) async rethrows -> Bool {
    let clock = ContinuousClock()
    let deadline = clock.now + limit.patient
    var pause = Duration.milliseconds(1)
    while clock.now < deadline {
        if try await condition() { return true }
        try? await clock.sleep(for: pause)
        if Task.isCancelled { break }
        pause = min(pause * 2, .milliseconds(20))
    }
    return try await condition()
}
