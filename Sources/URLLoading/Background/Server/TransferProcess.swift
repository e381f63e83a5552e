import Dispatch
import Glibc
import Synchronization
import SystemPackage

/// The process that carries the transfers of a background session out: an executable in a hidden
/// mode, with a session of its own (setsid(2)) and no terminal.
///
/// It is this program where that says so (``serve()``), else `fetch`, looked for in `PATH`.
public enum TransferProcess {
    /// The first argument of such a process; the folder of all sessions and the identifier follow.
    static let argument = "--transfer-process"
    /// The descriptor of the session's lock in it.
    static let lockDescriptor: CInt = 3

    /// Carries transfers out, and does not return, where this process was started for that; else has
    /// this program's executable be the one that is started for its background sessions.
    ///
    /// To be called first of all in `main`. A program that does not needs `fetch` in `PATH`.
    public static func serve() { serve(FileConventions()) }

    /// The same, with what the program has of its own about files.
    package static func serve(_ conventions: FileConventions) {
        // Every start comes by here: of most, no strings are made.
        if CommandLine.argc == 4 {
            let arguments = CommandLine.arguments
            if arguments.count == 4, arguments[1] == argument {
                run(root: arguments[2], identifier: arguments[3], conventions)
            }
        }
        servesItself.withLock { $0 = true }
    }
}

extension TransferProcess {
    /// Whether this program's executable can be one.
    static let servesItself = Mutex(false)

    /// Starts the transfer process of a session, which has the lock from then on.
    ///
    /// It has no descriptor of this process's but the lock, at ``lockDescriptor``: a pipe that a
    /// process reads to its end is not kept open by what may take days.
    ///
    /// - Parameters:
    ///   - identifier: the session.
    ///   - root: where the folders of all sessions are.
    ///   - lock: the session's lock, whose descriptor it inherits; this process's is closed.
    ///   - program: what can be one; `nil`: this program, or `fetch` in `PATH`.
    /// - Returns: the process, which need not be waited for: ``Children`` can have it.
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

// What it does once it has been started.
extension TransferProcess {
    /// What must not be let go of while it runs.
    private struct Parts: Sendable {
        var server: BackgroundServer
        var transfers: URLSessionTransfers
    }

    private static let parts = Mutex<Parts?>(nil)
    /// How long what has come may take to be brought to the disk when it is told to end, seconds.
    private static let grace = 10.0

    /// Carries the transfers of a session out, until nothing is left to do.
    ///
    /// It has the session's lock at ``lockDescriptor``. What keeps it from beginning is written into
    /// the lock's file, for the client that has started it: ``BackgroundClient`` fails with it.
    static func run(
        root: String,
        identifier: String,
        _ conventions: FileConventions = FileConventions()
    ) -> Never {
        umask(0o077)
        // Its stores are those of the program that has made the session: root is PROGRAM/background.
        let path = root.utf8.split(separator: UInt8(ascii: "/"))
        if let program = path.dropLast().last { UserFolders.program = String(Substring(program)) }
        guard chdir("/") == 0 else { _exit(71) }
        // A socket or pipe whose reader has gone, a terminal that has, and a limit to files' sizes
        // are errors of the calls that meet them.
        for signal in [SIGPIPE, SIGHUP, SIGXFSZ] { Glibc.signal(signal, SIG_IGN) }
        raiseDescriptorLimit()
        do throws(BackgroundError) {
            try begin(root, BackgroundIdentifier(identifier), conventions)
        } catch {
            // Without its folder there is no place to say so.
            _exit(71)
        }
        dispatchMain()
    }

    /// The terminal's limit is not for what may have many tasks, and clients.
    private static func raiseDescriptorLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        let wanted = min(1_024, limit.rlim_max)
        guard limit.rlim_cur < wanted else { return }
        limit.rlim_cur = wanted
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    private static func begin(
        _ root: String,
        _ identifier: BackgroundIdentifier,
        _ conventions: FileConventions
    ) throws(BackgroundError) {
        guard let folder = try BackgroundFolder(identifier, in: root, makes: false) else {
            throw .refused("there is no such session")
        }
        let lock: BackgroundLock
        do throws(PrivateFileError) {
            lock = try BackgroundLock.inherit(lockDescriptor, in: folder.folder)
        } catch {
            throw .file(error)
        }
        let journaled: JournaledState
        do throws(JournalError) {
            guard let opened = try JournaledState.open(folder, settings: nil) else {
                return fail(lock, .refused("there is no such session"))
            }
            journaled = opened
        } catch {
            return fail(lock, .journal(error))
        }
        // Before there is any other thread.
        let isDiscretionary = journaled.machine.state.settings?.isDiscretionary == true
        if isDiscretionary { LowPriority.adopt() }
        begin(folder, lock, journaled, conventions, isDiscretionary: isDiscretionary)
    }

    private static func begin(
        _ folder: consuming BackgroundFolder,
        _ lock: consuming BackgroundLock,
        _ journaled: consuming JournaledState,
        _ conventions: FileConventions,
        isDiscretionary: Bool
    ) {
        let queue = SerialQueue("BackgroundServer")
        let address = SocketAddress.place(for: folder.path)
        let hasLowPriority = Atomic(isDiscretionary)
        let transfers = URLSessionTransfers(
            filesFolder: folder.filesPath,
            partsFolder: folder.partsPath,
            queue: queue,
            conventions: conventions,
            lowerPriority: {
                if !hasLowPriority.exchange(true, ordering: .relaxed) {
                    LowPriority.adoptEverywhere()
                }
            }
        )
        let server = BackgroundServer(
            folder,
            lock,
            journaled,
            at: address,
            queue: queue,
            transfers: transfers,
            ended: {
                // What was cancelled has files to remove.
                queue.dispatch.asyncAfter(deadline: .now() + grace) { _exit(0) }
                transfers.finish {
                    transfers.flush()
                    _exit(0)
                }
            }
        )
        parts.withLock { $0 = Parts(server: server, transfers: transfers) }
        server.post { server in
            do throws(BackgroundError) {
                try server.begin()
                watchSignals(queue.dispatch)
            } catch {
                server.fail(error)
                _exit(1)
            }
        }
    }

    /// Ends in order when it is asked to: parts stay where they are, to be gone on with.
    private static func watchSignals(_ queue: DispatchQueue) {
        for number in [SIGTERM, SIGINT] {
            Glibc.signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                guard let parts = parts.withLock({ $0 }) else { _exit(0) }
                queue.asyncAfter(deadline: .now() + grace) { _exit(0) }
                parts.transfers.finish { parts.server.assumeIsolated { $0.end() } }
            }
            // As long as its handler is there, which it has itself, it is.
            source.setCancelHandler { withExtendedLifetime(source) {} }
            source.activate()
        }
    }

    private static func fail(_ lock: consuming BackgroundLock, _ error: BackgroundError) {
        lock.describe(failure: error)
        _exit(1)
    }
}
