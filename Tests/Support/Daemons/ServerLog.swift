/// The log of a server that all tests share.
public struct ServerLog<Entry: ServerLogEntry>: Sendable {
    /// The folder that the log lies in, and its name there.
    let folder: TemporaryFolder
    let name: String

    /// All that was written so far, by any test, oldest first.
    public func entries() -> [Entry] {
        (folder.readText(name) ?? "").split(separator: "\n").compactMap { Entry(line: $0) }
    }

    /// Waits until so many entries of a kind are in the log.
    ///
    /// Servers write a line after the last byte of the response, so a client may be faster.
    ///
    /// - Parameters:
    ///   - count: How many entries to wait for.
    ///   - isMeant: Whether an entry counts: by something unique to the test, as the log is shared.
    /// - Returns: The entries, which are fewer than `count` if half a minute brought no more.
    public func entries(
        waitingFor count: Int,
        where isMeant: (Entry) -> Bool
    ) async -> [Entry] {
        _ = await eventually { entries().count(where: isMeant) >= count }
        return entries().filter(isMeant)
    }
}
