/// A user that the servers know.
public struct TestUser: Sendable {
    /// The name.
    public let name: String
    /// The password.
    public let password: String

    /// The one that every server knows.
    public static let usual = TestUser(name: "name", password: "secret")

    /// One with UTF-8 and a blank in the name, and colons, `%`, `@` and a quote in the password.
    ///
    /// Apache and squid know them for Basic and Digest.
    public static let unusual = TestUser(name: "jürgen test", password: #"pä:%41@/"ß:"#)

    /// A user that no server need know.
    public init(name: String, password: String) {
        self.name = name
        self.password = password
    }

    /// `NAME:PASSWORD`, as curl wants it.
    public var pair: String { "\(name):\(password)" }
}
