import Dispatch
import Glibc

// How it gets in, on a thread that can wait: docs/background.md, "Attaching, and its races".
extension BackgroundAttachment {
    /// How often a transfer process is started at most, before one has said a word.
    private static let startLimit = 2

    /// Attaches the session, when it is made; waits for that as long as its site says.
    func begin(_ session: URLSession) {
        queue.sync { self.session = session }
        tryToEnter()
    }

    /// Attaches again, since the transfer process has gone.
    func enterAgain() {
        DispatchQueue.global(qos: .utility).async { [weak self] in self?.tryToEnter() }
    }

    private func tryToEnter() {
        do throws(BackgroundError) {
            try enter()
        } catch {
            queue.sync { fail(error.urlError) }
        }
    }

    private func enter() throws(BackgroundError) {
        let identifier = try BackgroundIdentifier(text)
        if let obstacle { throw obstacle }
        guard let root = site.root() else { throw .noFolder }
        let deadline = ContinuousClock.now + site.patience
        var starts = 0
        var pause: UInt32 = 5_000
        var words = "it takes too long"
        while !queue.sync(execute: { phase == .over }) {
            let left = deadline - .now
            guard left > .zero else { throw .disconnected(words) }
            let found = try BackgroundEntrance.enter(
                identifier,
                in: root,
                makes: !watches,
                queue: queue,
                patience: left,
                hasStarted: starts > 0
            )
            switch consume found {
            case .absent: throw absence
            case .free(let folder, let lock):
                guard starts < Self.startLimit else {
                    throw .executable("it has ended twice before it could be spoken to")
                }
                starts += 1
                try prepare(folder)
                try site.start(identifier, root, lock)
            case .alive(let connection):
                guard let reason = try greet(connection, until: deadline) else { return }
                words = reason
            }
            usleep(pause)
            pause = min(pause * 2, 200_000)
        }
    }

    private var absence: BackgroundError {
        .refused("there is no background session \(text.debugDescription)")
    }

    /// Writes down what the program has configured, and finds whatever is wrong with the journal while
    /// there is somebody to tell it.
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

    /// Says who this is, and waits to be let in.
    ///
    /// - Parameters:
    ///   - connection: to the transfer process.
    ///   - deadline: when to give up.
    /// - Returns: why it is worth another try; `nil`: it was let in.
    /// - Throws: why it is not.
    private func greet(
        _ connection: BackgroundConnection,
        until deadline: ContinuousClock.Instant
    ) throws(BackgroundError) -> String? {
        let greeting = BackgroundGreeting()
        queue.sync { open(connection, greeting) }
        greeting.wait(until: deadline)
        let outcome = queue.sync {
            // From here on nobody settles it.
            if greeting.outcome == nil { lost("") }
            return greeting.outcome
        }
        switch outcome {
        case .welcome: return nil
        case .again(let words) where !words.isEmpty: return words
        case .refused(let error): throw error
        case .again, nil:
            let process = connection.peer.process
            throw .disconnected("process \(process) does not answer")
        }
    }
}
