import Synchronization

/// What keeps something in a file, and writes it when told to.
protocol StateWriter: AnyObject, Sendable {
    /// Held while it writes: a file that is slow, such as a FIFO, holds no other writer up.
    var turn: WriteTurn { get }

    /// Writes what has changed; called by one thread at a time, and may wait for the disk.
    func writeChanges()
}

/// The lock of one writer.
final class WriteTurn: Sendable {
    let lock = Mutex(())
}
