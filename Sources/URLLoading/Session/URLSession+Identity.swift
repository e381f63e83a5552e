// Sessions and tasks are told apart by which they are, as with Foundation.
extension URLSession: Hashable {
    /// Whether both are one session.
    public static func == (one: URLSession, other: URLSession) -> Bool {
        one === other
    }

    /// Hashes which session it is.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

extension URLSessionTask: Hashable {
    /// Whether both are one task.
    public static func == (one: URLSessionTask, other: URLSessionTask) -> Bool {
        one === other
    }

    /// Hashes which task it is.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
