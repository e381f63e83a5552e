// How all is.
extension BackgroundDesk {
    /// How every session of this user is, or what keeps that from being found out, by folder.
    ///
    /// Looks at each for as long as it is asked for the next.
    package var sessions: [Result<BackgroundSummary, URLError>] {
        BackgroundFolder.names(in: root).compactMap { name in
            guard let identifier = BackgroundIdentifier(folderName: name, in: root) else {
                return .failure(
                    URLError(.cannotOpenFile, detail: "\(root)/\(name) is no session's folder")
                )
            }
            do throws(URLError) {
                return try summary(of: identifier).map { .success($0) }
            } catch {
                return .failure(error)
            }
        }
    }

    /// How a session is; `nil` where there is none.
    package func summary(
        of identifier: BackgroundIdentifier
    ) throws(URLError) -> BackgroundSummary? {
        switch try enter(identifier, makes: false) {
        case .absent: return nil
        case .alive(let call):
            defer { call.end() }
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
