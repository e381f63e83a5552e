import FoundationEssentials

/// What a task is to do, as it was made.
struct BackgroundTaskRecord: Codable, Hashable, Sendable {
    enum Kind: String, Codable, Sendable {
        case download
        case upload
    }

    /// No session has as many tasks: what numbers one higher is no program of ours.
    static let lastNumber = 1 << 40
    /// What a task can be numbered.
    static let numbers = 1...lastNumber

    /// The task's number in its session, from 1, given by whoever is attached; 0: the host
    /// gives it.
    var identifier: Int
    var kind: Kind
    var request: StoredRequest
    /// What an upload sends.
    var body: UploadSource?
    /// Of a part that another download has left, where this one goes on: resume data with the absolute
    /// path of the file, which is taken over when it begins.
    var resumeData: Data?
    /// The file that a download is moved to; `nil`: it waits in the session's folder.
    var destination: String?
    /// Whether something of that name is replaced; else it gets a number.
    var replaces = false
    /// The mode that the file has where it replaces none.
    var mode: UInt32?
    /// Whether an error status, 400 or above, is tried again where it may pass, and its body left.
    var takesSuccessOnly = false
    /// Whether it is carried out from the start; else it is held until somebody says so.
    var startsResumed = false
    /// How it is carried out, where that is not as the session's others are.
    var configuration: String?
    /// Words of the program's own.
    var taskDescription: String?
    /// 0 to 1.
    var priority: Float = 0.5
    /// When it was made, microseconds since 1970.
    var made: Int64
    /// When it must have ended, microseconds since 1970; `nil`: never.
    var deadline: Int64?

    /// Whether what has come of it can be handed over as resume data: elsewhere it is beside a file of
    /// the user's.
    var leavesParts: Bool { kind == .download && destination == nil }

    /// Whether another is the same task, said once more; what it sends may be a copy by now.
    func isRepeated(by other: Self) -> Bool {
        var other = other
        if body != nil, other.body != nil { other.body = body }
        return other == self
    }
}
