/// Where a program's background sessions are, and how their transfer processes are started: for tests
/// to put something else in its place.
struct BackgroundSite: Sendable {
    /// What starts the transfer process of a session, which has the lock from then on.
    typealias Start =
        @Sendable (BackgroundIdentifier, _ root: String, consuming BackgroundLock)
        throws(BackgroundError) -> Void

    /// The folder of all sessions; `nil` where the environment names no place.
    var root: @Sendable () -> String? = { BackgroundFolder.root() }
    var start: Start = { identifier, root, lock throws(BackgroundError) in
        Children.leave(try TransferProcess.start(identifier, in: root, lock: lock))
    }
    /// How long a session waits to be attached, and at its end for what it has said to be heard.
    var patience = Duration.seconds(10)
    /// How many connections may be lost in a row, without a word in between of how transfers go.
    var lossLimit = 5
    /// How long it waits with an order that the disk had no room for, seconds.
    var retryInterval: Double = 1
}
