import Synchronization

// Options that only apply to background sessions.
extension URLSessionConfiguration {
    /// Whether the transfers of a background session wait for mains power, an idle machine and a network,
    /// and have a lower priority than everything else.
    ///
    /// Default: `false`. Other sessions ignore it.
    public var isDiscretionary: Bool {
        get { locked.withLock { $0.isDiscretionary } }
        set { locked.withLock { $0.isDiscretionary = newValue } }
    }

    /// Whether ``BackgroundOptions/completionCommand`` is run when the session's tasks have ended, or a
    /// task needs a credential; the command can start the program again.
    ///
    /// Default: `true`.
    public var sessionSendsLaunchEvents: Bool {
        get { locked.withLock { $0.background.sendsLaunchEvents } }
        set { locked.withLock { $0.background.sendsLaunchEvents = newValue } }
    }

    /// Options of background sessions that Foundation does not have.
    public var background: BackgroundOptions {
        get { locked.withLock { $0.background } }
        set { locked.withLock { $0.background = newValue } }
    }

    /// Options of background sessions that Foundation does not have.
    public struct BackgroundOptions: Sendable, Hashable {
        /// A command that `sh -c` runs when all tasks have ended, or when a task needs a credential
        /// while no program is attached; `nil`: none.
        ///
        /// The command can start the program again. Its environment has `FETCH_BACKGROUND_ID` and
        /// `FETCH_BACKGROUND_OUTCOME` (`success`, `failure`, `credential`).
        public var completionCommand: String?
        var sendsLaunchEvents = true
        /// The most consecutive attempts without new bytes before a task fails; `nil`: limited only by
        /// the task's time limit.
        public var maximumTries: Int?
        /// Whether the delegate is also asked about servers that the platform trusts, so that it can
        /// refuse them.
        ///
        /// A delegate that pins keys is then asked about every server, as in Foundation.
        ///
        /// Default: `true`. The transfer process asks once about each server and certificate chain, and
        /// keeps the decision until the process exits. The task waits until an attached program has decided.
        /// So a task for an `https` URL waits if its program exits at once. The task continues when the
        /// program starts again, by ``BackgroundOptions/completionCommand`` if one is set. Foundation starts
        /// the app for it.
        ///
        /// With `false` such a program may exit at once, and the session does not ask its delegate about
        /// servers that the platform trusts; ``URLSessionConfiguration/TransportOptions/trust`` can then pin
        /// a key. The session always asks the delegate about servers that the platform does not trust.
        public var asksAboutTrustedServers = true

        /// Whether there is a delegate for questions about servers and client certificates.
        package var asksAboutConnections = true
        /// The netrc file that the transfer process searches for credentials; `nil`: none.
        package var netrcFile: String?
        /// A cookie file that the transfer process reads on each start; `nil`: none.
        package var cookieFile: String?
        /// The most concurrent tasks; `nil`: 16.
        package var jobs: Int?

        /// The last event that the program has processed, by its own record; `nil`: no record.
        package var seen: BackgroundCursor?
        /// Whether the session only observes: it receives all events, and may suspend, resume and
        /// cancel, but creates no tasks.
        ///
        /// The session must exist already. Other programs may create tasks meanwhile.
        package var watches = false

        /// The defaults.
        public init() {}
    }
}
