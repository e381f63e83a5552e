import URLLoading

/// What belongs to one attempt of a task: the next one begins with a new value.
struct Attempt: Sendable {
    /// The status of the final response.
    var status: Int?
    /// What ended it from our side; the first counts.
    private(set) var stopped: TaskOutcome?
    /// The error that the session's task has ended with.
    var error: URLError?
    /// The download that the session's task has become.
    var download: URLSessionDownloadTask?
    /// Where the body goes, which is an error's.
    var errorBody: Destination?
    /// What is shown of an error's body that the command line does not ask for.
    var excerpt: ErrorExcerpt?
    /// What was tried to authenticate.
    var authentication = AuthenticationAttempts()
    /// Whether the response offers to take a bearer token.
    var offersBearer = false
    /// What was decided about the attempt, which has failed.
    var decision: RetryDecision?
    /// Whether it goes on where another one has ended.
    var isContinuing = false
    /// Bytes of what comes that went out already.
    var skip: Int64 = 0
    /// Of a response that goes on with what went out: how much that was, and of how much.
    var continued: (from: Int64, whole: Int64)?
    /// What it has cost.
    var metrics: URLSessionTaskMetrics?

    mutating func stop(_ outcome: TaskOutcome) { stopped = stopped ?? outcome }

    /// Whether the body is one that is compared with a digest: an error's is not.
    var isCompared: Bool { (status ?? 200) < 400 && errorBody == nil }
}

/// What all attempts of a task have come to.
struct Attempts: Sendable {
    /// A part that is worth its request, bytes.
    private static let leastPart: Int64 = 64 << 10
    /// How many in a row may be less before they come slowly: a server could draw it out for ever.
    private static let smallPartLimit = 16

    /// Counted from 1, with those that have only asked for the next part.
    var count = 1
    /// How many have done just that.
    private(set) var nextParts = 0
    /// How many of these in a row have brought hardly anything.
    private var smallParts = 0
    /// What failed, and what may still be tried.
    var tries: Tries
    /// Whether the attempt begins at a URL that a redirect had led an earlier one to.
    private(set) var beginsLater = false
    /// Whether an attempt has begun at the first URL again, since such a URL has run out.
    var hasBegunAtFirst = false

    init(tries: Tries) { self.tries = tries }

    mutating func begins(isRepeating: Bool, at offset: Int64) {
        beginsLater = isRepeating
        tries.begin(at: offset)
    }

    /// The next attempt asks for what follows a part of which the server has sent less than it was
    /// asked for.
    mutating func noteNextPart(after bytes: Int64) {
        nextParts += 1
        smallParts = bytes < Self.leastPart ? smallParts + 1 : 0
    }

    /// Whether parts have become so small that each is waited for.
    var isSlow: Bool { smallParts > Self.smallPartLimit }
}

/// The file that a body becomes, and the names that are kept for it.
struct FileNaming: Sendable {
    /// The file that the body shall become.
    var file: FileDestination?
    /// The name that no other task of the run may have meanwhile, whatever the response is.
    var locked: String?
    /// The name that is kept for the file until it is chosen.
    var reserved: String?
    /// The file that the destination's name came to.
    var chosen: String?
    /// The part of the chosen name, from the root.
    var part: String?
    /// The file that was made.
    var saved: String?
    /// What is said once it is certain that it has happened.
    var pendingNote: String?

    /// The name is that of the file which is continued, and so no other's.
    mutating func continues() {
        if let file, file.ifExists != .keep { self.file?.ifExists = .replace }
    }
}

/// Where a body goes that becomes no file, and what of it went there over all attempts.
struct BodyOutput: Sendable {
    var descriptor = OutputDescriptor.standardOutput
    /// Whether it was opened that is neither standard output nor a file.
    var isOpen = false
    /// The length of a body whose output is opened when its turn comes.
    var awaited: Int64?
    /// What went out of the body that cannot be taken back.
    var delivered: DeliveredBody?
    /// The heads of the redirects so far, where heads are wanted on the output.
    var redirectHeads = ""
    /// What makes the digest of the body.
    var proof: BodyProof?
}

/// Whether what came of a body can still be forgotten, since it went out nowhere.
struct Hold {
    /// Whether it is held, for its turn or until it is whole.
    var isBuffered = false
    /// Whether what is held can be dropped.
    var canForget = false
}
