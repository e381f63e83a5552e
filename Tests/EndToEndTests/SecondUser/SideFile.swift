import Glibc
import TestSupport

/// A file `side` that fetch writes besides the body.
enum SideFile: String, CaseIterable, Sendable {
    case har = "--har"
    case errorBody = "--error-body"
    case saveCookies = "--save-cookies"
    case events = "--events-file"
    case dumpHeader = "--dump-header"
    case writeOut = "--write-out"
    case outputFile = "--output-file"

    /// The name.
    static let name = "side"

    /// Whether a new file is for its owner only.
    var isPrivate: Bool { self != .errorBody }

    /// The exit status of a run without errors.
    var status: Int32 { self == .errorBody ? 8 : 0 }

    /// The flags for the file.
    var flags: [String] {
        switch self {
        case .writeOut: [rawValue, "%output{side}%{http_code}\\n"]
        case .events: ["--events", "json", rawValue, "side"]
        default: [rawValue, "side"]
        }
    }

    /// A server whose responses have content for each kind.
    static func server() throws -> SocketServer {
        try SocketServer { connection in
            let head = try connection.readHead()
            let status = head.target == "/missing" ? "404 Not Found" : "200 OK"
            try connection.respond(status, ["Set-Cookie: a=b; Max-Age=1000"], body: "the body")
        }
    }

    /// Runs `fetch` with the flags; the body goes to `out`.
    func run(
        in scene: SecondUserScene,
        _ server: SocketServer,
        mask: mode_t = 0o022
    ) async throws -> ProcessResult {
        let url = server.url(self == .errorBody ? "/missing" : "/")
        var command = try scene.command(flags + ["-t", "1", "-O", "out", url], mask: mask)
        command.timeLimit = .seconds(20)
        return try await command.run()
    }
}
