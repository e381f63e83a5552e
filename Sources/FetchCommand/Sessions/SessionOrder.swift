import URLLoading

/// What is wanted of the sessions that last, in the place of fetching anything.
enum SessionOrder: Equatable, Sendable {
    case list
    case remove(NamedSession)

    /// The flag that asks for it.
    var flag: String {
        switch self {
        case .list: "--session-list"
        case .remove: "--session-remove"
        }
    }

    /// Carries it out.
    func run(_ printer: Printer = .errorsOnly) -> Ending {
        switch self {
        case .list: FetchCommand.print(NamedSession.all().map(Self.line).joined())
        case .remove(let session): Self.remove(session, printer)
        }
    }

    private static func remove(_ session: NamedSession, _ printer: Printer) -> Ending {
        guard session.isThere else {
            printer.error(
                "--session-remove: there is no session \(session.name)",
                hint: "--session-list shows those there are"
            )
            return .status(.failure)
        }
        do throws(PrivateFileError) {
            try session.remove()
            return .status(.success)
        } catch {
            printer.error("--session-remove: \(Printable.text("\(error)"))")
            return .status(.fileIO)
        }
    }

    /// A session and how much is kept of it.
    private static func line(_ session: NamedSession) -> String {
        let cookies = session.cookieStorage().cookies?.count ?? 0
        let credentials = (try? session.credentialStore()?.allCredentials().count) ?? 0
        let bytes = session.cache().currentDiskUsage
        let parts = [
            count(cookies, "cookie"), count(credentials, "password"),
            bytes > 0 ? "\(ByteText.size(Int64(bytes))) of responses" : nil,
        ].compactMap(\.self)
        return "\(session.name): \(parts.isEmpty ? "empty" : parts.joined(separator: ", "))\n"
    }

    private static func count(_ number: Int, _ noun: String) -> String? {
        number == 0 ? nil : "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}
