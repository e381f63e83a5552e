import Foundation

/// The real squid, an HTTP proxy, started once per test process on free loopback ports.
///
/// Each port has another authentication: see `Listener`. All reach every port of this machine, for
/// `CONNECT` too. squid caches nothing, and uses no name server. Where root runs the tests, squid runs as
/// the user `proxy`.
public final class Squid: Sendable {
    private static let started = Result { try Squid() }

    /// The squid of this test process.
    ///
    /// - Throws: `TestSupportError` when a program is not installed, or does not start.
    public static var shared: Squid {
        get throws { try started.get() }
    }

    /// The realm of Basic and Digest.
    public static let realm = "test proxy"
    /// A name of this machine that only squid resolves; a client reaches it only if it leaves the look-up
    /// to squid.
    public static let onlyKnownHere = "origin.test"
    /// The account of the proxy where root starts it.
    static let account = "proxy"

    /// All requests so far whose responses are complete.
    public let log: ServerLog<SquidLogEntry>
    /// The source of the tickets that `.negotiate` requires.
    public let kerberos: Kerberos

    private let ports: [Listener: Int]

    /// The port of a listener.
    public func port(_ listener: Listener) -> Int {
        ports[listener] ?? 0
    }

    /// The URL of a listener, without a user: `http://127.0.0.1:PORT`.
    ///
    /// The URLs of TLS listeners are `https://localhost:PORT`.
    public func url(_ listener: Listener) -> String {
        listener.hasTLS
            ? "https://localhost:\(port(listener))" : "http://127.0.0.1:\(port(listener))"
    }

    private init() throws {
        _ = try Spawn.find("squid")
        let kerberos = try Kerberos.shared
        let certificates = try Certificates.shared
        let folder = try TemporaryFolder("squid")
        Janitor.shared.deleteAtExit(folder)
        self.kerberos = kerberos
        log = ServerLog(folder: folder, name: "run/access.log")
        try TestUser.writePasswordFiles(to: folder, realm: Self.realm)
        try folder.write("127.0.0.1 localhost \(Self.onlyKnownHere)\n", to: "hosts")
        try folder.write(kerberos.serviceKeys(), to: "http.keytab")
        try folder.makeFolder("run")
        try folder.give("run", to: Self.account)
        try folder.makeReadableByAll()

        ports = try Daemon.onFreePorts(Listener.allCases.count) { numbers in
            let ports = Dictionary(uniqueKeysWithValues: zip(Listener.allCases, numbers))
            try? FileManager.default.removeItem(atPath: folder.path("run/cache.log"))
            try folder.write(
                Self.configuration(folder: folder, certificates: certificates, ports: ports),
                to: "squid.conf"
            )
            try Self.start(in: folder, listeners: ports.count, kerberos: kerberos)
            return ports
        }
    }

    private static func start(
        in folder: TemporaryFolder,
        listeners: Int,
        kerberos: Kerberos
    ) throws {
        // Its shared memory has the service's name, and remains when squid is killed.
        let service = "fetch\(getpid())"
        defer {
            let shared = try? FileManager.default.contentsOfDirectory(atPath: "/dev/shm")
            for name in shared ?? [] where name.hasPrefix("\(service)-") {
                Janitor.shared.deleteAtExit(path: "/dev/shm/\(name)")
            }
        }
        try Daemon(
            program: "squid",
            arguments: ["-N", "-n", service, "-f", folder.path("squid.conf")],
            folder: folder,
            environment: kerberos.serviceEnvironment,
            logs: ["run/cache.log"]
        ).start { _ in
            let log = folder.readText("run/cache.log") ?? ""
            // squid continues without the ports that it cannot bind.
            if log.contains("Address already in use") {
                throw TestSupportError.programFailed("squid", output: log)
            }
            return log.ranges(of: "Socket connections at").count == listeners
        }
    }
}
