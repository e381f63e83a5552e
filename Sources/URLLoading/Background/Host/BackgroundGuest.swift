import FoundationEssentials

/// A program that is connected to a transfer process; it belongs to the ``BackgroundHost``.
final class BackgroundGuest {
    let number: Int
    let connection: BackgroundConnection
    /// What it has come for; `nil`: it has not said so yet.
    var purpose: BackgroundHello.Purpose?
    /// Whether it has been told how all is, and so may be told what happens.
    var isWelcome = false
    /// Whether what it says next has to wait, since what it has said before is being done.
    private(set) var isHeld = false

    init(_ number: Int, _ connection: BackgroundConnection) {
        self.number = number
        self.connection = connection
    }

    /// Says something, and listens no more before it has been taken where there is much of it.
    func send(_ reply: BackgroundReply) {
        do throws(FrameError) {
            try connection.send(reply, isLossy: reply.isLossy)
        } catch {
            // Metrics that an earlier version has written down may be too long for a frame: the end of
            // the task is told without. There is nothing else of that length.
            if let rest = reply.withoutMetrics { try? connection.send(rest) }
        }
        if connection.isFull { connection.pauseReading() }
    }

    /// Listens no more, until it is released: its orders are carried out one after the other.
    func hold() {
        isHeld = true
        connection.pauseReading()
    }

    /// Listens again.
    func release() {
        isHeld = false
        listen()
    }

    /// Listens, unless there is a reason not to.
    func listen() {
        if !isHeld, !connection.isFull { connection.resumeReading() }
    }
}
