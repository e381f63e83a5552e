/// TLS servers with one defect each, like badssl's, started once per test process.
///
/// They are one nginx with a port for each. All are `localhost`, and a client must trust
/// `Certificates.authority`. Each path responds with `ok` after a handshake.
public final class CertificateMatrix: Sendable {
    private static let started = Result { try CertificateMatrix() }

    /// The servers of this test process.
    ///
    /// - Throws: `TestSupportError` when nginx or openssl is missing, or nginx does not start.
    public static var shared: CertificateMatrix {
        get throws { try started.get() }
    }

    /// The certificates without a defect, the authority's among them.
    public let certificates: Certificates
    /// All requests so far; a client that refuses a certificate sends none.
    public let log: ServerLog<AccessLogEntry>

    private let ports: [Case: Int]

    /// The port of a server.
    public func port(_ wrong: Case) -> Int {
        ports[wrong] ?? 0
    }

    /// A path on a server: `https://localhost:PORT/…`.
    public func url(_ wrong: Case, _ path: String = "/") -> String {
        "https://localhost:\(port(wrong))\(path)"
    }

    private init() throws {
        _ = try Spawn.find("nginx")
        let certificates = try Certificates.shared
        let folder = try TemporaryFolder("matrix")
        Janitor.shared.deleteAtExit(folder)
        self.certificates = certificates
        log = ServerLog(folder: folder, name: "access.log")
        try folder.write(Self.authorities, to: "openssl.cnf")
        try folder.write(Self.permissive, to: "permissive.cnf")
        try Tool.run(Self.script, arguments: [certificates.folder.path], in: folder)

        ports = try Daemon.onFreePorts(Case.allCases.count) { numbers in
            let ports = Dictionary(uniqueKeysWithValues: zip(Case.allCases, numbers))
            try folder.write(
                Self.configuration(folder: folder, certificates: certificates, ports: ports),
                to: "nginx.conf"
            )
            try Nginx.start(
                in: folder,
                environment: ["OPENSSL_CONF": folder.path("permissive.cnf")]
            )
            return ports
        }
    }
}
