import FoundationEssentials
import SystemPackage

/// Where somebody who is not attached queues tasks, gives orders and asks how all is: whether or not
/// the session's transfer process runs.
package struct BackgroundControl: Sendable {
    /// What is to become of a session.
    package enum Order: Sendable {
        /// Its transfers are held.
        case pause
        /// They go on, those too of tasks that were held.
        case resume
        /// They end, and the session is forgotten with what it has not told; a program that is attached
        /// is told all the same.
        case discard
    }

    let root: String

    /// - Parameter folders: where the user's files belong.
    /// - Throws: `noFolder`.
    package init(_ folders: UserFolders = UserFolders()) throws(BackgroundError) {
        guard let root = BackgroundFolder.root(folders) else { throw .noFolder }
        self.root = root
    }

    /// The folder of a session, whether or not there is one.
    package func path(of identifier: BackgroundIdentifier) -> String {
        "\(root)/\(identifier.folderName)"
    }

    /// Whether there is a folder of a session.
    ///
    /// Throws `file` where others could change it.
    package func has(_ identifier: BackgroundIdentifier) throws(BackgroundError) -> Bool {
        let folder = try BackgroundFolder(identifier, in: root, makes: false)
        return switch consume folder {
        case .some: true
        case .none: false
        }
    }

    /// Gives an order.
    ///
    /// Where no transfer process runs it is written down, and one is started if it has something to
    /// do now.
    ///
    /// - Parameters:
    ///   - order: the order.
    ///   - identifier: the session.
    /// - Returns: whether there is such a session.
    /// - Throws: what keeps it from being carried out.
    package func give(
        _ order: Order,
        to identifier: BackgroundIdentifier
    ) throws(URLError) -> Bool {
        switch try enter(identifier, makes: false) {
        case .absent: return false
        case .alive(var call):
            switch order {
            case .pause: try call.order(.pause(isPaused: true))
            case .resume: try call.order(.resumeAll)
            case .discard: try call.order(.discard)
            }
        case .free(let folder, let lock):
            guard var journaled = try Self.open(folder, nil) else {
                folder.remove()
                return false
            }
            let inputs: [BackgroundInput] =
                switch order {
                case .pause: [.pause(true)]
                case .resume: [.pause(false), .resumeAll]
                case .discard: [.discard]
                }
            let state = journaled.machine.state
            for effect in try Self.take(inputs, &journaled, folder) {
                guard case .cancel(let task) = effect, let record = state.tasks[task]?.record
                else { continue }
                let token = state.settings?.token ?? ""
                TransferFiles(folder.filesPath, record, token: token).remove()
                folder.removeFiles(of: task)
            }
            let isSpent = journaled.machine.state.isSpent
            let isLive = journaled.hasWork
            _ = consume journaled
            if isSpent {
                folder.remove()
            } else if isLive {
                try Self.start(identifier, in: root, lock)
            }
        }
        return true
    }

    /// Has each session go on that has something to do and no transfer process, as after the machine was
    /// started anew: what is paused or held stays so.
    ///
    /// - Returns: what keeps sessions from that, by their names.
    package func startAll() -> [(name: String, error: URLError)] {
        BackgroundFolder.names(in: root).compactMap { name in
            guard let identifier = BackgroundIdentifier(folderName: name, in: root) else {
                let words = "\(root)/\(name) is no session's folder"
                return (name, URLError(.cannotOpenFile, detail: words))
            }
            do throws(URLError) {
                try startIfNeeded(identifier)
                return nil
            } catch {
                return (identifier.text, error)
            }
        }
    }

    private func startIfNeeded(_ identifier: BackgroundIdentifier) throws(URLError) {
        let entry = try enter(identifier, makes: false)
        switch consume entry {
        case .absent: return
        // A process that was just ending would not have shaken hands.
        case .alive: return
        case .free(let folder, let lock):
            guard let journaled = try Self.open(folder, nil) else { return }
            let isLive = journaled.hasWork
            _ = consume journaled
            if isLive { try Self.start(identifier, in: root, lock) }
        }
    }

    /// A way into a session, behind the greetings.
    enum Entry: ~Copyable {
        case free(BackgroundFolder, BackgroundLock)
        case alive(ControlConnection)
        case absent
    }

    func enter(
        _ identifier: BackgroundIdentifier,
        makes: Bool,
        timeout: Duration = ControlConnection.timeout
    ) throws(URLError) -> Entry {
        do throws(BackgroundError) {
            while true {
                let found = try BackgroundConnect.enter(identifier, in: root, makes: makes)
                switch consume found {
                case .absent: return .absent
                case .free(let folder, let lock): return .free(folder, lock)
                case .alive(let socket):
                    var call = ControlConnection(socket, timeout: timeout)
                    do throws(ControlConnection.Failure) {
                        try call.shakeHands(identifier)
                        return .alive(call)
                    } catch {
                        // A process that was just ending has the lock no more in a moment.
                        if case .failed(let error) = error { throw error }
                    }
                }
            }
        } catch {
            throw error.urlError
        }
    }

    static func open(
        _ folder: borrowing BackgroundFolder,
        _ settings: BackgroundSettings?
    ) throws(URLError) -> JournaledState? {
        do throws(JournalError) {
            return try JournaledState.open(folder, settings: settings, limit: 0)
        } catch {
            throw BackgroundError.journal(error).urlError
        }
    }

    static func take(
        _ inputs: [BackgroundInput],
        _ journaled: inout JournaledState,
        _ folder: borrowing BackgroundFolder
    ) throws(URLError) -> [BackgroundEffect] {
        do throws(JournalError) {
            return try journaled.take(inputs, in: folder, at: WallClock.now)
        } catch {
            throw BackgroundError.journal(error).urlError
        }
    }

    static func start(
        _ identifier: BackgroundIdentifier,
        in root: String,
        _ lock: consuming BackgroundLock
    ) throws(URLError) {
        do throws(BackgroundError) {
            // Nobody needs to see to its end: a command ends long before.
            _ = try TransferProcess.start(identifier, in: root, lock: lock)
        } catch {
            throw error.urlError
        }
    }
}
