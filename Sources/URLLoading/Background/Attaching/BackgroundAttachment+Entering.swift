import FoundationEssentials
import Glibc

// How it gets in: docs/background.md, "Attaching, and its races". Nothing waits here: what is not yet
// so is looked at again a while later.
extension BackgroundAttachment {
    /// A way in that is being tried.
    struct Entrance {
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

    /// Attaches the session, when it is made; its caller waits for that as long as the site says.
    nonisolated func begin(_ session: URLSession) {
        let entered = BlockingWait<Void>()
        post { attachment in
            attachment.session = session
            attachment.enter { entered.end(()) }
        }
        entered.wait()
    }

    /// Attaches: the first time, or again since the transfer process has gone.
    ///
    /// - Parameter completion: called when it has come to something.
    func enter(completion: (@Sendable () -> Void)? = nil) {
        guard phase == .away else {
            completion?()
            return
        }
        entrance = Entrance(
            deadline: ContinuousClock.now + site.patience,
            completion: completion
        )
        lookForWay()
    }

    private func lookForWay() {
        guard phase == .away, entrance != nil else { return }
        do throws(BackgroundError) {
            try takeWay()
        } catch {
            fail(error.urlError)
        }
    }

    private func takeWay() throws(BackgroundError) {
        guard let now = entrance else { return }
        let identifier = try BackgroundIdentifier(text)
        if let obstacle { throw obstacle }
        guard let root = site.root() else { throw .noFolder }
        guard ContinuousClock.now < now.deadline else {
            if let words = now.words { throw .disconnected(words) }
            throw .disconnected(try BackgroundEntrance.words(identifier, in: root))
        }
        let found = try BackgroundEntrance.look(
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
            entrance?.starts += 1
            try prepare(folder)
            try site.start(identifier, root, lock)
        case .alive(let socket): return greet(socket, until: now.deadline)
        }
        lookLater()
    }

    private func lookLater() {
        guard let pause = entrance?.pause else { return }
        entrance?.pause = min(pause * 2, Self.longestPause)
        post(after: pause) { $0.lookForWay() }
    }

    private var absence: BackgroundError {
        .refused("there is no background session \(text.debugDescription)")
    }

    /// Writes down what the program has configured, and finds whatever is wrong with the journal while
    /// the program is there to be told of it.
    private func prepare(_ folder: borrowing BackgroundFolder) throws(BackgroundError) {
        let isThere: Bool
        do throws(JournalError) {
            if var book = try BackgroundBook.open(folder, settings: wanted, limit: 0) {
                _ = try book.begin(at: WallClock.now)
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
    private func greet(_ socket: PeerSocket, until deadline: ContinuousClock.Instant) {
        let connection = BackgroundConnection(socket, queue: queue)
        open(connection)
        post(after: max(0, (deadline - .now) / .seconds(1))) { [weak connection] attachment in
            guard let connection, connection === attachment.connection,
                attachment.entrance != nil
            else { return }
            let words = "process \(connection.peer.process) does not answer"
            attachment.refuse(.disconnected(words))
        }
    }

    /// The process that was there was just ending; it is worth another try.
    func enterNext(_ words: String) {
        entrance?.words = words
        lookLater()
    }

    /// The way in has come to an end, or to something.
    func endEntrance() {
        let completion = entrance?.completion
        entrance = nil
        completion?()
    }
}
