import URLLoading

/// The values of all flags, each validated by itself; `Plan` checks that they fit together.
struct Options: Sendable {
    /// `--help` or `--version`: the parser stops there.
    enum Information: Equatable, Sendable {
        /// All flags, a section, or, without a topic, the most frequent flags.
        case help(String?)
        case version
    }

    var information: Information?
    /// In order; a URL with curl's glob patterns is expanded.
    var urls: [String] = []
    /// `--globoff`.
    var keepsGlobs = false
    /// Whether a flag was given that only curl has.
    var usesCurlFlags = false
    /// Those of the flags that curl's spelling gave, and that concern only a file which the line names.
    var curlsFileFlags: Set<String> = []

    /// The flags that were given, each by its first name.
    var given: Set<String> = []

    var configuration: ConfigurationChoice = .usual
    /// The configuration file that supplied some of these options.
    var configurationPath: String?

    /// The session's settings: the library's and the command's own.
    var session = SessionPlan()

    /// Which responses are accepted, and what is done with the others.
    var responses = ResponsePlan()

    // Task
    /// The name for each URL, or one for all; `nil`: the URL's own name, replacing a file.
    var outputs: [OutputName?] = []
    /// `--remote-name-all`.
    var namesAll = false
    var directory: String?
    /// `--output-dir`: the folder that all names are relative to.
    var outputFolder: String?
    var createsFolders = false
    /// Whether the URL's host and folders are created below the destination too.
    var forcesFolders = false
    var omitsHostFolder = false
    /// How many of the URL's folders are omitted.
    var cutFolders = 0
    /// Whether the response decides where its body goes: `--auto`.
    var decidesByResponse = false

    var timestamping = false
    /// `--no-clobber`.
    var noClobber = false
    /// Whether a new file gets a number, also one that the user has named: curl's `--no-clobber`.
    var numbersFiles = false
    /// Whether the response may name the file.
    var contentDisposition = false
    /// Whether the URL that a redirect leads to names the file.
    var trustsRedirects = false

    // Integrity
    var checksum: ExpectedDigest?
    var checksumSource: ChecksumSource?

    /// `--get`: whether the values of `--data` go into the query.
    var getsData = false
    /// Added to each URL's query.
    var query: [DataPiece] = []

    // The body; a plan accepts at most one kind
    var data: [DataPiece] = []
    var json: [DataPiece] = []
    var form: [FormField] = []
    var upload: FileUpload?
    /// The length of standard input or a FIFO; `nil`: unknown.
    var contentLength: Int64?
    /// `--upload-offset`: the first byte of the file that is sent.
    var uploadOffset: Int64 = 0

    // The request
    /// `--request`, as it is sent.
    var method: String?
    var head = false
    var headers: [HeaderEdit] = []
    /// `nil`: the default; empty: the field is not sent.
    var userAgent: String?
    var referer: String?
    var timeCondition: HeaderField?
    /// The file to which the response's entity tag is written.
    var entityTagOutput: OutputName?
    /// The file with the entity tag for a conditional request.
    var entityTagInput: String?
    /// The request line's target, in place of the URL's path and query.
    var requestTarget: String?
    /// `nil`: not given; the destination decides.
    var contentDecoding: URLSessionConfiguration.ContentDecoding?

    // Authentication
    /// `NAME`, or `NAME:PASSWORD`.
    var user: SecretSource?
    var password: SecretSource?
    var promptPolicy: PromptPolicy = .ifNeeded
    /// The program that prompts; empty: the one that the environment names.
    var askpass: String?
    var authentication: AuthenticationChoice = .any
    /// Hosts and `.domains` that receive a Kerberos ticket, whatever their realm.
    var negotiateHosts: [String] = []
    var bearer: SecretSource?
    var netrcFile: String?
    var ignoresNetrc = false
    /// Whether a netrc file's user and password are sent before a challenge, as in curl.
    var sendsNetrcAtOnce = false
    var savesCredentials = false
    var forgetsCredentials = false

