import FoundationEssentials

/// What holds for a session as a whole.
struct BackgroundSettings: Codable, Hashable, Sendable {
    /// As the program calls it.
    var identifier: String
    /// This session, and no later one of the same name: what one has been told of is not what
    /// another is told.
    var token: String
    /// Whether it waits for a good time, and steps back behind all else.
    var isDiscretionary = false
    /// Whether an earlier version has implied that, for want of a terminal; this one never does.
    private(set) var impliesDiscretion = false
    /// The tasks that are carried out at once; `nil`: 16.
    var jobs: Int?
    /// What is run when all is done, or a credential is needed, by `sh -c`; `nil`: nothing.
    var command: String?
    /// The folder that is run in.
    var commandFolder: String?
    /// Its umask(2).
    var commandMask: UInt32?
    /// How its tasks are carried out, in the form that the transfers define; without secrets that
    /// can be asked for again.
    var configuration: String?

    /// The same, where nothing is discretionary but by a program's word.
    var withoutImpliedDiscretion: BackgroundSettings {
        guard impliesDiscretion else { return self }
        var settings = self
        settings.isDiscretionary = false
        settings.impliesDiscretion = false
        return settings
    }

    /// A name that no other session has.
    static func makeToken() -> String {
        StableHash.hex(.random(in: .min ... .max))
            + StableHash.hex(.random(in: .min ... .max))
    }
}

extension BackgroundSettings {
    /// Writes down what holds for a session, without its secrets.
    ///
    /// - Parameters:
    ///   - identifier: the session.
    ///   - settings: what its program has configured.
    init(_ identifier: BackgroundIdentifier, _ settings: SessionSettings) {
        self.init(
            identifier: identifier.text,
            token: Self.makeToken(),
            isDiscretionary: settings.isDiscretionary,
            jobs: settings.background.jobs,
            command: settings.background.sendsLaunchEvents
                ? settings.background.completionCommand : nil,
            commandFolder: FileManager.default.currentDirectoryPath,
            commandMask: 0o666 & ~NewFileMode.current,
            configuration: settings.stored
        )
    }
}

extension BackgroundSettings {
    /// Takes over what another program, or another run of it, wants from now on.
    ///
    /// Credentials stay, and so does what it does not set.
    mutating func adopt(_ other: BackgroundSettings) {
        isDiscretionary = other.withoutImpliedDiscretion.isDiscretionary
        jobs = other.jobs ?? jobs
        if other.command != nil {
            command = other.command
            commandFolder = other.commandFolder
            commandMask = other.commandMask
        }
        configuration = other.configuration
    }

    /// These, with what a command wants from now on: how its tasks are carried out, where the
    /// session's others are not, they keep to themselves.
    ///
    /// - Parameters:
    ///   - other: what the command wants.
    ///   - tasks: its tasks.
    /// - Returns: what holds for the session.
    func taking(
        _ other: BackgroundSettings,
        for tasks: inout [BackgroundTaskRecord]
    ) -> BackgroundSettings {
        var (next, other) = (self, other)
        if let own = other.configuration, own != configuration {
            other.configuration = configuration
            for index in tasks.indices { tasks[index].configuration = own }
        }
        next.adopt(other)
        return next
    }
}
