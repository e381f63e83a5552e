import FoundationEssentials
import TestSupport
import Testing

@testable import URLLoading

@Suite("A task's own delegate", .timeLimit(.minutes(1)))
struct TaskDelegateTests {
    /// Implements redirects alone.
    private final class RedirectsOnly: URLSessionTaskDelegate {
        let asked = Flag()

        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest,
            completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) {
            asked.raise()
            completionHandler(nil)
        }
    }

    @Test("T-09 the task asks its own delegate first, also where the session has none")
    func alone() async throws {
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        let delegate = RedirectsOnly()
        let (_, response) = try await session.data(
            from: try url(try Nginx.shared.url("/redirect/302")),
            delegate: delegate
        )
        #expect(delegate.asked.isUp)
        #expect((response as? HTTPURLResponse)?.statusCode == 302)
    }

    @Test("T-13 calls that the task's delegate does not implement go to the session's")
    func handedOn() async throws {
        let recorder = RecordingDelegate()
        let session = try URLSession.testing(recorder)
        defer { session.finishTasksAndInvalidate() }
        let task = session.dataTask(with: try url(try Nginx.shared.url("/redirect/302")))
        task.delegate = RedirectsOnly()
        task.resume()
        #expect(await recorder.completion(of: task) == nil)
        #expect(recorder.calls(task).first == .response(302))
        #expect(!recorder.data(task).isEmpty)
        #expect(task.delegate == nil)
    }
}
