/// The status line and the fields of a final answer.
public struct ResponseHead: Sendable, Hashable {
    /// The version as the status line has it: `1.1`, `2`.
    public var version: String
    /// The status code, 100 to 999.
    public var status: Int
    /// The reason phrase; empty over HTTP/2.
    public var reason: String
    /// The fields in the order they came, a folded one made whole.
    public var fields: [Field]

    /// One field as it came.
    public struct Field: Sendable, Hashable {
        /// The name in the server's own case.
        public var name: String
        /// The value without white space around it; Latin-1 where it is not UTF-8.
        public var value: String

        /// Makes a field.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Makes a head.
    public init(version: String, status: Int, reason: String, fields: [Field]) {
        self.version = version
        self.status = status
        self.reason = reason
        self.fields = fields
    }
}
