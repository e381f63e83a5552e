import FoundationEssentials

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
            command: settings.background.sendsLaunchEvents
                ? settings.background.completionCommand : nil,
            commandFolder: FileManager.default.currentDirectoryPath,
            commandMask: 0o666 & ~NewFileMode.current,
            configuration: settings.stored
        )
    }
}
