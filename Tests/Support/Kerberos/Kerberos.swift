import Foundation

/// A real Kerberos key distribution centre, started once per test process on a free loopback port.
///
/// Its realm, database and configuration are in one temporary folder; it ignores the machine's own
/// Kerberos. `TestUser.usual` has a password there and a ticket; the service `HTTP` has keys for
/// `localhost` and `127.0.0.1`.
public final class Kerberos: Sendable {
    private static let started = Result { try Kerberos() }

    /// The centre of this test process.
    ///
    /// - Throws: `TestSupportError` when a program is not installed, or does not start.
    public static var shared: Kerberos {
        get throws { try started.get() }
    }

    /// The realm.
    public static let realm = "TEST.FETCH"
    /// The owner of the ticket in `environment`: `name@TEST.FETCH`.
    public static let principal = "\(TestUser.usual.name)@\(realm)"

    /// The folder of all its files.
    let folder: TemporaryFolder

    /// The environment variables of a client with a ticket.
    public var environment: [String: String] {
        ["KRB5_CONFIG": folder.path("krb5.conf"), "KRB5CCNAME": "FILE:\(folder.path)/tickets"]
    }

    /// The environment variables of a client without a ticket.
    public var environmentWithoutTicket: [String: String] {
        environment.merging(["KRB5CCNAME": "FILE:\(folder.path)/no-tickets"]) { $1 }
    }

    /// The environment variables of a server, which may run as another user.
    var serviceEnvironment: [String: String] {
        ["KRB5_CONFIG": folder.path("krb5.conf"), "KRB5RCACHENAME": "none:"]
    }

    /// The keytab of `HTTP`, of which a server can have a readable copy.
    func serviceKeys() throws -> [UInt8] {
        guard let keys = folder.read("http.keytab") else {
            throw TestSupportError.systemError("open http.keytab", code: ENOENT)
        }
        return keys
    }

    private init() throws {
        for program in ["krb5kdc", "kdb5_util", "kadmin.local", "kinit"] {
            _ = try Spawn.find(program)
        }
        let folder = try TemporaryFolder("kerberos")
        Janitor.shared.deleteAtExit(folder)
        self.folder = folder
        // Servers that do not run as root reach their configuration through this folder.
        guard chmod(folder.path, 0o711) == 0 else {
            throw TestSupportError.lastSystemError("chmod")
        }
        let variables = [
            "KRB5_CONFIG": folder.path("krb5.conf"),
            "KRB5_KDC_PROFILE": folder.path("kdc.conf"),
            "KRB5CCNAME": "FILE:\(folder.path)/tickets",
        ]

        try Daemon.onFreePorts(1) { ports in
            try folder.write(Self.clientConfiguration(port: ports[0]), to: "krb5.conf")
            try folder.write(Self.configuration(folder: folder, port: ports[0]), to: "kdc.conf")
            guard chmod(folder.path("krb5.conf"), 0o644) == 0 else {
                throw TestSupportError.lastSystemError("chmod")
            }
            if !folder.exists("principal") {
                try Self.run(Self.database, in: folder, with: variables)
            }
            try Daemon(
                program: "krb5kdc",
                arguments: ["-n", "-P", folder.path("pid")],
                folder: folder,
                environment: variables,
                logs: ["kdc.log"]
            ).start { _ in folder.size("pid") ?? 0 > 0 }
        }
        try Self.run(Self.ticket, in: folder, with: variables)
    }

    /// Runs a script with the usual user as `$1` and the password as `$2`.
    private static func run(
        _ script: String,
        in folder: TemporaryFolder,
        with variables: [String: String]
    ) throws {
        let exports = variables.map { "export \($0.key)='\($0.value)'\n" }
        try Tool.run(
            // Not every user's PATH has the folder of these programs.
            exports.joined() + "PATH=$PATH:/usr/sbin\n" + script,
            arguments: [TestUser.usual.name, TestUser.usual.password],
            in: folder
        )
    }
}
