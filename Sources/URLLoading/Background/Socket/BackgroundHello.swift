/// The first message of both sides, whose form never changes: who is of another version can be told
/// so, in words.
struct BackgroundHello: Codable, Hashable, Sendable {
    static let name = "URLLoading background"
    /// What this build speaks.
    static let version = 1

    /// What somebody has come for.
    enum Purpose: String, Codable, Sendable {
        /// To be told of all that happens, and to give orders: one at a time.
        case attach
        /// The same, but others may make tasks meanwhile, and it makes none.
        case watch
        /// To give an order, or to ask, and go: any number.
        case control
    }

    var name = Self.name
    var version = Self.version
    /// As the program calls the session: two may share a folder by accident.
    var identifier: String
    /// Who says it.
    var process: Int32
    /// The visitor's.
    var purpose: Purpose?
    /// What it has been told of, where it knows.
    var seen: BackgroundVisitor.Seen?

    init(
        identifier: String,
        process: Int32,
        purpose: Purpose? = nil,
        seen: BackgroundVisitor.Seen? = nil
    ) {
        self.identifier = identifier
        self.process = process
        self.purpose = purpose
        self.seen = seen
    }

    /// What keeps the two from speaking with each other.
    ///
    /// - Parameter identifier: this side's.
    /// - Returns: what does; `nil`: nothing.
    func obstacle(identifier: String) -> BackgroundError? {
        guard name == Self.name else { return .disconnected("it is something else") }
        guard version == Self.version else {
            return .protocolVersion(process: process, version: version)
        }
        guard identifier == self.identifier else {
            return .disconnected("it is of the session \(self.identifier.debugDescription)")
        }
        return nil
    }
}
