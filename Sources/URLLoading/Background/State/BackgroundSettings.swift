import FoundationEssentials

struct BackgroundSettings: Codable, Hashable, Sendable {
    /// The session's identifier, as given by the program.
    var identifier: String
    /// A unique name, also in cursors, which a later session of the same identifier does not have.
    var token: String
    /// Whether transfers wait for a good time, and run at a low priority.
    var isDiscretionary = false
    /// Always `false`: versions 1.0 and 1.1 require the member.
    private(set) var impliesDiscretion = false
    /// The most tasks that run at once; `nil`: 16.
    var jobs: Int?
    /// The command for `sh -c` when all tasks are done, or a credential is needed; `nil`: none.
    var command: String?
    var commandFolder: String?
    var commandMask: UInt32?
    /// The session's configuration as JSON (``SessionSettings/stored``), without secrets for which a client
    /// can be asked again.
    var configuration: String?

    static func makeToken() -> String {
        StableHash.hex(.random(in: .min ... .max))
            + StableHash.hex(.random(in: .min ... .max))
    }
}

extension BackgroundSettings {
    /// Stores the settings of a session, without its secrets.
    init(_ identifier: BackgroundIdentifier, _ settings: SessionSettings) {
        self.init(
            identifier: identifier.text,
            token: Self.makeToken(),
            isDiscretionary: settings.isDiscretionary,
            jobs: settings.background.jobs,
            command: settings.background.sendsLaunchEvents
                ? settings.background.completionCommand : nil,
            commandFolder: AbsolutePath.workingFolder ?? "/",
            commandMask: 0o666 & ~NewFileMode.current,
            configuration: settings.stored
        )
    }

    /// Adopts the settings of another program or run; the token, and values without a new one, stay.
    mutating func adopt(_ other: BackgroundSettings) {
        isDiscretionary = other.isDiscretionary
        jobs = other.jobs ?? jobs
        if other.command != nil {
            command = other.command
            commandFolder = other.commandFolder
            commandMask = other.commandMask
        }
        configuration = other.configuration
    }

    /// These settings combined with a command's.
    ///
    /// A configuration that differs from the session's applies to the command's tasks only.
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
