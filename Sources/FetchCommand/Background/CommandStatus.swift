import Glibc

/// What a command has ended with, in words.
enum CommandStatus {
    /// The words for what waitpid(2) says.
    ///
    /// - Parameter status: its status; `nil` where nobody has waited for it.
    /// - Returns: as in "ended with 0".
    static func words(_ status: Int32?) -> String {
        guard let status else { return "was cut off: what it ended with is not known" }
        let signal = status & 0x7f
        return signal == 0 ? "ended with \(status >> 8 & 0xff)" : "was ended by signal \(signal)"
    }
}
