import FoundationEssentials

extension BackgroundSettings {
    /// Writes down what holds for a session, without its secrets.
    ///
    /// - Parameters:
    ///   - identifier: the session.
    ///   - settings: what its program has configured.
    ///   - now: microseconds since 1970.
    init(_ identifier: BackgroundIdentifier, _ settings: SessionSettings, at now: Int64) {
        self.init(
            identifier: identifier.text,
            token: Self.makeToken(),
            created: now,
            isDiscretionary: settings.isDiscretionary ?? !ControllingTerminal.exists,
            impliesDiscretion: settings.isDiscretionary == nil,
            command: settings.background.completionCommand,
            commandFolder: FileManager.default.currentDirectoryPath,
            commandMask: 0o666 & ~NewFileMode.current,
            configuration: settings.stored
        )
    }
}
