/// What one turn of a loop has to come back to; its transfers share it.
final class Turn {
    /// The transfers to which something happened since the last turn's end.
    var touched: [Transfer] = []
    /// Counts pieces of bodies that moved, either way; wraps around.
    var moves: UInt = 0
    /// The transfers whose request's body waits for a descriptor.
    var awaiting: [Transfer] = []
    /// How many transfers wait for somebody to decide about their server.
    var deciding = 0
    /// How many transfers there are whose requests may be repeated only where they were refused.
    var noting = 0
    /// The last stream that a connection's server is going to act on, where it has said so.
    var lastStreams: [ConnectionName: UInt32] = [:]
    /// The transfers that their rate holds.
    var paced: [Transfer] = []
}
