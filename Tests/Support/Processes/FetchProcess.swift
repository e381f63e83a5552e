import Foundation

/// The built `fetch` command, about to be run as a user would run it.
///
/// It runs in an empty folder, with an empty home and a clean environment. So nothing of the
/// machine changes what a test sees and tests can run side by side.
public struct FetchProcess: Sendable {
    /// The program, and the arguments that follow its name.
    var program: String
    var arguments: [String]

    /// The folder it runs in; a fresh one unless given.
    public var folder: TemporaryFolder
    /// The folder that is its `HOME`; the same one for two runs makes the second remember.
    public var home: TemporaryFolder
    /// Variables added to the clean environment, or replacing those in it.
    public var environment: [String: String]
    /// What it finds on its standard input.
    public var input: ProcessInput
    /// How long it may take; then it is killed, and the run throws.
    public var timeLimit: Duration
    /// The terminal it runs on, in a session of its own; then `input` counts for nothing, and what
    /// it prints is on the terminal's screen.
    public var terminal: PseudoTerminal?
    /// Whether the peak of its memory is sampled every 10 ms.
    var measuresMemory = false

    /// Prepares a run of `fetch`; throws `TestSupportError.missingProgram` if it is not built.
    public init(
        _ arguments: [String],
        in folder: TemporaryFolder? = nil,
        home: TemporaryFolder? = nil,
        environment: [String: String] = [:],
        input: ProcessInput = .null,
        terminal: PseudoTerminal? = nil,
        timeLimit: Duration = .seconds(30)
    ) throws {
        try self.init(
            path: Self.executable(),
            arguments,
            in: folder,
            home: home,
            environment: environment,
            input: input,
            terminal: terminal,
            timeLimit: timeLimit
        )
    }

    /// Prepares a run of another program of this package, by its target's name.
    ///
    /// Throws `TestSupportError.missingProgram` if it is not built.
    public init(
        program name: String,
        _ arguments: [String],
        in folder: TemporaryFolder? = nil,
        home: TemporaryFolder? = nil,
        environment: [String: String] = [:],
        timeLimit: Duration = .seconds(30)
    ) throws {
        try self.init(
            path: Self.built(name),
            arguments,
            in: folder,
            home: home,
            environment: environment,
            input: .null,
            terminal: nil,
            timeLimit: timeLimit
        )
    }

    private init(
        path: String,
        _ arguments: [String],
        in folder: TemporaryFolder?,
        home: TemporaryFolder?,
        environment: [String: String],
        input: ProcessInput,
        terminal: PseudoTerminal?,
        timeLimit: Duration
    ) throws {
        program = path
        self.arguments = arguments
        self.folder = try folder ?? TemporaryFolder("run")
        self.home = try home ?? TemporaryFolder("home")
        self.environment = environment
        self.input = input
        self.terminal = terminal
        self.timeLimit = timeLimit
    }

    /// Prepares a run of a shell script that finds the executable's path in `$FETCH`.
    ///
    /// For pipelines, closed descriptors and limits: `"$FETCH" -O - "$1" <&- | head -c 1`. The
    /// parameters are what the script knows as `$1` and so on. Where the executable is not built, since
    /// no target under test needs it, the variable is not set.
    public init(
        shell script: String,
        _ parameters: [String] = [],
        in folder: TemporaryFolder? = nil,
        home: TemporaryFolder? = nil,
        environment: [String: String] = [:],
        input: ProcessInput = .null,
        terminal: PseudoTerminal? = nil,
        timeLimit: Duration = .seconds(30)
    ) throws {
        try self.init(
            path: "/bin/sh",
            ["-c", script, "sh"] + parameters,
            in: folder,
            home: home,
            environment: environment,
            input: input,
            terminal: terminal,
            timeLimit: timeLimit
        )
        self.environment["FETCH"] = try? Self.executable()
    }

    /// The same run, with ``ProcessResult/maxResidentKiB``.
    public func measuringMemory() -> FetchProcess {
        var process = self
        process.measuresMemory = true
        return process
    }

    /// Starts it and returns at once.
    public func start() throws -> RunningProcess {
        try RunningProcess(self)
    }

    /// Runs it to its end; throws `TestSupportError.timedOut` past the time limit.
    public func run() async throws -> ProcessResult {
        try await start().wait()
    }

    /// Runs `fetch` to its end; throws `TestSupportError.timedOut` past the time limit.
    public static func run(
        _ arguments: String...,
        in folder: TemporaryFolder? = nil,
        home: TemporaryFolder? = nil,
        environment: [String: String] = [:],
        input: ProcessInput = .null,
        timeLimit: Duration = .seconds(30)
    ) async throws -> ProcessResult {
        try await FetchProcess(
            arguments,
            in: folder,
            home: home,
            environment: environment,
            input: input,
            timeLimit: timeLimit
        ).run()
    }

    /// Runs a shell script, which finds the executable's path in `$FETCH`, to its end.
    ///
    /// The parameters are what the script knows as `$1` and so on. Throws
    /// `TestSupportError.timedOut` when it took longer than the time limit.
    public static func shell(
        _ script: String,
        _ parameters: String...,
        in folder: TemporaryFolder? = nil,
        home: TemporaryFolder? = nil,
        environment: [String: String] = [:],
        input: ProcessInput = .null,
        timeLimit: Duration = .seconds(30)
    ) async throws -> ProcessResult {
        try await FetchProcess(
            shell: script,
            parameters,
            in: folder,
            home: home,
            environment: environment,
            input: input,
            timeLimit: timeLimit
        ).run()
    }
}
