/// Real SOCKS 5 servers, microsocks, started once per test process on free loopback ports.
///
/// One accepts every client; the other requires a user and a password. Their log shows a name where the
/// client left the look-up to the server, as `socks5h` does, and otherwise an address. They resolve names
/// by the machine's `/etc/hosts` and name server.
public final class Socks: Sendable {
    private static let started = Result { try Socks() }

    /// The SOCKS servers of this test process.
    ///
    /// - Throws: `TestSupportError` when microsocks is not installed, or does not start.
    public static var shared: Socks {
        get throws { try started.get() }
    }

    /// The port of the server that accepts every client.
    public let port: Int
    /// The port of the server that accepts `TestUser.usual`, and no user without a password.
    public let userPort: Int
    /// All connections made by `port` so far.
    public let log: ServerLog<SocksLogEntry>
    /// All connections made by `userPort` so far.
    public let userLog: ServerLog<SocksLogEntry>

    private init() throws {
        let user = TestUser.usual
        (port, log) = try Self.start([])
        (userPort, userLog) = try Self.start(["-u", user.name, "-P", user.password])
    }

    private static func start(
        _ arguments: [String]
    ) throws -> (Int, ServerLog<SocksLogEntry>) {
        let folder = try TemporaryFolder("socks")
        Janitor.shared.deleteAtExit(folder)
        let port = try Daemon.onFreePorts(1) { ports in
            try Daemon(
                program: "microsocks",
                arguments: ["-i", "127.0.0.1", "-p", "\(ports[0])"] + arguments,
                folder: folder
            ).start { Daemon.isListening($0, on: ports[0]) }
            return ports[0]
        }
        return (port, ServerLog(folder: folder, name: "microsocks.output"))
    }
}
