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
    /// What takes the place of standard error.
    var log: LogFile?
    /// Whether a name that the line does not say is told where nothing else is.
    var tellsNames = false
}

extension MessagePlan {
    /// Takes the flags over.
    init(_ options: Options, _ events: EventDestination?) {
        self.init(
            verbosity: options.verbosity,
            showsResponseHeaders: options.showsResponseHeaders,
            progress: options.showsProgress && events != .standardError
                ? options.progress : ProgressChoice.none,
            events: events,
            log: options.log,
            tellsNames: options.isCurls && options.hidesProgress && options.outputs.isEmpty
                && options.directory == nil
        )
    }
}
