/// What keeps something in a file, and writes it when told to.
protocol StateWriter: AnyObject, Sendable {
    /// Writes what has changed; called by one thread at a time, and may wait for the disk.
    func writeChanges()
}
