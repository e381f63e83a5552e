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
    /// What is run when all is done, or a credential is needed, by `sh -c`; `nil`: nothing.
    var command: String?
    /// The folder that is run in.
    var commandFolder: String?
    /// Its umask(2).
    var commandMask: UInt32?
    /// How its tasks are carried out, in whatever form those who do so give it; without a secret
    /// that can be asked for again.
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
