import URLLoading

/// The state of one attempt; the next attempt begins with a new value.
struct Attempt: Sendable {
    /// The status of the final response.
    var status: Int?
    /// What ended it locally; the first cause counts.
    private(set) var stopped: TaskOutcome?
    /// The error that the session's task has ended with.
    var error: URLError?
    /// The download that continues the session's task.
    var download: URLSessionDownloadTask?
    var errorBody: Destination?
    /// Whether that is whole, and waits only for a reader.
    var isErrorWhole = false
    /// The excerpt of an error's body.
    var excerpt: ErrorExcerpt?
    /// The attempts to authenticate.
    var authentication = AuthenticationAttempts()
    /// Whether the response offers to accept a bearer token.
    var offersBearer = false
    /// The decision about retrying the failed attempt.
    var decision: RetryDecision?
    /// Whether it continues where another one has ended.
    var isContinuing = false
    /// Bytes of the response that were already delivered.
    var skip: Int64 = 0
    /// For a response that continues a delivered body: the bytes delivered before, and the length
    /// of the whole.
    var continued: (from: Int64, whole: Int64)?
    var metrics: URLSessionTaskMetrics?

    mutating func stop(_ outcome: TaskOutcome) { stopped = stopped ?? outcome }

    /// Whether the body is verified: an error's is not.
    var isCompared: Bool { (status ?? 200) < 400 && errorBody == nil }
}

/// The attempts of a task.
struct Attempts: Sendable {
    /// The least part that is worth a request, in bytes.
    private static let leastPart: Int64 = 64 << 10
    /// How many smaller parts in a row are allowed before requests are delayed: a server could go
    /// on for ever.
    private static let smallPartLimit = 16

    /// The number of attempts, from 1, including requests for a next part.
    var count = 1
    /// The number of requests for a next part.
    private(set) var nextParts = 0
    /// How many of these in a row were small.
    private var smallParts = 0
    /// Failures, and remaining tries.
    var tries: Tries
    /// Whether the attempt begins at the target of an earlier redirect.
    private(set) var beginsLater = false
    /// Whether an attempt has begun at the first URL again, because such a target has expired.
    var hasBegunAtFirst = false

    init(tries: Tries) { self.tries = tries }

    mutating func begins(isRepeating: Bool, at offset: Int64) {
        beginsLater = isRepeating
        tries.begin(at: offset)
    }

    /// The server has sent less than requested, and the next attempt requests the rest.
    mutating func noteNextPart(after bytes: Int64) {
        nextParts += 1
        smallParts = bytes < Self.leastPart ? smallParts + 1 : 0
    }

    /// Whether parts are so small that requests are delayed.
    var isSlow: Bool { smallParts > Self.smallPartLimit }
}

/// The file of a body, and its reserved names.
struct FileNaming: Sendable {
    /// The destination of the body.
    var file: FileDestination?
    /// The name that is locked against other tasks of the run, whatever the response is.
    var locked: String?
    /// The name that is reserved until the file is chosen.
    var reserved: String?
    /// The chosen path.
    var chosen: String?
    /// The part of the chosen name, from the root.
    var part: String?
    /// The file that was made.
    var saved: String?
    /// A message to print once it is certain.
    var pendingNote: String?

    /// Fixes the name to that of the continued file.
    mutating func continues() {
        if let file, file.ifExists != .keep { self.file?.ifExists = .replace }
    }
}

/// The output of a body without a file, and what was delivered there over all attempts.
struct BodyOutput: Sendable {
    var descriptor = OutputDescriptor.standardOutput
    /// Whether a device was opened.
    var isOpen = false
    /// The length of a body whose output is opened in its turn.
    var awaited: Int64?
    /// The delivered bytes of the body.
    var delivered: DeliveredBody?
    /// The heads of the redirects so far, where heads are wanted on the output.
    var redirectHeads = ""
    /// The running digest of the body.
    var proof: BodyProof?
}

/// Whether received bytes can still be discarded, because none were delivered.
struct Hold {
    /// Whether the body is buffered, for its turn or until it is complete.
    var isBuffered = false
    /// Whether the buffer can be discarded.
    var canForget = false
}
