import FoundationEssentials

/// Who has a session's lock, and where it can be spoken to: the content of the lock's file.
///
/// It is only believed while the lock is held, and what it says of a socket is checked there again.
struct LockHolder: Codable, Hashable, Sendable {
    /// The process.
    var process: Int32
    /// The absolute path of its socket: other processes of the user may have another
    /// `XDG_RUNTIME_DIR`, or none.
    var socket: String
    /// The version that is spoken there.
    var version: Int
    /// Why the process has ended before it could be spoken to, in words; `nil` where it has not.
    var failure: String?

    init(process: Int32, socket: String, version: Int, failure: String? = nil) {
        self.process = process
        self.socket = socket
        self.version = version
        self.failure = failure
    }

    init?(encoded: Data) {
        guard let holder = try? JSONDecoder().decode(Self.self, from: encoded),
            holder.socket.startsWithBytes(of: "/")
        else { return nil }
        self = holder
    }

    var encoded: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)) ?? Data()
    }
}
