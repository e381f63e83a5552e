import Dispatch
import Glibc
import Synchronization

// What it does once it has been started.
extension TransferProcess {
    /// What must not be let go of while it runs.
    private struct Parts: Sendable {
        var host: BackgroundHost
        var transfers: URLSessionTransfers
    }

    private static let parts = Mutex<Parts?>(nil)
    /// How long what has come may take to be brought to the disk when it is told to end, seconds.
    private static let grace = 10.0

    /// Carries the transfers of a session out, until nothing is left to do.
    ///
    /// It has the session's lock at ``lockDescriptor``. What keeps it from beginning is written into
    /// the lock's file, for whoever has started it: ``BackgroundEntrance`` throws it.
    static func run(root: String, identifier: String) -> Never {
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
            try begin(root, BackgroundIdentifier(identifier))
        } catch {
            // Without its folder there is no place to say so.
            _exit(71)
        }
        dispatchMain()
    }

    /// The terminal's limit is not for what may have many tasks, and visitors.
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
        _ identifier: BackgroundIdentifier
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
        let book: BackgroundBook
        do throws(JournalError) {
            guard let opened = try BackgroundBook.open(folder, settings: nil) else {
                return fail(lock, .refused("there is no such session"))
            }
            book = opened
        } catch {
            return fail(lock, .journal(error))
        }
        // Before there is any other thread.
        let isDiscretionary = book.ledger.state.settings?.isDiscretionary == true
        if isDiscretionary { LowPriority.adopt() }
        begin(folder, lock, book, isDiscretionary: isDiscretionary)
    }

    private static func begin(
        _ folder: consuming BackgroundFolder,
        _ lock: consuming BackgroundLock,
        _ book: consuming BackgroundBook,
        isDiscretionary: Bool
    ) {
        let queue = SerialQueue("BackgroundHost")
        let address = SocketAddress.place(for: folder.path)
        let hasLowPriority = Atomic(isDiscretionary)
        let transfers = URLSessionTransfers(
            filesFolder: folder.filesPath,
            partsFolder: folder.partsPath,
            queue: queue,
            lowerPriority: {
                if !hasLowPriority.exchange(true, ordering: .relaxed) {
                    LowPriority.adoptEverywhere()
                }
            }
        )
        let host = BackgroundHost(
            folder,
            lock,
            book,
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
        parts.withLock { $0 = Parts(host: host, transfers: transfers) }
        host.post { host in
            do throws(BackgroundError) {
                try host.begin()
                watchSignals(queue.dispatch)
            } catch {
                host.fail(error)
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
                parts.transfers.finish { parts.host.assumeIsolated { $0.end() } }
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
