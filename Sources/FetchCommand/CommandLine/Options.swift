import URLLoading

/// The options of the command line, each value checked by itself.
///
/// `Plan` finds contradictions.
struct Options: Sendable {
    /// `--help` or `--version`: nothing else is read.
    enum Information: Equatable, Sendable {
        /// The whole, a section, or, with no topic, the flags that are used most.
        case help(String?)
        case version
    }

    var information: Information?
    /// In order; one that was written for several is all of them.
    var urls: [String] = []
    /// `--globoff`.
    var keepsGlobs = false
    /// Whether flags were given that are curl's alone.
    var isCurls = false

    /// The flags that were given, each by its first name.
    var given: Set<String> = []

    /// The configuration file.
    var configuration: ConfigurationChoice = .usual
    /// The configuration file that these are from, in part.
    var configurationPath: String?

    /// The session's settings: the library's, and the command's own.
    var session = SessionPlan()

    /// Which responses are accepted, and what happens to the others.
    var responses = ResponsePlan()

    // Which task
    /// The name for each URL, or one for all of them; `nil` is the URL's own, which replaces a file.
    var outputs: [OutputName?] = []
    /// `--remote-name-all`.
    var namesAll = false
    var directory: String?
    /// `--output-dir`: where all names begin.
    var outputFolder: String?
    var createsFolders = false
    /// Whether the URL's host and folders are made here too.
    var forcesFolders = false
    var omitsHostFolder = false
    /// How many of the URL's folders are left out.
    var cutFolders = 0
    /// Whether the response decides where its body goes: `--auto`.
    var decidesByResponse = false

    var timestamping = false
    /// `--no-clobber`.
    var noClobber = false
    /// Whether the response may name the file.
    var contentDisposition = false

    // What bodies have to come to
    var checksum: ExpectedDigest?
    var checksumSource: ChecksumSource?

    /// `--get`: what `--data` says goes into the query.
    var getsData = false
    /// What is added to each URL's query.
    var query: [DataPiece] = []

    // The body; at most one kind of them makes a plan
    var data: [DataPiece] = []
    var json: [DataPiece] = []
    var form: [FormField] = []
    var upload: FileUpload?
    /// The length of standard input or a FIFO; `nil`: unknown.
    var contentLength: Int64?
    /// `--upload-offset`: the first byte of the file that is sent.
    var uploadOffset: Int64 = 0

    // The request
    var method: HTTPMethod?
    var head = false
    var headers: [HeaderEdit] = []
    /// Nil: the default.
    ///
    /// Empty: none is sent.
    var userAgent: String?
    var referer: String?
    var timeCondition: TimeCondition?
    /// The file that the response's entity tag goes to.
    var entityTagOutput: OutputName?
    /// The file with the entity tag to ask by.
    var entityTagInput: String?
    /// The request line's target, in place of the URL's path and query.
    var requestTarget: String?
    /// Nil: not given; the destination decides.
    var contentDecoding: URLSessionConfiguration.ContentDecoding?

    // Authentication
    /// `NAME`, or `NAME:PASSWORD`.
    var user: SecretSource?
    var password: SecretSource?
    var asking: AskingChoice = .ifNeeded
    /// The program that asks; empty: the one that the environment names.
    var askpass: String?
    var authentication: AuthenticationChoice = .any
    /// Hosts and `.domains` that are shown a Kerberos ticket, whatever their realm is.
    var negotiateHosts: [String] = []
    var bearer: SecretSource?
    var netrcFile: String?
    var ignoresNetrc = false
    var savesCredentials = false
    var forgetsCredentials = false

    // Cookies, and what else is remembered
    /// An order to sessions, instead of fetching.
    var sessionOrder: SessionOrder?
    /// `NAME=VALUE; …`, for the first URL's origin.
    var cookie: SecretSource?
    var loadedCookies: String?
    var savedCookies: String?
    var keepsSessionCookies = false
    var ignoresCookies = false

    /// Nil: the server is asked each time, in one way or another.
    var cachePolicy: URLRequest.CachePolicy?
    var clearsCache = false

    // TLS and proxies
    /// What is shown to servers; its file is empty where none is named.
    var certificate = URLSessionConfiguration.ClientCertificate(file: "")
    /// The pass phrase of the key.
    var keyPassword: SecretSource?
    /// `NAME`, or `NAME:PASSWORD`.
    var proxyUser: SecretSource?

    // Continuing and trying again
    var continues = false
    /// Bytes a second, below which a transfer is given up; nil is no limit.
    var speedLimit: Int64?
    /// How long a transfer may be that slow.
    var speedTime: Duration?

    // Many URLs
    /// `--input-file`.
    var list: URLListSource?
    /// `--allow-file-urls`: whether the list may name files of this machine.
    var allowsFileURLs = false
    /// How many tasks run at once.
    var jobs = 4
    var failsEarly = false
    /// The pause between the starts of two tasks.
    var pause = TaskPause()

    // Background sessions
    var background = false
    /// The session's name.
    var identifier: BackgroundIdentifier?
    var onComplete: String?
    /// Nil: where there is no terminal.
    var isDiscretionary = false
    var backgroundAction: BackgroundAction?

    // Messages
    var verbosity: Verbosity = .normal
    var showsResponseHeaders = false
    /// `-s`: no progress, whatever the verbosity.
    var hidesProgress = false
    /// `--progress`; nil is as standard error allows.
    var progress: ProgressChoice?
    /// `--show-progress`: also beside `--quiet`.
    var showsProgressAnyway = false
    /// Where messages go.
    var log: LogFile?
    var errorBody: String?
    /// What the next two imply.
    var writesEvents = false
    var eventsFile: String?
    var eventsDescriptor: CInt?
    var dryRun = false

    // Reports
    var writeOut: InputSource?
    var har: String?
    var dumpHeader: OutputName?

    /// The library's settings for all connections.
    var transport: URLSessionConfiguration.TransportOptions {
        get { session.settings.transport }
        _modify { yield &session.settings.transport }
    }

    /// `--no-cache`.
    var refusesCaches: Bool { cachePolicy == .reloadIgnoringLocalAndRemoteCacheData }

    /// Whether `--proxy` names one.
    var namesProxy: Bool { if case .url = transport.proxy { true } else { false } }

    /// Whether the other flags allow progress.
    var showsProgress: Bool {
        showsProgressAnyway || !hidesProgress && (verbosity == .normal || verbosity.isVerbose)
    }

    /// The last name that was given for a body.
    var output: OutputName? { outputs.last ?? nil }

    /// Whether a file of the URL's own name is replaced, as curl does.
    var replacesOwnNames: Bool {
        (namesAll || outputs.contains(nil)) && !noClobber && !contentDisposition
    }
}
