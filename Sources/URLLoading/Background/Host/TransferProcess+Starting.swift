import CLinux
import Glibc
import Synchronization
import SystemPackage

extension TransferProcess {
    /// Whether this program's executable can be one.
    static let servesItself = Mutex(false)

    /// Starts the transfer process of a session, which has the lock from then on.
    ///
    /// It is not waited for. It has no descriptor of this process's but the lock: a pipe that somebody
    /// reads to its end is not kept open by what may take days.
    ///
    /// - Parameters:
    ///   - identifier: the session.
    ///   - root: where the folders of all sessions are.
    ///   - lock: the session's lock, whose descriptor it inherits; this process's is closed.
    ///   - program: what can be one; `nil`: this program, or `fetch` in `PATH`.
    /// - Throws: `executable` where there is none, or it cannot be started; the lock is free then.
    static func start(
        _ identifier: BackgroundIdentifier,
        in root: String,
        lock: consuming BackgroundLock,
        program: String? = nil
    ) throws(BackgroundError) {
        // What it says there from now on is its own word.
        lock.clear()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, lock.descriptor, lockDescriptor)
        linux_spawn_closes(&actions, lockDescriptor + 1)
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | linux_spawn_setsid
        posix_spawnattr_setflags(&attributes, Int16(flags))
        let program = program ?? Self.program
        let words: [String] = ["fetch", argument, root, identifier.text]
        let arguments = words.map { strdup($0) }
        defer { for text in arguments { free(text) } }
        var process: pid_t = 0
        let code = posix_spawnp(
            &process,
            program,
            &actions,
            &attributes,
            arguments + [nil],
            linux_environment()
        )
        guard code == 0 else {
            throw .executable("\(program): \(Errno(rawValue: code))")
        }
    }

    private static var program: String {
        servesItself.withLock { $0 } ? "/proc/self/exe" : "fetch"
    }
}
