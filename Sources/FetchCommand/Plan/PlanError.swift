/// Why no plan could be made of the options.
enum PlanError: Error, Equatable {
    /// Exit status 2.
    case usage(UsageError)
    /// A file to send or to trust cannot be read: exit status 3.
    case file(FileFailure)
}
