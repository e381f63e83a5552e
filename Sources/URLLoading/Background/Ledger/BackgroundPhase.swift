/// Where a task of a background session stands, for who attaches, and for lists.
package enum BackgroundPhase: String, Codable, Sendable {
    case held
    /// Under way.
    case running
    /// Until it is its turn, or until what the session waits for is there.
    case waiting
    /// For a credential.
    case parked
    /// Whole, and on its way to its destination.
    case finishing
    /// Its end has not been told.
    case ended
}
