import Foundation

/// The real Apache httpd, started once per test process on free loopback ports.
///
/// Tests use it for authentication, of which nginx has little: Basic, Digest and Negotiate, with bodies
/// that it stores or sums up. All its files are in one temporary folder. It runs as the user that runs
/// the tests, or as `www-data` where that user is root. `Apache+Locations.swift` lists its locations.
///
/// Its Digest is MD5, since httpd has no other: SHA-256, `MD5-sess`, `auth-int` and `userhash` need a
/// `SocketServer`.
public final class Apache: Sendable {
    private static let started = Result { try Apache() }

    /// The Apache of this test process.
    ///
    /// - Throws: `TestSupportError` when a program is not installed, or does not start.
    public static var shared: Apache {
        get throws { try started.get() }
    }

    /// The realm of Basic and Digest.
    public static let realm = "test realm"
    /// The account of the server where root starts it.
    static let account = "www-data"

    /// Plain HTTP/1.1.
    public let port: Int
    /// HTTP/1.1 over TLS, with the good certificate.
    public let tlsPort: Int
    /// TLS that aborts the handshake unless the client shows a certificate of the test authority.
    ///
    /// nginx instead completes every handshake, and then responds with 400.
    public let clientCertificatePort: Int
    /// All requests so far whose responses are complete.
    public let log: ServerLog<ApacheLogEntry>
    /// The source of the tickets that `/negotiate/` requires.
    public let kerberos: Kerberos

    /// The folder of all its files.
    let folder: TemporaryFolder

    private init() throws {
        _ = try Spawn.find("apache2")
        kerberos = try Kerberos.shared
        let certificates = try Certificates.shared
        let folder = try TemporaryFolder("apache")
        Janitor.shared.deleteAtExit(folder)
        self.folder = folder
        log = ServerLog(folder: folder, name: "access.log")
        try TestUser.writePasswordFiles(to: folder, realm: Self.realm)
        try folder.write(kerberos.serviceKeys(), to: "http.keytab")
        try folder.give("http.keytab", to: Self.account)
        try folder.write("Hello, world!\n", to: "root/hello.txt")
        try folder.write(Coder.text(20_000), to: "root/text.txt")
        try folder.write("Denied.\n", to: "root/denied.txt")
        for name in ["root/uploads", "run"] {
            try folder.makeFolder(name)
            try folder.give(name, to: Self.account)
        }
        try folder.write(Self.sum, to: "scripts/sum")
        guard chmod(folder.path("scripts/sum"), 0o755) == 0 else {
            throw TestSupportError.lastSystemError("chmod")
        }
        try folder.makeReadableByAll()

        let environment = kerberos.serviceEnvironment
        let ports = try Daemon.onFreePorts(3) { ports in
            try? FileManager.default.removeItem(atPath: folder.path("pid"))
            try folder.write(
                Self.configuration(folder: folder, certificates: certificates, ports: ports)
                    + Self.locations(folder: folder),
                to: "httpd.conf"
            )
            try Daemon(
                program: "apache2",
                arguments: ["-f", folder.path("httpd.conf"), "-D", "FOREGROUND"],
                folder: folder,
                environment: environment,
                logs: ["error.log"]
            ).start { _ in folder.size("pid") ?? 0 > 0 }
            return ports
        }
        port = ports[0]
        tlsPort = ports[1]
        clientCertificatePort = ports[2]
    }

    /// Responds with the SHA-256 of the request's body of any length.
    private static let sum = #"""
        #!/bin/sh
        sum=$(sha256sum)
        printf 'Content-Type: text/plain\n\n'
        printf 'sha256: %s\nmethod: %s\nuser: %s\nlength: %s\ntype: %s\n' \
            "${sum%% *}" "$REQUEST_METHOD" "$REMOTE_USER" "$CONTENT_LENGTH" "$CONTENT_TYPE"

        """#
}
