import FoundationEssentials
import URLLoading

// Errors' answers to what is asked besides the body.
extension RunDelegate {
    /// Decides about an error status: whether the task asks once more, and when.
    func isTriedAgain(_ task: URLSessionTask, after response: HTTPURLResponse) -> Bool {
        run(task)?.isTriedAgain(after: response, task, maxTime: session.maxTime) ?? false
    }
}

// Answers to a try that goes on with a body of which a part went out.
extension RunDelegate {
    /// Notes what it would take to go on with a body that is about to go out.
    func noteDelivery(of response: URLResponse, _ task: URLSessionTask, _ run: TaskRun) {
        let isHead = if case .head = run.plan.kind { true } else { false }
        run.note(
            delivering: DeliveredBody(
                response,
                to: task.currentRequest?.httpMethod ?? "GET",
                asksForPart: answers.asksForPart || isHead,
                isRaw: session.transport.contentDecoding == .raw
            )
        )
    }

    /// Looks at what is to follow what went out.
    ///
    /// - Returns: what becomes of it; nil where it is a body of its own after all, since nothing of
    ///   the other has gone further than to wait for its turn.
    func takeRest(
        of delivered: DeliveredBody,
        _ response: URLResponse,
        _ task: URLSessionTask,
        _ run: TaskRun
    ) -> URLSession.ResponseDisposition? {
        guard let http = response as? HTTPURLResponse else { return .cancel }
        authenticator.judged(http.statusCode, of: task, run)
        run.note(status: http.statusCode)
        showHead(http)
        if http.statusCode >= 400 {
            let isLast = !run.isTriedAgain(after: http, task, maxTime: session.maxTime)
            // What nobody has got yet is nothing that would have to be gone on with.
            if isLast { _ = run.forgetHeld() }
            return .cancel
        }
        switch delivered.verdict(on: http) {
        case .goOn(_, let length?) where length > answers.maxFileSize ?? .max:
            run.note(.policy("the body has \(length) bytes, and more than --max-filesize allows"))
            return .cancel
        case .goOn(let skip, let length):
            run.note(skip: skip, of: length)
            run.progress.receive(of: length ?? -1, from: delivered.count)
            return .allow
        case .isOther where http.statusCode == 200 && run.forgetHeld(): return nil
        case .isOther(let why):
            run.note(.answer(delivered.end(why)))
            return .cancel
        }
    }
}

extension DeliveredBody {
    /// The error that ends a task which cannot go on.
    ///
    /// - Parameters:
    ///   - why: the reason.
    ///   - error: what has happened, where that is not the reason.
    /// - Returns: the error, with how much went out.
    func end(_ why: String, after error: URLError? = nil) -> URLError {
        var end = error ?? URLError(.networkConnectionLost)
        let words = "\(count) bytes of the body went out, and it cannot be gone on with: \(why)"
        end.detail = end.detail.isEmpty ? words : "\(end.detail); \(words)"
        return end
    }
}
