import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import URLLoading

@Suite("Delegates that do not answer", .timeLimit(.minutes(1)))
struct UnansweredTests {
    enum Question: String, CaseIterable, Sendable {
        case redirect, challenge, response, destination, bodyStream, caching
    }

    /// A delegate that keeps one question's completion handler, and answers the others by default.
    private final class Silent: URLSessionDataDelegate, URLSessionDownloadDelegate {
        private let question: Question
        private let asked: @Sendable (URLSessionTask) -> Void
        private let kept = Mutex<[any Sendable]>([])

        init(_ question: Question, asked: @escaping @Sendable (URLSessionTask) -> Void = { _ in }) {
            (self.question, self.asked) = (question, asked)
        }

        var isAsked: Bool { kept.withLock { !$0.isEmpty } }

        private func answer<Answer: Sendable>(
            _ asked: Question,
            _ handler: @escaping @Sendable (Answer) -> Void,
            _ answer: @autoclosure () -> Answer
        ) {
            guard asked == question else { return handler(answer()) }
            kept.withLock { $0.append(handler) }
        }

        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest,
            completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) { answer(.redirect, completionHandler, request) }

        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            didReceive challenge: URLAuthenticationChallenge,
            completionHandler:
                @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            answer(.challenge, { completionHandler($0, nil) }, .performDefaultHandling)
        }

        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            needNewBodyStream completionHandler: @escaping @Sendable ((any HTTPBodyStream)?) -> Void
        ) { answer(.bodyStream, completionHandler, nil) }

        func urlSession(
            _ session: URLSession,
            dataTask: URLSessionDataTask,
            didReceive response: URLResponse,
            completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
        ) {
            asked(dataTask)
            answer(.response, completionHandler, .allow)
        }

        func urlSession(
            _ session: URLSession,
            dataTask: URLSessionDataTask,
            willCacheResponse proposedResponse: CachedURLResponse,
            completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
        ) { answer(.caching, completionHandler, proposedResponse) }

        func urlSession(
            _ session: URLSession,
            downloadTask: URLSessionDownloadTask,
            didReceive response: URLResponse,
            completionHandler: @escaping @Sendable (DownloadDestination?) -> Void
        ) { answer(.destination, completionHandler, .temporary) }

        func urlSession(
            _ session: URLSession,
            downloadTask: URLSessionDownloadTask,
            didFinishDownloadingTo location: URL
        ) {}
    }

    @Test(
        "S-05 the time limit of the task ends it while its delegate does not answer",
        arguments: Question.allCases
    )
    func timeLimit(question: Question) async throws {
        let server = try SocketServer { connection in
            while try connection.nextHead() != nil {
                switch question {
                case .redirect:
                    try connection.respond("302 Found", ["Location: /other"], body: "")
                case .challenge:
                    try connection.respond(
                        "401 Unauthorized",
                        ["WWW-Authenticate: Basic realm=\"r\""],
                        body: "no"
                    )
                default:
                    try connection.respond("200 OK", ["Cache-Control: max-age=60"], body: "body")
                }
            }
        }
        let delegate = Silent(question)
        let session = try URLSession.testing(delegate) { configuration in
            configuration.timeoutIntervalForResource = 2
            configuration.urlCache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0)
        }
        defer { session.finishTasksAndInvalidate() }
        let address = try url(server.url())
        let task: URLSessionTask =
            switch question {
            case .destination: session.downloadTask(with: address)
            case .bodyStream: session.uploadTask(withStreamedRequest: URLRequest(url: address))
            default: session.dataTask(with: address)
            }
        task.resume()
        #expect(await eventually { task.state == .completed })
        #expect((task.error as? URLError)?.code == .timedOut)
        #expect(delegate.isAsked)
        #expect(!task.progress.isCancelled)
    }

    @Test("S-05 a suspended task has time to answer")
    func suspended() async throws {
        let server = try SocketServer { connection in
            while try connection.nextHead() != nil { try connection.respond(body: "body") }
        }
        let delegate = Silent(.response) { $0.suspend() }
        let session = try URLSession.testing(delegate) { $0.timeoutIntervalForResource = 1 }
        defer { session.invalidateAndCancel() }
        let task = session.dataTask(with: try url(server.url()))
        task.resume()
        #expect(await eventually { delegate.isAsked })
        let hasEnded = await happens(in: .milliseconds(1_500)) { task.state == .completed }
        #expect(!hasEnded)
        task.resume()
        #expect(await eventually { task.state == .completed })
        #expect((task.error as? URLError)?.code == .timedOut)
    }
}
