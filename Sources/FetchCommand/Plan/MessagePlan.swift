/// What is said on standard error.
struct MessagePlan: Equatable, Sendable {
    let verbosity: Verbosity
    let showsResponseHeaders: Bool
    /// Nil: as standard error allows.
    ///
    /// None with `-s`, where the verbosity leaves no room for it, and where standard error is for
    /// events.
    let progress: ProgressChoice?
    /// Where events go as JSON, if anywhere.
    let events: EventDestination?
}
