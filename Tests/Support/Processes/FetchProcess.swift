import Foundation

/// A run of the built `fetch` command, prepared as a user would run it.
///
/// It runs in an empty folder, with an empty home and a clean environment. So the machine's settings do
/// not affect tests, and tests can run in parallel.
public struct FetchProcess: Sendable {
    /// The program, and the arguments that follow its name.
    var program: String
    var arguments: [String]

    /// The folder it runs in; by default a fresh one.
    public var folder: TemporaryFolder
    /// Its `HOME`; two runs with the same folder share stored state.
    public var home: TemporaryFolder
    /// Variables added to the clean environment, or replacing its variables.
    public var environment: [String: String]
    /// Its standard input.
    public var input: ProcessInput
    /// The time limit; past it the process is killed, and the run throws.
    public var timeLimit: Duration
    /// The terminal it runs on, in a session of its own.
    ///
    /// The terminal replaces `input`, and shows all output on its screen.
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

    /// Prepares a run of a shell script with the executable's path in `$FETCH`.
    ///
    /// For pipelines, closed descriptors and limits: `"$FETCH" -O - "$1" <&- | head -c 1`. The parameters
    /// are the script's `$1` and so on. The variable is unset where no target under test needs the
    /// executable, so that it is not built.
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

    /// Starts the process and returns at once.
    public func start() throws -> RunningProcess {
        try RunningProcess(self)
    }

    /// Runs the process to its end; throws `TestSupportError.timedOut` past the time limit.
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

    /// Runs a shell script, with the executable's path in `$FETCH`, to its end.
    ///
    /// The parameters are the script's `$1` and so on. Throws `TestSupportError.timedOut` past the time
    /// limit.
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
