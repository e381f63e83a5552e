import Dispatch
import FoundationEssentials

/// What a ``BackgroundHost`` needs of the machine: for tests to put something else in its place.
struct BackgroundSurroundings: Sendable {
    /// Microseconds since 1970.
    var now: @Sendable () -> Int64 = { WallClock.now }
    /// How long a process that has nothing to do waits for whoever has started it, seconds.
    var patience: Double = 5
    /// How long it waits before it writes down again what the disk had no room for, seconds.
    var retryInterval: Double = 1
    /// How often a discretionary session looks whether the time is good, seconds.
    var conditionsInterval: Double = 30
    /// What there is to wait for.
    var waits: @Sendable (_ isRunning: Bool) -> [DiscretionaryConditions.Wait] = {
        DiscretionaryConditions().waits(isRunning: $0)
    }
    /// Runs a session's command, and says with what it has ended, as waitpid(2) does; `nil` where it
    /// could not be begun.
    var runCommand: @Sendable (BackgroundCommand, @escaping @Sendable (Int32?) -> Void) -> Void = {
        $0.run(completionHandler: $1)
    }
}
