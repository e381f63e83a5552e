import URLLoading

/// The state of one attempt; the next attempt begins with a new value.
struct Attempt: Sendable {
    /// The status code of the final response.
    var status: Int?
    /// The local cause that stopped the attempt; the first cause applies.
    private(set) var stopped: TaskOutcome?
    /// The error with which the session's task completed.
    var error: URLError?
    var download: URLSessionDownloadTask?
    var errorBody: Destination?
    /// Whether that body is complete, and only its reader is slow.
    var isErrorWhole = false
    var excerpt: ErrorExcerpt?
    var authentication = AuthenticationAttempts()
    var offersBearer = false
    var decision: RetryDecision?
    /// Whether the attempt continues where an earlier one ended.
    var isContinuing = false
    /// How many bytes of the response are skipped, because they were delivered already.
    var skip: Int64 = 0
    /// The bytes delivered before, and the whole length, of a body that the response continues.
    var continued: (from: Int64, whole: Int64)?
    var metrics: URLSessionTaskMetrics?

    mutating func stop(_ outcome: TaskOutcome) { stopped = stopped ?? outcome }

    var isCompared: Bool { (status ?? 200) < 400 && errorBody == nil }
}

struct Attempts: Sendable {
    /// The minimum part that justifies a request, in bytes.
    private static let minimumPart: Int64 = 64 << 10
    /// How many smaller parts in a row are not delayed; a server could cause endless requests.
    private static let smallPartLimit = 16

    /// The number of attempts, from 1, including requests for a next part.
    var count = 1
    private(set) var nextParts = 0
    /// How many of the last parts in a row were small.
    private var smallParts = 0
    /// The failures so far, and the remaining attempts.
    var counter: AttemptCounter
    private(set) var beginsLater = false
    /// Whether an attempt began at the first URL again, because a redirect's target had expired.
    var hasBegunAtFirst = false

    init(_ counter: AttemptCounter) { self.counter = counter }

    mutating func begins(isRepeating: Bool, at offset: Int64) {
        beginsLater = isRepeating
        counter.begin(at: offset)
    }

    /// Records that the server sent less than requested; the next attempt requests the rest.
    mutating func noteNextPart(after bytes: Int64) {
        nextParts += 1
        smallParts = bytes < Self.minimumPart ? smallParts + 1 : 0
    }

    /// Whether parts are so small that requests are delayed.
    var isSlow: Bool { smallParts > Self.smallPartLimit }
}

/// The file of a body, and its reserved names.
struct FileNaming: Sendable {
    var file: FileDestination?
    /// The name that is reserved before the response arrives, against other tasks of the run.
    var locked: String?
    /// The name that is reserved until a name is chosen.
    var reserved: String?
    var chosen: String?
    /// The absolute path of the chosen name's part file.
    var part: String?
    /// Whether the choice of the name has created the part file.
    var hasMadePart = false
    /// Whether the whole body has arrived, and its file has no name until it is saved.
    var isUnnamed = false
    var saved: String?
    /// A message to print as soon as its content is certain.
    var pendingNote: String?

    /// Makes the body replace the file that it continues.
    mutating func continues() {
        if let file, file.ifExists != .keep { self.file?.ifExists = .replace }
    }
}

/// The output of a body without a file, and the bytes delivered there in all attempts.
struct BodyOutput: Sendable {
    var descriptor = OutputDescriptor.standardOutput
    var isOpen = false
    /// The length of a body whose output is opened when the task's turn begins.
    var awaited: Int64?
    var delivered: DeliveredBody?
    /// The heads of redirects so far, if heads are written to the output.
    var redirectHeads = ""
    var proof: BodyProof?
}

/// Whether received bytes can still be discarded, because none were delivered.
struct BufferState {
    /// Whether the body is buffered: until the task's turn, or until it is complete.
    var isBuffered = false
    var canDiscard = false
}
