import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import URLLoading

/// A delegate that decides about a server's trust after a delay.
@Suite("Undecided trust", .serialized, .timeLimit(.minutes(1)))
struct UndecidedTrustTests {
    /// Keeps the challenge until the test decides on it.
    private final class Question: Sendable {
        private let completion = Mutex<TrustingDelegate.Completion?>(nil)
        private let trust = Mutex<ServerTrust?>(nil)

        var isAsked: Bool { trust.withLock { $0 != nil } }

        var delegate: TrustingDelegate {
            TrustingDelegate { [self] challenge, complete in
                completion.withLock { $0 = complete }
                trust.withLock { $0 = challenge.protectionSpace.serverTrust }
            }
        }

        func accept() {
            let shown = trust.withLock { $0 }
            completion.withLock { $0.take() }?(
                .useCredential,
                shown.map { URLCredential(trust: $0) }
            )
        }
    }

    @Test(
        "A-05 a delegate may decide after 5 s: that takes no CPU, and the idle timeout does not end it"
    )
    func thinking() async throws {
        // In parallel, since each takes long.
        try await withThrowingTaskGroup { group in
            for version in ["1.2", "1.3", "h2"] {
                group.addTask { try await think(version) }
            }
            try await group.waitForAll()
        }
    }

    private func think(_ version: String) async throws {
        let nginx = try Nginx.shared
        let question = Question()
        let configuration = try URLSessionConfiguration.testing()
        configuration.timeoutIntervalForRequest = 4
        configuration.transport.connectTimeout = 4
        let transport = WatchedTransport(configuration.settings)
        let session = URLSession(configuration.settings, transport, question.delegate, nil)
        defer { session.finishTasksAndInvalidate() }
        let path = "/files/hello.txt?thinking-\(version)"
        let text =
            switch version {
            case "1.2": nginx.tls12URL(path)
            case "1.3": nginx.tlsURL(path)
            default: nginx.http2URL(path)
            }
        let address = try url(text)
        let loading = Task { try await session.data(from: address).0 }
        #expect(await eventually { question.isAsked })
        let before = try #require(transport.loopTime)
        // The duration is under test, and exceeds both timeouts: no request is sent within it.
        let hasRequest = await happens(in: .seconds(5)) { !nginx.accessLog(path).isEmpty }
        #expect(!hasRequest)
        // The loop's own thread; a busy loop would use most of the 5 s.
        let used = try #require(transport.loopTime) - before
        #expect(used < 0.1, "\(version)")
        question.accept()
        #expect(isSameBytes(try await loading.value, Array("Hello, world!\n".utf8)))
    }

    @Test("A-05 other tasks continue meanwhile")
    func others() async throws {
        let nginx = try Nginx.shared
        let question = Question()
        let session = try URLSession.testing(question.delegate)
        defer { session.finishTasksAndInvalidate() }
        let address = try url(nginx.tlsURL("/files/hello.txt"))
        let loading = Task { try await session.data(from: address).0 }
        #expect(await eventually { question.isAsked })
        for _ in 0..<3 {
            let plain = try url(nginx.url("/files/hello.txt"))
            #expect(!(try await session.data(from: plain).0.isEmpty))
        }
        question.accept()
        #expect(!(try await loading.value.isEmpty))
    }

    @Test("A-05 a task can be cancelled meanwhile, and a late reply changes nothing")
    func cancelled() async throws {
        let nginx = try Nginx.shared
        let question = Question()
        let session = try URLSession.testing(question.delegate)
        defer { session.finishTasksAndInvalidate() }
        let path = "/files/hello.txt?cancelled-meanwhile"
        let task = session.dataTask(with: try url(nginx.tlsURL(path)))
        task.resume()
        #expect(await eventually { question.isAsked })
        task.cancel()
        #expect(await eventually { task.state == .completed })
        #expect((task.error as? URLError)?.code == .cancelled)
        question.accept()
        #expect(nginx.accessLog(path).isEmpty)
    }

    @Test("A-05 a task suspended meanwhile follows the disposition once it is resumed")
    func suspended() async throws {
        let nginx = try Nginx.shared
        let question = Question()
        let delegate = question.delegate
        let session = try URLSession.testing(delegate)
        defer { session.finishTasksAndInvalidate() }
        let path = "/files/hello.txt?suspended-meanwhile"
        let task = session.dataTask(with: try url(nginx.tlsURL(path)))
        task.resume()
        #expect(await eventually { question.isAsked })
        task.suspend()
        question.accept()
        #expect(nginx.accessLog(path).isEmpty)
        task.resume()
        #expect(await eventually { task.state == .completed })
        #expect(task.error == nil)
        #expect(delegate.challenges.count == 1)
    }

    @Test("A-05 the time limit for the whole task runs on meanwhile")
    func wholeTime() async throws {
        let question = Question()
        let session = try URLSession.testing(question.delegate) {
            $0.timeoutIntervalForResource = 3
        }
        defer { session.finishTasksAndInvalidate() }
        let address = try url(try Nginx.shared.tlsURL("/files/hello.txt"))
        #expect(await errorCode { _ = try await session.data(from: address) } == .timedOut)
        #expect(question.isAsked)
        // The completion handler keeps the session whose delegate keeps it.
        question.accept()
    }
}
