import CTestSupport
import Foundation

/// A server program that runs beside the tests.
///
/// The janitor kills it and its children when the test process ends, in whatever way.
struct Daemon: Sendable {
    /// The program's name or path; a name is searched in the folders of daemons.
    var program: String
    /// The arguments that follow its name.
    var arguments: [String]
    /// The folder it runs in; it writes its output there as `PROGRAM.output`.
    var folder: TemporaryFolder
    /// Variables added to this process's environment, or replacing its variables.
    var environment: [String: String] = [:]
    /// The path of the file that is its standard input.
    var input = "/dev/null"
    /// The files in the folder with reasons for a failed start, besides its output.
    var logs: [String] = []
    /// The time limit of the start.
    var limit = Duration.seconds(20)

    /// Starts the program, and blocks until it is ready.
    ///
    /// - Parameter isReady: Called every millisecond with the process id; an error ends the start.
    /// - Throws: `TestSupportError.programFailed` when the program ends instead, `timedOut` when it takes
    ///   too long, `missingProgram` when it is not installed.
    func start(isReady: (pid_t) throws -> Bool) throws {
        let executable = try program.hasPrefix("/") ? program : Spawn.find(program)
        let process = try spawn(executable)
        Janitor.shared.killAtExit(process)
        var isRunning = true
        do {
            let deadline = ContinuousClock.now + limit.scaled
            while try !isReady(process) {
                if waitpid(process, nil, WNOHANG) == process {
                    isRunning = false
                    throw TestSupportError.programFailed(program, output: output())
                }
                guard ContinuousClock.now < deadline else {
                    throw TestSupportError.timedOut("\(program) to start", seen: output())
                }
                usleep(1_000)
            }
        } catch {
            if isRunning {
                kill(-process, SIGKILL)
                while waitpid(process, nil, 0) < 0, errno == EINTR {}
            }
            Janitor.shared.forget(process)
            throw error
        }
    }

    /// The text of its output and logs.
    func output() -> String {
        ([outputName] + logs).compactMap { folder.readText($0) }.joined()
    }

    private var outputName: String {
        "\(program.split(separator: "/").last ?? "daemon").output"
    }

    private func spawn(_ executable: String) throws -> pid_t {
        let input: Descriptor? = try Descriptor.open(input, O_RDONLY)
        let output = try Descriptor.open(
            folder.path(outputName),
            O_WRONLY | O_CREAT | O_TRUNC | O_APPEND
        )
        return try Spawn(
            executable: executable,
            arguments: arguments,
            environment: Spawn.inheritedEnvironment.merging(environment) { _, given in given },
            directory: folder.path
        ).start(input: input, output: output, error: output)
    }
}
