import FoundationEssentials

/// A session in which some of a background session's tasks are carried out.
struct TransferSession {
    /// What it is made with; `nil` where nobody understands what was written down.
    let settings: SessionSettings?
    let session: URLSession?

    /// - Parameter configuration: how its tasks are carried out, as it was written down; `nil`: as by
    ///   default.
    init(_ configuration: String?) {
        let stored =
            configuration.map { SessionSettings(stored: $0) } ?? SessionSettings(kind: .default)
        settings = stored
        guard var settings = stored else {
            session = nil
            return
        }
        settings.waitsForConnectivity = true
        // The session's own clock goes on while no process runs.
        settings.timeoutForResource = 0
        settings.transport.recordsHeads = false
        settings.transport.tracesTransfers = false
        session = URLSession(configuration: URLSessionConfiguration(settings))
    }

    /// The session.
    ///
    /// Throws where nobody understands how it is to be made: to guess could be to go without a proxy.
    func found() throws(URLError) -> URLSession {
        if let session { return session }
        throw URLError(
            .resourceUnavailable,
            detail: "how the session is to be carried out was written down by another build"
        )
    }
}
