import Dispatch
import Synchronization

// Who is asked about a challenge, and in what order.
extension URLSessionTask {
    /// What takes a delegate's answer to a challenge.
    typealias ChallengeAnswer =
        @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void

    /// Asks the delegates about a challenge, on the delegate queue.
    ///
    /// What proves a connection goes to the session's delegate, and where that has no word for it to
    /// the task's; all else goes to the task's only. Where there is nobody the default is answered.
    ///
    /// - Parameters:
    ///   - challenge: who asks for what.
    ///   - locked: the task, under its lock.
    ///   - answer: called once, on whatever thread the delegate answers.
    func ask(
        _ challenge: URLAuthenticationChallenge,
        _ locked: Locked,
        answer: @escaping ChallengeAnswer
    ) {
        let own = audience(locked)
        let once = FirstAnswer(answer)
        session.queue.async { [self] in
            guard challenge.protectionSpace.isConnectionLevel, let delegate = session.delegate
            else { return ask(own, challenge, once) }
            delegate.urlSession(session, didReceive: challenge) { disposition, credential in
                guard challenge.wasPassedOn() else {
                    return once.take(disposition, credential)
                }
                self.ask(own, challenge, once)
            }
        }
    }

    private func ask(
        _ delegate: (any URLSessionTaskDelegate)?,
        _ challenge: URLAuthenticationChallenge,
        _ answer: FirstAnswer
    ) {
        guard let delegate else { return answer.take(.performDefaultHandling, nil) }
        delegate.urlSession(session, task: self, didReceive: challenge) { disposition, credential in
            answer.take(disposition, credential)
        }
    }

    /// Lets one answer through: a delegate that answers twice has answered.
    private final class FirstAnswer: Sendable {
        private let answer: Mutex<ChallengeAnswer?>

        init(_ answer: @escaping ChallengeAnswer) {
            self.answer = Mutex(answer)
        }

        func take(
            _ disposition: URLSession.AuthChallengeDisposition,
            _ credential: URLCredential?
        ) {
            let answer = answer.withLock { answer in
                defer { answer = nil }
                return answer
            }
            answer?(disposition, credential)
        }
    }
}
