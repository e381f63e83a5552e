import Synchronization

@testable import URLLoading

/// Replies to a challenge, and provides the body again.
final class SpoolingDelegate: URLSessionTaskDelegate {
    let spool: BodySpool
    let wanted = Mutex(0)

    init(_ spool: BodySpool) {
        self.spool = spool
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable ((any HTTPBodyStream)?) -> Void
    ) {
        wanted.withLock { $0 += 1 }
        completionHandler(try? spool.stream())
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let isFirst = challenge.previousFailureCount == 0
        completionHandler(
            isFirst ? .useCredential : .rejectProtectionSpace,
            URLCredential(user: "name", password: "secret", persistence: .none)
        )
    }
}
