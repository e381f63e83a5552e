public import Foundation

/// A user account that a test acts as; it needs no entry in `/etc/passwd`.
public struct TestAccount: Hashable, Sendable, CustomStringConvertible {
    /// A name for the messages of failed tests.
    public let description: String
    /// The user id.
    public let user: uid_t
    /// The id of the account's own group.
    public let group: gid_t

    /// A group of which `user` and `other` are members.
    public static let sharedGroup: gid_t = 61_010

    /// The superuser.
    public static let root = TestAccount(description: "root", user: 0, group: 0)
    /// An account without rights, which runs `fetch`.
    public static let user = TestAccount(description: "user", user: 61_001, group: 61_001)
    /// A second account without rights, which plants files.
    public static let other = TestAccount(description: "other", user: 61_002, group: 61_002)

    /// Whether this process may act as these accounts.
    ///
    /// It must run as root, and no user namespace may hide the ids from it.
    public static let canAct: Bool = {
        guard geteuid() == 0, let folder = try? TemporaryFolder("account") else { return false }
        let script = "chmod 755 . && chown \(user.user):\(sharedGroup) . && exec \"$@\" test -O ."
        return (try? Tool.run(script, arguments: user.prefix, in: folder)) != nil
    }()

    /// The command prefix that runs a command as this account.
    var prefix: [String] {
        guard self != .root else { return [] }
        return [
            "setpriv", "--reuid=\(user)", "--regid=\(group)", "--groups=\(Self.sharedGroup)", "--",
        ]
    }
}
