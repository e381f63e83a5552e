/// Why nothing of a hop has left: there is no network for it.
enum NetworkAbsence: Sendable, Equatable {
    /// There is no way to where it was to go: no route, no link, no address to come from.
    case noPath
    /// This host was not found; whether nobody knows it or nobody could be asked, only another
    /// look-up tells.
    case noName(String)
}
