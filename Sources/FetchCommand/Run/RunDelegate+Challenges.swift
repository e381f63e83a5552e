import URLLoading

// Who one is.
extension RunDelegate {
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (
                URLSession.AuthChallengeDisposition, URLCredential?
            ) -> Void
    ) {
        let method = #function
        guard let run = run(task) else { return completionHandler(.performDefaultHandling, nil) }
        authenticator.answer(challenge, of: task, run) { [printer] answer in
            printer.event(.didReceiveChallenge(task, challenge, answer, method: method))
            completionHandler(answer.disposition, answer.credential)
        }
    }
}
