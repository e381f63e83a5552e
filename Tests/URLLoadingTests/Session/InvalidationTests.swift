import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import URLLoading

@Suite("Invalidation", .timeLimit(.minutes(1)))
struct InvalidationTests {
    /// Holds a delegate weakly.
    private final class Weak: @unchecked Sendable {
        // Unchecked: written once, before any other code has it; a weak reference is read atomically.
        weak var delegate: RecordingDelegate?
        init(_ delegate: RecordingDelegate) {
            self.delegate = delegate
        }
    }

    @Test("S-08 the session keeps its delegate until it is invalid, then calls and releases it")
    func releases() async throws {
        let calls = Mutex<[RecordingDelegate.Call]>([])
        let (weak, session) = try make()
        #expect(weak.delegate != nil)
        let task = session.dataTask(with: try url(try Nginx.shared.url("/files/hello.txt")))
        task.resume()
        session.finishTasksAndInvalidate()
        _ = await eventually {
            guard let delegate = weak.delegate else { return true }
            calls.withLock { $0 = delegate.calls() }
            return false
        }
        #expect(weak.delegate == nil)
        #expect(task.state == .completed)
        #expect(task.error == nil)
        #expect(session.delegate == nil)
    }

    private func make() throws -> (Weak, URLSession) {
        let recorder = RecordingDelegate()
        return (Weak(recorder), try .testing(recorder))
    }

    @Test("S-08 the session still has its delegate in the last call")
    func lastCall() async throws {
        final class Last: URLSessionDelegate {
            let hadDelegate = Mutex<Bool?>(nil)

            func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
                hadDelegate.withLock { $0 = session.delegate === self }
            }
        }
        let last = Last()
        let session = try URLSession.testing(last)
        session.invalidateAndCancel()
        #expect(await eventually { last.hadDelegate.withLock { $0 } != nil })
        #expect(last.hadDelegate.withLock { $0 } == true)
    }

    @Test("S-08 a finishing session lets running tasks end, and reports exactly once, last of all")
    func finishes() async throws {
        let recorder = RecordingDelegate()
        let session = try URLSession.testing(recorder)
        let file = try Nginx.shared.addLargeFile("s08.bin", size: 1 << 20)
        let task = session.dataTask(with: try url(try Nginx.shared.url(file)))
        task.resume()
        session.finishTasksAndInvalidate()
        session.finishTasksAndInvalidate()
        session.invalidateAndCancel()
        #expect(await eventually { recorder.calls().last == .invalid })
        #expect(recorder.calls().filter { $0 == .invalid }.count == 1)
    }

    @Test("S-08 a session that finishes without cancelling lets the task succeed")
    func finishesWhole() async throws {
        let recorder = RecordingDelegate()
        let session = try URLSession.testing(recorder)
        let file = try Nginx.shared.addLargeFile("s08b.bin", size: 1 << 20)
        let task = session.dataTask(with: try url(try Nginx.shared.url(file)))
        task.resume()
        session.finishTasksAndInvalidate()
        #expect(await recorder.completion(of: task) == nil)
        #expect(recorder.data(task).count == 1 << 20)
        #expect(await eventually { recorder.calls().last == .invalid })
    }

    @Test("S-08 a session that cancels ends running and never started tasks, then reports once")
    func cancels() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.waitForPeerToClose()
        }
        let recorder = RecordingDelegate()
        let session = try URLSession.testing(recorder)
        let running = session.dataTask(with: try url(server.url()))
        let idle = session.downloadTask(with: try url(server.url()))
        running.resume()
        #expect(await eventually { server.requestCount == 1 })
        session.invalidateAndCancel()
        #expect(await recorder.completion(of: running) == .cancelled)
        #expect(await recorder.completion(of: idle) == .cancelled)
        #expect(await eventually { recorder.calls().last == .invalid })
        #expect(recorder.calls().filter { $0 == .invalid }.count == 1)
    }

    @Test("S-08 a session without tasks becomes invalid at once")
    func empty() async throws {
        let recorder = RecordingDelegate()
        let session = try URLSession.testing(recorder)
        session.invalidateAndCancel()
        #expect(await eventually { recorder.calls() == [.invalid] })
    }

    @Test("S-08 a task made in an invalid session fails, and nothing crashes")
    func afterwards() async throws {
        let session = try URLSession.testing()
        session.invalidateAndCancel()
        let address = try url(try Nginx.shared.url("/files/hello.txt"))
        let code = await errorCode { _ = try await session.data(from: address) }
        #expect(code == .cancelled)
        let task = session.dataTask(with: address)
        task.resume()
        #expect(task.state == .completed)
        #expect((task.error as? URLError)?.detail.contains("invalidated") == true)
    }
}
