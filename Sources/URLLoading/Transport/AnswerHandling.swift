import FoundationEssentials

/// What is known of an answer's use before it has come.
struct AnswerHandling: Sendable {
    /// The method of the request.
    var method = "GET"
    /// The most that its body may have, bytes; `nil`: any number.
    var limit: Int64?
    /// Whether content codings of the body are undone.
    var undoesCodings = false
    /// Whether transfer codings are left as they are, unless a part is asked for.
    var isRaw = false
    /// Whether the parts of a body that replace one another are told apart.
    var splitsParts = false
    /// The task's first request, where its answer is a file that could be continued.
    var continuable: URLRequest?
    /// Whether the body is compared with the digests that the server sends along.
    var checksDigestFields = false
    /// Whether what was continued and has another digest than it should begins again.
    var startsOverOnDigestMismatch = true
    /// What brings parts of the body over further connections, where that may be.
    var split: SplitDownload?
}
