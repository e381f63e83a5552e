import FoundationEssentials

// Unchecked: used on its host's queue alone, which is serial.
/// Somebody who is connected to a transfer process.
final class BackgroundGuest: @unchecked Sendable {
    let number: Int
    let connection: BackgroundConnection
    /// What it has come for; `nil`: it has not said so yet.
    var purpose: BackgroundHello.Purpose?

    init(_ number: Int, _ connection: BackgroundConnection) {
        self.number = number
        self.connection = connection
    }

    /// Says something, and listens no more before it has been taken where there is much of it.
    func send(_ reply: BackgroundReply) {
        // What is too long for a frame is no answer; there is none of that length.
        try? connection.send(reply, isLossy: reply.isLossy)
        if connection.isFull { connection.pauseReading() }
    }
}
