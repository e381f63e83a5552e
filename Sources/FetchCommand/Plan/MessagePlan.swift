/// What is said on standard error, and of a body that comes with an error.
struct MessagePlan: Equatable, Sendable {
    let verbosity: Verbosity
    let showsResponseHeaders: Bool
    /// False with `-s`, where the verbosity leaves no room for it, and where standard error is for
    /// events.
    let showsProgress: Bool
    let contentOnError: Bool
    /// Where events go as JSON, if anywhere.
    let events: EventDestination?
}
