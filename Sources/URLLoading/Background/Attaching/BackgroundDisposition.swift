import Synchronization

/// What a delegate says to an answer that is told later: once, and `allow` where it lets go of the
/// question.
final class BackgroundDisposition: Sendable {
    private let answer: Mutex<(@Sendable (URLSession.ResponseDisposition) -> Void)?>

    init(_ answer: @escaping @Sendable (URLSession.ResponseDisposition) -> Void) {
        self.answer = Mutex(answer)
    }

    deinit {
        take(.allow)
    }

    func take(_ disposition: URLSession.ResponseDisposition) {
        let waiting = answer.withLock { answer in
            defer { answer = nil }
            return answer
        }
        waiting?(disposition)
    }
}
