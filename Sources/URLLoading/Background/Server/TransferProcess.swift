import Dispatch
import Glibc
import Synchronization
import SystemPackage

/// The process that carries out the transfers of a background session: an executable in a hidden mode, with
/// a login session of its own (setsid(2)) and no terminal.
///
/// The executable is this program if it calls ``serve()``, otherwise `fetch` in `PATH`.
public enum TransferProcess {
    /// The first argument of a transfer process; the folder of all sessions and the identifier follow.
    static let argument = "--transfer-process"
    static let lockDescriptor: CInt = 3

    /// Carries out transfers, and does not return, if this process was started as a transfer process.
    ///
    /// Otherwise, this program's executable is used for its background sessions.
    ///
    /// Call this at the beginning of `main`. A program without this call needs `fetch` in `PATH`.
    public static func serve() { serve(FileConventions()) }

    /// The same, with the program's own conventions for files.
    package static func serve(_ conventions: FileConventions) {
        // Each start of a program runs this code: usually, no strings are made.
        if CommandLine.argc == 4 {
            let arguments = CommandLine.arguments
            if arguments.count == 4, arguments[1] == argument {
                run(root: arguments[2], identifier: arguments[3], conventions)
            }
        }
        canServe.withLock { $0 = true }
    }

    /// Whether this program's executable can be a transfer process.
    static let canServe = Mutex(false)

    /// Starts the transfer process of a session, hands the lock over to it, and returns its number.
    ///
    /// The process inherits only the lock, at ``lockDescriptor``: a transfer of days must not keep a pipe
    /// open that another process reads to its end. If it cannot be started, `executable` is thrown, and the
    /// lock is free.
    static func start(
        _ identifier: BackgroundIdentifier,
        in root: String,
        lock: consuming BackgroundLock,
        program: String? = nil
    ) throws(BackgroundError) -> Int32 {
        // The new process writes its own content into the lock's file.
        lock.clear()
        // The lock stays open until the new process has it.
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
        canServe.withLock { $0 } ? "/proc/self/exe" : "fetch"
    }
}

// The code of a transfer process.
extension TransferProcess {
    /// The longest time for writing received bytes to the disk after a signal, seconds.
    private static let grace = 10.0

    /// Carries out the transfers of a session until no work is left.
    ///
    /// The session's lock is at ``lockDescriptor``. An error at the start is written into the lock's file,
    /// from which the ``BackgroundClient`` that has started this process throws it.
    static func run(
        root: String,
        identifier: String,
        _ conventions: FileConventions = FileConventions()
    ) -> Never {
        umask(0o077)
        // The stores are those of the program that has made the session: root is PROGRAM/background.
        let path = root.utf8.split(separator: UInt8(ascii: "/"))
        if let program = path.dropLast().last { UserFolders.program = String(Substring(program)) }
        guard chdir("/") == 0 else { _exit(71) }
        // A closed socket or pipe, a closed terminal, and the limit of a file's size become errors of
        // system calls.
        for signal in [SIGPIPE, SIGHUP, SIGXFSZ] { Glibc.signal(signal, SIG_IGN) }
        // The terminal's limit is too low for many tasks and clients.
        DescriptorLimit.raise(to: 1_024)
        do throws(BackgroundError) {
            try begin(root, BackgroundIdentifier(identifier), conventions)
        } catch {
            // Without the session's folder, the error cannot be written anywhere.
            _exit(71)
        }
        // dispatchMain() would end this thread, for which glibc loads another library.
        while true { pause() }
    }

    private static func begin(
        _ root: String,
        _ identifier: BackgroundIdentifier,
        _ conventions: FileConventions
    ) throws(BackgroundError) {
        guard let folder = try BackgroundFolder(identifier, in: root, makes: false) else {
            throw .refused("there is no such session")
        }
        let lock = try BackgroundError.files(
            try BackgroundLock.inherit(lockDescriptor, in: folder.folder)
        )
        let journaled: JournaledState
        do throws(BackgroundError) {
            guard let opened = try JournaledState.open(folder, settings: nil) else {
                throw .refused("there is no such session")
            }
            journaled = opened
        } catch {
            lock.describe(failure: error)
            _exit(1)
        }
        // Must run before any other thread exists.
        let isDiscretionary = journaled.machine.state.settings?.isDiscretionary == true
        if isDiscretionary { LowPriority.adopt() }
        let queue = SerialQueue("BackgroundServer")
        let address = SocketAddress.place(for: folder.path)
        let transfers = URLSessionTransfers(
            filesFolder: folder.filesPath,
            partsFolder: folder.partsPath,
            queue: queue,
            conventions: conventions,
            lowerPriority: LowPriority.adoptEverywhere
        )
        let server = BackgroundServer(
            folder,
            lock,
            journaled,
            at: address,
            queue: queue,
            transfers: transfers,
            ended: {
                // Cancelled transfers still remove their files.
                queue.dispatch.asyncAfter(deadline: .now() + grace) { _exit(0) }
                transfers.finish {
                    transfers.flush()
                    _exit(0)
                }
            }
        )
        server.post { server in
            do throws(BackgroundError) {
                try server.begin()
                watchSignals(server, transfers)
            } catch {
                server.lock.describe(failure: error)
                _exit(1)
            }
        }
    }

    /// Ends in order after a signal; parts stay, and the next process continues them.
    ///
    /// The handlers keep the server and its transfers as long as the process lives.
    private static func watchSignals(_ server: BackgroundServer, _ transfers: URLSessionTransfers) {
        let queue = server.queue.dispatch
        for number in [SIGTERM, SIGINT] {
            Glibc.signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                queue.asyncAfter(deadline: .now() + grace) { _exit(0) }
                transfers.finish { server.assumeIsolated { $0.end() } }
            }
            // The cancel handler keeps the source alive.
            source.setCancelHandler { withExtendedLifetime(source) {} }
            source.activate()
        }
    }
}
