import FoundationEssentials

/// What is known of an answer's use before it has come.
struct AnswerHandling: Sendable {
    /// The method of the request.
    var method = "GET"
    /// The most that its body may have, bytes; `nil`: any number.
    var limit: Int64?
    /// The task's first request, where its answer is a file that could be continued.
    var continuable: URLRequest?
}
