import Foundation
import Synchronization

/// The real nginx, started once per test process on free loopback ports.
///
/// All its files are in one temporary folder. It is killed when the test process ends, in whatever way.
/// `Nginx+Locations.swift` lists its locations.
public final class Nginx: Sendable {
    private static let started = Result { try Nginx() }

    /// The nginx of this test process.
    ///
    /// - Throws: `TestSupportError` when nginx or openssl is missing, or nginx does not start.
    public static var shared: Nginx {
        get throws { try started.get() }
    }

    /// Plain HTTP/1.1.
    public let httpPort: Int
    /// HTTP/1.1 over TLS, with the good certificate.
    public let tlsPort: Int
    /// HTTP/2 (or 1.1, as the client requests) over TLS, with the good certificate.
    public let http2Port: Int
    /// HTTP/1.1 over TLS 1.2 and nothing newer.
    public let tls12Port: Int
    /// TLS with a certificate that has expired.
    public let expiredPort: Int
    /// TLS with a certificate that no authority signed.
    public let selfSignedPort: Int
    /// TLS with a certificate for another host.
    public let wrongHostPort: Int
    /// TLS with a certificate that the revocation list names.
    public let revokedPort: Int
    /// TLS that responds with 400 unless the client shows a certificate of the test authority.
    public let clientCertificatePort: Int
    /// TLS that requests a client certificate, but does not require one.
    ///
    /// A client's certificate must be of the test authority.
    public let optionalClientCertificatePort: Int
    /// HTTP/2 over TLS, with seven requests per connection.
    public let fewRequestsPort: Int
    /// Plain HTTP/1.1 on a Unix socket.
    public let unixSocketPath: String
    /// The folder whose files are served under `/files/` and others.
    public let documentRoot: String
    /// Whether `/echo-body` exists, which needs nginx's echo module.
    public let hasEchoModule: Bool
    /// The server's certificates.
    public let certificates: Certificates

    /// The folder of all its files.
    let folder: TemporaryFolder
    /// The reader of its log.
    let log = Mutex(AccessLogReader())

    private init() throws {
        _ = try Spawn.find("nginx")
        certificates = try Certificates.shared
        folder = try TemporaryFolder("nginx")
        Janitor.shared.deleteAtExit(folder)
        documentRoot = try folder.makeFolder("root")
        try folder.makeFolder("root/dav")
        try folder.write([], to: "root/empty")
        try folder.write("Hello, world!\n", to: "root/hello.txt")
        try folder.write("name:{PLAIN}secret\n", to: "passwords")
        hasEchoModule = access(Self.echoModule, R_OK) == 0
        unixSocketPath = folder.path("socket")

        let ports = try Daemon.onFreePorts(NginxPorts.count) {
            [folder, certificates, hasEchoModule] numbers in
            let ports = NginxPorts(numbers)
            try folder.write(
                Self.locations(folder: folder, tlsPort: ports.tls, hasEchoModule: hasEchoModule),
                to: "locations.conf"
            )
            try folder.write(
                Self.configuration(
                    folder: folder,
                    certificates: certificates,
                    ports: ports,
                    hasEchoModule: hasEchoModule
                ),
                to: "nginx.conf"
            )
            try Self.start(in: folder)
            return ports
        }
        httpPort = ports.http
        tlsPort = ports.tls
        http2Port = ports.http2
        tls12Port = ports.tls12
        expiredPort = ports.expired
        selfSignedPort = ports.selfSigned
        wrongHostPort = ports.wrongHost
        revokedPort = ports.revoked
        clientCertificatePort = ports.client
        optionalClientCertificatePort = ports.optionalClient
        fewRequestsPort = ports.fewRequests
    }

    /// Starts nginx with the `nginx.conf` of a folder.
    ///
    /// Blocks until nginx listens, which is when it has written its process id.
    static func start(in folder: TemporaryFolder, environment: [String: String] = [:]) throws {
        try Daemon(
            program: "nginx",
            arguments: [
                "-p", folder.path, "-c", folder.path("nginx.conf"), "-e", folder.path("error.log"),
            ],
            folder: folder,
            environment: environment
        ).start { _ in folder.size("nginx.pid") ?? 0 > 0 }
    }
}
