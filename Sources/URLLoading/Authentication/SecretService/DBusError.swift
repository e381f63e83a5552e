/// What goes wrong on a bus.
enum DBusError: Error, Hashable {
    /// There is no bus, or none that may be trusted; why.
    case unavailable(String)
    /// It did not answer in time.
    case timedOut
    /// It said what is no D-Bus.
    case malformed
    /// The one that was called answers with an error: its name, and its words.
    case remote(name: String, words: String)
}
