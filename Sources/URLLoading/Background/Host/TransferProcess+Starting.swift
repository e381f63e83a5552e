import Glibc
import Synchronization
import SystemPackage

extension TransferProcess {
    /// Whether this program's executable can be one.
    static let servesItself = Mutex(false)

    /// Starts the transfer process of a session, which has the lock from then on.
    ///
    /// It has no descriptor of this process's but the lock, at ``lockDescriptor``: a pipe that somebody
    /// reads to its end is not kept open by what may take days.
    ///
    /// - Parameters:
    ///   - identifier: the session.
    ///   - root: where the folders of all sessions are.
    ///   - lock: the session's lock, whose descriptor it inherits; this process's is closed.
    ///   - program: what can be one; `nil`: this program, or `fetch` in `PATH`.
    /// - Returns: the process, which nobody needs to wait for: ``Children`` can have it.
    /// - Throws: `executable` where there is none, or it cannot be started; the lock is free then.
    static func start(
        _ identifier: BackgroundIdentifier,
        in root: String,
        lock: consuming BackgroundLock,
        program: String? = nil
    ) throws(BackgroundError) -> Int32 {
        // What it says there from now on is its own word.
        lock.clear()
        // It is open until there is another that has it.
        defer { withExtendedLifetime(lock) {} }
        let file = FileDescriptor(rawValue: lock.descriptor)
        let program = program ?? Self.program
        let process = ProcessStart(
            program,
            ["fetch", argument, root, identifier.text],
            descriptors: [.null, .null, .null, .duplicate(file)],
            group: .session
        )
        do throws(Errno) {
            return try process.start()
        } catch {
            throw .executable("\(program): \(error)")
        }
    }

    private static var program: String {
        servesItself.withLock { $0 } ? "/proc/self/exe" : "fetch"
    }
}
