/// What is said on standard error, and of a body that comes with an error.
struct MessagePlan: Equatable, Sendable {
    let verbosity: Verbosity
    let showsResponseHeaders: Bool
    /// False with `-s`, and where the verbosity leaves no room for it.
    let showsProgress: Bool
    let contentOnError: Bool
}
