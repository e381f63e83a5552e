/// How the process ends.
enum Ending: Sendable, Equatable {
    /// With an exit status.
    case status(ExitStatus)
    /// By a signal, so that the shell sees that it was one: 129, 130, 141, 143.
    case signal(Int32)
}
