/// A user with an account on the servers.
public struct TestUser: Sendable {
    /// The name.
    public let name: String
    /// The password.
    public let password: String

    /// The user that every server accepts.
    public static let usual = TestUser(name: "name", password: "secret")

    /// A user with UTF-8 and a space in the name, and colons, `%`, `@` and a quote in the password.
    ///
    /// Apache and squid accept this user for Basic and Digest.
    public static let unusual = TestUser(name: "jürgen test", password: #"pä:%41@/"ß:"#)

    /// A user that need not exist on any server.
    public init(name: String, password: String) {
        self.name = name
        self.password = password
    }

    /// `NAME:PASSWORD`, as curl takes it.
    public var pair: String { "\(name):\(password)" }
}
