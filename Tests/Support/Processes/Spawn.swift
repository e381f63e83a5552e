import CTestSupport
import Foundation

/// The parameters of `posix_spawn` for a program, with defined signals and descriptors.
///
/// The child gets its three descriptors, the default action for every signal with none blocked, and its
/// own process group, so `kill(-pid)` reaches its children too.
struct Spawn {
    /// The program's path.
    var executable: String
    /// The arguments that follow the program's own name.
    var arguments: [String]
    /// The whole environment; the child inherits no other variables.
    var environment: [String: String] = Self.inheritedEnvironment
    /// The working folder; `nil`: this process's.
    var directory: String?

    /// This process's environment, for programs that are tools and not under test.
    static var inheritedEnvironment: [String: String] { ProcessInfo.processInfo.environment }

    /// The path of a program in `$PATH` or in the folders of system daemons.
    static func find(_ name: String) throws -> String {
        let path = inheritedEnvironment["PATH"] ?? "/usr/bin:/bin"
        let folders: [Substring] =
            path.split(separator: ":") + ["/usr/local/sbin", "/usr/sbin", "/sbin"]
        for folder in folders where access("\(folder)/\(name)", X_OK) == 0 {
            return "\(folder)/\(name)"
        }
        throw TestSupportError.missingProgram(name)
    }

    /// Starts the program.
    ///
    /// The descriptors are borrowed and not passed by number, since an owner may be destroyed after its
    /// last use, and its number with it.
    ///
    /// - Parameters:
    ///   - input: The descriptor that becomes its standard input, or `nil` to leave that closed.
    ///   - output: The descriptor that becomes its standard output.
    ///   - error: The descriptor that becomes its standard error.
    /// - Returns: The process id; the caller waits for it.
    /// - Throws: `TestSupportError.system` when it cannot be started.
    func start(
        input: borrowing Descriptor?,
        output: borrowing Descriptor,
        error: borrowing Descriptor
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        switch input {
        case .some(let descriptor):
            posix_spawn_file_actions_adddup2(&actions, descriptor.number, 0)
        case .none:
            posix_spawn_file_actions_addclose(&actions, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, output.number, 1)
        posix_spawn_file_actions_adddup2(&actions, error.number, 2)
        return try start(&actions, POSIX_SPAWN_SETPGROUP)
    }

    /// Starts the program on a terminal, in a session of its own, in the terminal's foreground.
    ///
    /// - Parameter terminal: The terminal's path; the terminal becomes all three descriptors.
    /// - Returns: The process id; the caller waits for it.
    /// - Throws: `TestSupportError.system` when it cannot be started.
    func start(on terminal: String) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // The first terminal that a session leader opens becomes the session's controlling terminal.
        posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, 0, 1)
        posix_spawn_file_actions_adddup2(&actions, 0, 2)
        return try start(&actions, Int32(SPAWN_IN_SESSION))
    }

    /// Starts the program; shared by both variants.
    ///
    /// - Parameters:
    ///   - actions: The file actions for the three descriptors.
    ///   - group: The flag that gives it a process group.
    /// - Returns: The process id.
    /// - Throws: `TestSupportError.system` when it cannot be started.
    private func start(
        _ actions: inout posix_spawn_file_actions_t,
        _ group: Int32
    ) throws -> pid_t {
        posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        if let directory {
            posix_spawn_file_actions_addchdir_np(&actions, directory)
        }

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = group | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        posix_spawnattr_setflags(&attributes, Int16(flags))

        let variables = environment.map { "\($0.key)=\($0.value)" }.sorted()
        return try Self.withCStrings([executable] + arguments) { argv in
            try Self.withCStrings(variables) { envp in
                var process: pid_t = 0
                let code = posix_spawn(&process, executable, &actions, &attributes, argv, envp)
                guard code == 0 else {
                    throw TestSupportError.systemError("posix_spawn \(executable)", code: code)
                }
                return process
            }
        }
    }

    /// Calls a closure with a null-terminated array of C strings that exists as long as the call.
    private static func withCStrings<Result>(
        _ strings: [String],
        _ body: ([UnsafeMutablePointer<CChar>?]) throws -> Result
    ) rethrows -> Result {
        let copies = strings.map { strdup($0) }
        defer {
            for copy in copies { free(copy) }
        }
        return try body(copies + [nil])
    }
}
