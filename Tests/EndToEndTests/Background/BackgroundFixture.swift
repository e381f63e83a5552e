import Foundation
import TestSupport

/// Commands that share a home and a folder, and so their background sessions.
///
/// The fixture's end kills their transfer process.
final class BackgroundFixture: Sendable {
    let home: TemporaryFolder
    let folder: TemporaryFolder
    /// The session's identifier in all commands.
    let session: String
    /// The account that runs them; `nil`: the tests' own.
    private let account: TestAccount?
    /// The built program that is run.
    private let program: String

    /// - Parameters:
    ///   - folder: Where the commands run; a fresh folder unless given.
    ///   - account: The account that runs them.
    ///   - session: The session's identifier.
    ///   - program: The built program that is run.
    /// - Throws: what making a folder does.
    init(
        in folder: TemporaryFolder? = nil,
        as account: TestAccount? = nil,
        session: String = "session",
        program: String = "fetch"
    ) throws {
        self.program = program
        self.session = session
        home = try TemporaryFolder("home")
        self.folder = try folder ?? TemporaryFolder("background")
        self.account = account
    }

    deinit {
        killTransfers()
    }

    /// Runs a command to its end.
    @discardableResult
    func fetch(
        _ arguments: [String],
        environment: [String: String] = [:]
    ) async throws
        -> ProcessResult
    {
        try await command(arguments, environment: environment).run()
    }

    /// A command, not started.
    func command(
        _ arguments: [String],
        environment: [String: String] = [:],
        timeLimit: Duration = .seconds(150)
    ) throws -> FetchProcess {
        var process =
            program == "fetch"
            ? try FetchProcess(
                arguments,
                in: folder,
                home: home,
                environment: environment,
                timeLimit: timeLimit
            )
            : try FetchProcess(
                program: program,
                arguments,
                in: folder,
                home: home,
                environment: environment,
                timeLimit: timeLimit
            )
        if let account { try process.run(as: account) }
        return process
    }

    /// Queues tasks, which begin at once.
    @discardableResult
    func queue(_ arguments: String...) async throws -> ProcessResult {
        try await fetch(["-b", "--identifier", session] + arguments)
    }

    /// Queues an upload, and waits until it is over.
    ///
    /// Its response, `the response`, is not reported yet.
    func upload() async throws {
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            _ = try connection.readBody(head)
            try connection.respond(body: "the response")
        }
        try folder.write("body", to: "body")
        try await queue("--upload-file", "body", server.url("/x"))
        // A process that has just been started may not have its command line yet.
        guard await eventually({ server.requestCount == 1 }), await transfersEnd() else {
            throw TestSupportError.timedOut("the upload to be over", seen: try await list())
        }
        try server.verify()
    }

    /// Follows the session to its end; its events are added to `events`.
    @discardableResult
    func attach(_ arguments: String...) async throws -> ProcessResult {
        try await fetch(["--attach", session, "--events-file", "events"] + arguments)
    }

    /// What `--background-list` prints.
    func list() async throws -> String {
        try await fetch(["--background-list"]).stdoutText
    }

    /// The names in a folder below the commands' folder.
    func names(_ name: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path(name))) ?? []
    }

    /// The events that were reported so far.
    func events() throws -> Events { try Events(folder.read("events")) }

    /// The folder of all sessions' folders.
    private var root: String { ".local/state/\(program)/background" }

    /// The session's folder.
    var place: String { "\(root)/\(session)" }

    /// The transfer process, found by its command line, so also before it has written the lock's file;
    /// `nil` if none runs.
    var transferProcess: Int32? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.lazy.compactMap(Int32.init).first { process in
            // A process that has ended has no command line.
            guard let line = try? Data(contentsOf: URL(filePath: "/proc/\(process)/cmdline"))
            else { return false }
            let words = line.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
            return words.count == 4 && words[1] == "--transfer-process"
                && words[2] == home.path(root) && words[3] == session
        }
    }

    /// Kills the transfer process, as if the machine had crashed; or sends another signal.
    func killTransfers(by signal: Int32 = SIGKILL) {
        if let process = transferProcess { kill(process, signal) }
    }

    /// Waits until the transfer process has ended by itself.
    ///
    /// For a moment after its start, a process has no command line. Its lock shows it then.
    func transfersEnd() async -> Bool {
        await eventually { transferProcess == nil && !isLocked }
    }

    /// Whether a process has the session's lock.
    private var isLocked: Bool {
        let lock = open(home.path(place + "/lock"), O_RDONLY | O_CLOEXEC)
        guard lock >= 0 else { return false }
        defer { close(lock) }
        return flock(lock, LOCK_SH | LOCK_NB) != 0
    }

    /// Whether nothing is left of the session.
    var isGone: Bool { !home.exists(place) }
}
