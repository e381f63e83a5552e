import Synchronization

// What holds for background sessions alone.
extension URLSessionConfiguration {
    /// Whether the transfers of a background session wait for mains power, an idle machine and a network,
    /// and have a lower priority than everything else.
    ///
    /// Default: `false`. Other sessions ignore it.
    public var isDiscretionary: Bool {
        get { locked.withLock { $0.isDiscretionary } }
        set { locked.withLock { $0.isDiscretionary = newValue } }
    }

    /// Whether the program is started again when the session's tasks have ended or one needs a
    /// credential: by ``BackgroundOptions/completionCommand``, which does nothing without this.
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
        /// A command that is run, by `sh -c`, when all tasks have ended, and when one needs a
        /// credential while no program is attached; `nil`: none.
        ///
        /// It can start the program again. It finds `FETCH_BACKGROUND_ID` and
        /// `FETCH_BACKGROUND_OUTCOME` (`success`, `failure`, `credential`) in its environment.
        public var completionCommand: String?
        var sendsLaunchEvents = true
        /// The tries in a row that may fail without new bytes before the task fails; `nil`: as many
        /// as its time allows.
        public var maximumTries: Int?
        /// Whether the delegate is also asked about servers that the platform trusts, so that it can refuse
        /// them.
        ///
        /// A delegate that pins keys sees every server, as in Foundation.
        ///
        /// Default: `true`. The transfer process asks once about each server and certificate chain,
        /// and remembers the decision for as long as it lives. Until a program that is attached has
        /// decided, the task waits. So a program that resumes a task for an `https` URL and exits
        /// finds it waiting when it is started again, by ``BackgroundOptions/completionCommand``
        /// where there is one. Foundation starts the app for it.
        ///
        /// With `false` such a program may exit at once, and its delegate is not asked about servers that
        /// the platform trusts; ``URLSessionConfiguration/TransportOptions/trust`` can pin a key then.
        /// About servers that the platform does not trust the delegate is asked in any case.
        public var asksAboutTrustedServers = true

        /// Whether there is a delegate to be asked about servers and client certificates.
        package var asksAboutConnections = true
        /// The netrc file in which the transfer process looks for credentials; `nil`: none.
        package var netrcFile: String?
        /// A cookie file that the transfer process begins with, each time that it is started.
        package var cookieFile: String?
        /// The tasks that are carried out at once; `nil`: 16.
        package var jobs: Int?

        /// What the program has been told of in an earlier run, by its own record; `nil`: it has
        /// none.
        package var seen: BackgroundCursor?
        /// Whether the session only observes: it is told of all that happens, may suspend, resume
        /// and cancel, and makes no tasks.
        ///
        /// Other programs may make tasks meanwhile, and the session must exist already.
        package var watches = false

        /// The defaults.
        public init() {}
    }
}