    // Cookies and other stored state
    /// An order for stored sessions, in place of fetching.
    var sessionOrder: SessionOrder?
    /// `NAME=VALUE; …`, for the first URL's origin.
    var cookie: SecretSource?
    var loadedCookies: String?
    var savedCookies: String?
    var keepsSessionCookies = false
    var ignoresCookies = false

    /// `nil`: every request goes to the server, some of them conditional.
    var cachePolicy: URLRequest.CachePolicy?
    var clearsCache = false

    // TLS and proxies
    /// The client certificate; its file name is empty if no flag names one.
    var certificate = URLSessionConfiguration.ClientCertificate(file: "")
    var keyPassword: SecretSource?
    /// `NAME`, or `NAME:PASSWORD`.
    var proxyUser: SecretSource?

    // Continuing and retrying
    var continues = false
    /// In bytes a second: a transfer that is slower is aborted; `nil`: no limit.
    var speedLimit: Int64?
    /// How long a transfer may be slower than `speedLimit`.
    var speedTime: Duration?

    // Many URLs
    /// `--input-file`.
    var list: InputPath?
    /// `--allow-file-urls`: whether the list may contain `file:` URLs.
    var allowsFileURLs = false
    var jobs = 4
    var failsEarly = false
    /// The pause between the starts of two tasks.
    var pause = TaskPause()

    // Background sessions
    var background = false
    var identifier: BackgroundIdentifier?
    var onComplete: String?
    /// Whether the tasks wait for favourable conditions (`isDiscretionary` of the configuration).
    var isDiscretionary = false
    var backgroundAction: BackgroundAction?

    // Messages
    var verbosity: Verbosity = .normal
    var showsResponseHeaders = false
    /// `-s`: no progress, whatever the verbosity.
    var hidesProgress = false
    /// `--progress`; `nil`: standard error decides.
    var progress: ProgressChoice?
    /// `--show-progress`: whether progress is shown even with `--quiet`.
    var showsProgressAnyway = false
    var log: LogFile?
    var errorBody: String?
    /// Where events are written; `nil`: nowhere.
    var events: EventDestination?
    var dryRun = false

    // Reports
    var writeOut: InputSource?
    var har: String?
    var dumpHeader: OutputName?

    var transport: URLSessionConfiguration.TransportOptions {
        get { session.settings.transport }
        _modify { yield &session.settings.transport }
    }

    /// `--no-cache`.
    var refusesCaches: Bool { cachePolicy == .reloadIgnoringLocalAndRemoteCacheData }

    /// Whether `--proxy` names one.
    var namesProxy: Bool { if case .url = transport.proxy { true } else { false } }

    /// The method of `--request`, if it is not GET.
    var otherMethod: String? { method.flatMap { $0.hasBytes(of: "GET") ? nil : $0 } }

    /// The flag that requests only the header; `nil`: none does.
    var headFlag: String? {
        head ? "--head" : method?.hasBytes(of: "HEAD") == true ? "--request HEAD" : nil
    }

    /// The last `--header` line about a field.
    func header(_ name: String) -> HeaderEdit? {
        headers.last { HTTPHeaderFields.areSame($0.name, name) }
    }

    /// Whether the other flags allow progress.
    var showsProgress: Bool {
        showsProgressAnyway || !hidesProgress && (verbosity == .normal || verbosity.isVerbose)
    }

    /// The last name that was given for a body.
    var output: OutputName? { outputs.last ?? nil }

    /// Whether there are several URLs, or their number is unknown.
    var hasMany: Bool { urls.count > 1 || list != nil }

    /// Whether a flag gives a body the URL's own name.
    var usesOwnNames: Bool { namesAll || outputs.contains(nil) }

    /// Whether a file of the URL's own name is replaced, as curl does.
    var replacesOwnNames: Bool {
        usesOwnNames && !noClobber && !numbersFiles && !contentDisposition
    }

    /// Whether an existing file of the URL's own name is continued or replaced.
    var reusesNames: Bool { (continues || timestamping || replacesOwnNames) && !noClobber }

    /// What is done with an existing file that the user has named.
    var ifNamedExists: FileDestination.IfExists {
        noClobber ? .keep : numbersFiles ? .number : .replace
    }
}
