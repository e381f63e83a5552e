import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import URLLoading

@Suite("Replies of a session's delegate behind a task's own", .timeLimit(.minutes(1)))
struct DelegateReplyTests {
    /// The task's own delegate, which leaves challenges to the session's.
    private final class Silent: URLSessionTaskDelegate {}

    /// The session's delegate, which calls the handler as often as the test asks.
    private final class Deciding: URLSessionTaskDelegate {
        private let times: Int

        init(times: Int) {
            self.times = times
        }

        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            didReceive challenge: URLAuthenticationChallenge,
            completionHandler:
                @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            for _ in 0..<times {
                completionHandler(
                    .useCredential,
                    URLCredential(user: "u", password: "p", persistence: .none)
                )
            }
        }
    }

    @Test(
        "A-03 the first reply counts, and a handler released without a call gives the default",
        arguments: [(0, 401), (1, 200), (2, 200)]
    )
    func replies(times: Int, status: Int) async throws {
        let server = try SocketServer { connection in
            while let head = try connection.nextHead() {
                if head["Authorization"] == "Basic dTpw" {
                    try connection.respond(body: "in")
                } else {
                    try connection.respond(
                        "401 Unauthorized",
                        ["WWW-Authenticate: Basic realm=\"r\""],
                        body: ""
                    )
                }
            }
        }
        let session = try URLSession.testing(Deciding(times: times))
        defer { session.finishTasksAndInvalidate() }
        let address = try url(server.url())
        let (_, response) = try await session.data(from: address, delegate: Silent())
        #expect((response as? HTTPURLResponse)?.statusCode == status)
    }
}
