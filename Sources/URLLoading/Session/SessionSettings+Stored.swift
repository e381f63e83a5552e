// Settings as they are written down for a transfer process.
extension SessionSettings {
    /// All of them but secrets, which are asked for again.
    var stored: String { "{}" }
}
