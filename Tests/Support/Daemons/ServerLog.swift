/// The log of a server that all tests share.
public struct ServerLog<Entry: ServerLogEntry>: Sendable {
    /// The folder of the log, and the log's name.
    let folder: TemporaryFolder
    let name: String

    /// All entries so far, of any test, oldest first.
    public func entries() -> [Entry] {
        (folder.readText(name) ?? "").split(separator: "\n").compactMap { Entry(line: $0) }
    }

    /// Waits until the log has a number of matching entries.
    ///
    /// Servers write a line after the last byte of the response, so a client may be faster.
    ///
    /// - Parameters:
    ///   - count: The number of entries to wait for.
    ///   - isMeant: Whether an entry counts: by a detail unique to the test, as the log is shared.
    /// - Returns: The entries, which are fewer than `count` after half a minute without more.
    public func entries(
        waitingFor count: Int,
        where isMeant: (Entry) -> Bool
    ) async -> [Entry] {
        _ = await eventually { entries().count(where: isMeant) >= count }
        return entries().filter(isMeant)
    }
}
