// How all is.
extension BackgroundDesk {
    /// How long a transfer process may take to say how it is, where there are others to be asked.
    private static let shortPatience = Duration.seconds(5)

    /// How every session of this user is, or what keeps that from being found out, by folder: each is
    /// looked at when it is asked for.
    package var sessions: some Sequence<Result<BackgroundSummary, URLError>> {
        BackgroundFolder.names(in: root).lazy.compactMap { name in
            guard let identifier = BackgroundIdentifier(folderName: name, in: root) else {
                return .failure(
                    URLError(.cannotOpenFile, detail: "\(root)/\(name) is no session's folder")
                )
            }
            do throws(URLError) {
                let summary = try summary(of: identifier, patience: Self.shortPatience)
                return summary.map { .success($0) }
            } catch {
                return .failure(error)
            }
        }
    }

    /// How a session is; `nil` where there is none.
    package func summary(
        of identifier: BackgroundIdentifier
    ) throws(URLError) -> BackgroundSummary? {
        try summary(of: identifier, patience: BackgroundCall.patience)
    }

    private func summary(
        of identifier: BackgroundIdentifier,
        patience: Duration
    ) throws(URLError) -> BackgroundSummary? {
        switch try enter(identifier, makes: false, patience: patience) {
        case .absent: return nil
        case .alive(var call):
            do throws(BackgroundError) {
                return BackgroundSummary(try call.status())
            } catch {
                throw error.urlError
            }
        case .free(let folder, let lock):
            _ = lock
            guard let book = try Self.open(folder, nil) else {
                // Of a crash before there was anything in it.
                folder.remove()
                return nil
            }
            return BackgroundStatus(book.ledger, process: nil).map(BackgroundSummary.init)
        }
    }
}
