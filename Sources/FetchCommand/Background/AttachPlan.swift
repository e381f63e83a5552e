import URLLoading

/// What `--attach` makes of the command line.
struct AttachPlan: Sendable {
    let identifier: BackgroundIdentifier
    let messages: MessagePlan
    let authentication: AuthenticationPlan

    /// The file that tells which events were told in earlier runs.
    var record: String? {
        if case .file(let path) = messages.events { path } else { nil }
    }
}

extension AttachPlan {
    /// Takes the flags over, and reads the secrets that they name.
    init(_ identifier: BackgroundIdentifier, _ options: Options) throws(PlanError) {
        do throws(UsageError) {
            try Conflicts.check(options)
        } catch {
            throw .usage(error)
        }
        self.identifier = identifier
        var told = options
        // Nothing is sent or received here: there are events alone.
        if options.verbosity == .verbose { told.verbosity = .everything }
        messages = MessagePlan(told, try EventDestination(options))
        authentication = try AuthenticationPlan(options)
    }
}
