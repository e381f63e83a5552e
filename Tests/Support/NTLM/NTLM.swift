import Foundation

/// An HTTP server and an HTTP proxy that require NTLM, started once per test process.
///
/// They are a script of our own around pyspnego, in the environment that `Scripts/setup test` makes,
/// since no server of Debian's accepts NTLM without a domain controller. NTLM authenticates a connection
/// and not a request. They accept `TestUser.usual`, without a domain and in the domain `DOMAIN`.
public final class NTLM: Sendable {
    private static let started = Result { try NTLM() }

    /// The server and the proxy of this test process.
    ///
    /// - Throws: `TestSupportError` when a program is not installed, or does not start.
    public static var shared: NTLM {
        get throws { try started.get() }
    }

    /// The port of the server.
    public let port: Int
    /// The port of the proxy, which leads to every port of this machine, for `CONNECT` too.
    public let proxyPort: Int
    /// All requests so far to which either has responded.
    public let log: ServerLog<NTLMLogEntry>

    /// A path on the server: `http://127.0.0.1:PORT/…`.
    ///
    /// | path | authentication |
    /// |---|---|
    /// | `/open/…` | nothing |
    /// | `/negotiate-or-ntlm/…` | NTLM, bare or in Negotiate; both are offered |
    /// | others | NTLM |
    ///
    /// It responds with method, target and user, the number of the connection, and the length and
    /// SHA-256 of the body sent by whatever method, as `name: value` lines.
    public func url(_ path: String) -> String {
        "http://127.0.0.1:\(port)\(path)"
    }

    private init() throws {
        let python = Self.root.appending(path: ".build/test-python/bin/python").path
        guard access(python, X_OK) == 0 else { throw TestSupportError.missingProgram(python) }
        let folder = try TemporaryFolder("ntlm")
        Janitor.shared.deleteAtExit(folder)
        let user = TestUser.usual
        try folder.write(
            ["", "DOMAIN"].map { "\($0):\(user.name):\(user.password)\n" }.joined(),
            to: "users"
        )
        let script = Self.root.appending(path: "Tests/Support/NTLM/Acceptor/acceptor.py")
        // `-I` isolates Python from the user's own settings and packages.
        try Daemon(
            program: python,
            arguments: ["-I", script.path, folder.path],
            folder: folder
        ).start { _ in folder.exists("ports") }
        let ports = (folder.readText("ports") ?? "").split(whereSeparator: \.isWhitespace)
        guard ports.count == 2, let port = Int(ports[0]), let proxyPort = Int(ports[1]) else {
            throw TestSupportError.malformed("\(ports)")
        }
        self.port = port
        self.proxyPort = proxyPort
        log = ServerLog(folder: folder, name: "log")
    }

    /// The folder of the package.
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent()
}
