import FoundationEssentials
import Glibc

// How it gets in: docs/background.md, "Attaching, and its races". Nothing waits here: what is not yet
// so is looked at again a while later.
extension BackgroundAttachment {
    /// A way in that is being tried.
    struct Connecting {
        /// When to give up.
        let deadline: ContinuousClock.Instant
        /// The transfer processes that were started.
        var starts = 0
        /// How long until the next look, seconds.
        var pause = 0.005
        /// Why the last transfer process was none to stay with; `nil`: there was none to speak to.
        var words: String?
        /// Called once, when the session is attached, or cannot be.
        let completion: (@Sendable () -> Void)?
    }

    /// How often a transfer process is started at most, before one has said a word.
    private static let startLimit = 2
    /// The longest time between two looks, seconds.
    private static let longestPause = 0.2

    /// Attaches the session, when it is made; its caller waits for that for as long as the dependencies say.
    nonisolated func begin(_ session: URLSession) {
        let entered = BlockingWait<Void>()
        post { attachment in
            attachment.session = session
            attachment.connect { entered.end(()) }
        }
        entered.wait()
    }

    /// Attaches: the first time, or again since the transfer process has gone.
    ///
    /// - Parameter completion: called when it has come to something.
    func connect(completion: (@Sendable () -> Void)? = nil) {
        guard phase == .away else {
            completion?()
            return
        }
        connecting = Connecting(
            deadline: ContinuousClock.now + dependencies.timeout,
            completion: completion
        )
        lookForServer()
    }

    private func lookForServer() {
        guard phase == .away, connecting != nil else { return }
        do throws(BackgroundError) {
            try takeServer()
        } catch {
            fail(error.urlError)
        }
    }

    private func takeServer() throws(BackgroundError) {
        guard let now = connecting else { return }
        let identifier = try BackgroundIdentifier(text)
        if let obstacle { throw obstacle }
        guard let root = dependencies.root() else { throw .noFolder }
        guard ContinuousClock.now < now.deadline else {
            if let words = now.words { throw .disconnected(words) }
            throw .disconnected(try BackgroundConnect.words(identifier, in: root))
        }
        let found = try BackgroundConnect.look(
            identifier,
            in: root,
            makes: !watches,
            hasStarted: now.starts > 0
        )
        switch consume found {
        case .none: break
        case .absent: throw absence
        case .free(let folder, let lock):
            guard now.starts < Self.startLimit else {
                throw .executable("it has ended twice before it could be spoken to")
            }
            connecting?.starts += 1
            try prepare(folder)
            try dependencies.start(identifier, root, lock)
        case .alive(let socket): return shakeHands(socket, until: now.deadline)
        }
        lookLater()
    }

    private func lookLater() {
        guard let pause = connecting?.pause else { return }
        connecting?.pause = min(pause * 2, Self.longestPause)
        post(after: pause) { $0.lookForServer() }
    }

    private var absence: BackgroundError {
        .refused("there is no background session \(text.debugDescription)")
    }

    /// Writes down what the program has configured, and finds whatever is wrong with the journal while
    /// the program is there to be told of it.
    private func prepare(_ folder: borrowing BackgroundFolder) throws(BackgroundError) {
        let isThere: Bool
        do throws(JournalError) {
            if var journaled = try JournaledState.open(folder, settings: wanted, limit: 0) {
                _ = try journaled.begin(at: WallClock.now)
                isThere = true
            } else {
                isThere = false
            }
        } catch {
            throw .journal(error)
        }
        guard isThere else { throw absence }
    }

    /// Says who this is, and has the answer be taken, or missed.
    private func shakeHands(_ socket: PeerSocket, until deadline: ContinuousClock.Instant) {
        let connection = BackgroundConnection(socket, queue: queue)
        open(connection)
        post(after: max(0, (deadline - .now) / .seconds(1))) { [weak connection] attachment in
            guard let connection, connection === attachment.connection,
                attachment.connecting != nil
            else { return }
            let words = "process \(connection.peer.process) does not answer"
            attachment.refuse(.disconnected(words))
        }
    }

    /// The process that was there was just ending; it is worth another try.
    func connectNext(_ words: String) {
        connecting?.words = words
        lookLater()
    }

    /// The way in has come to an end, or to something.
    func endConnecting() {
        let completion = connecting?.completion
        connecting = nil
        completion?()
    }
}
