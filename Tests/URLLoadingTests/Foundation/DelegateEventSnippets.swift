import Foundation
import Synchronization
import TestSupport
import Testing
import URLLoading

@Suite("Foundation snippets: events of delegates", .timeLimit(.minutes(1)))
struct DelegateEventSnippets {
    private let server: AppServer

    init() throws {
        server = try AppServer()
    }

    @Test func changesTheCachedResponse() async throws {
        final class Caching: NSObject, URLSessionDataDelegate {
            let isAsync: Bool
            let count = Mutex(0)

            init(isAsync: Bool) {
                self.isAsync = isAsync
            }

            func urlSession(
                _ session: URLSession,
                dataTask: URLSessionDataTask,
                willCacheResponse proposedResponse: CachedURLResponse
            ) async -> CachedURLResponse? {
                count.withLock { $0 += 1 }
                return nil
            }
        }
        let delegate = Caching(isAsync: true)
        let session = URLSession(
            configuration: appConfiguration(),
            delegate: delegate,
            delegateQueue: nil
        )
        defer { session.finishTasksAndInvalidate() }
        for _ in 0..<2 {
            let task = session.dataTask(with: try server.url("/cached"))
            task.resume()
            #expect(await eventually { task.state == .completed })
        }
        #expect(server.requests.count == 2)
        #expect(delegate.count.withLock { $0 } == 2)
    }

    @Test func collectsMetrics() async throws {
        final class Metrics: NSObject, URLSessionTaskDelegate {
            let duration = Mutex<TimeInterval?>(nil)

            func urlSession(
                _ session: URLSession,
                task: URLSessionTask,
                didFinishCollecting metrics: URLSessionTaskMetrics
            ) {
                let last = metrics.transactionMetrics.last
                guard last?.networkProtocolName == "http/1.1", metrics.redirectCount == 1 else {
                    return
                }
                duration.withLock { $0 = metrics.taskInterval.duration }
            }
        }
        let metrics = Metrics()
        let session = URLSession(configuration: appConfiguration())
        _ = try await session.data(from: server.url("/redirect"), delegate: metrics)
        #expect(try #require(metrics.duration.withLock { $0 }) >= 0)
    }

    @Test func getsNewTasksAndInterimResponses() async throws {
        final class Observer: NSObject, URLSessionTaskDelegate {
            let calls = Mutex<[String]>([])

            func urlSession(_ session: URLSession, didCreateTask task: URLSessionTask) {
                task.taskDescription = "created"
                calls.withLock { $0.append("created \(task.taskIdentifier)") }
            }

            func urlSession(
                _ session: URLSession,
                task: URLSessionTask,
                didReceiveInformationalResponse response: HTTPURLResponse
            ) {
                let link = response.value(forHTTPHeaderField: "Link") ?? ""
                calls.withLock { $0.append("\(response.statusCode) \(link)") }
            }
        }
        let observer = Observer()
        let session = URLSession(
            configuration: appConfiguration(),
            delegate: observer,
            delegateQueue: nil
        )
        defer { session.finishTasksAndInvalidate() }
        let task = session.dataTask(with: try server.url("/hints"))
        #expect(task.taskDescription == "created")
        task.resume()
        #expect(await eventually { task.state == .completed })
        #expect(observer.calls.withLock { $0 } == ["created 1", "103 </style.css>; rel=preload"])
    }

    @Test func getsTheEndOfTheSession() async throws {
        final class EndRecorder: NSObject, URLSessionDelegate {
            let hasEnded = Mutex(false)

            func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
                hasEnded.withLock { $0 = error == nil }
            }
        }
        let recorder = EndRecorder()
        let session = URLSession(configuration: .ephemeral, delegate: recorder, delegateQueue: nil)
        session.finishTasksAndInvalidate()
        #expect(await eventually { recorder.hasEnded.withLock { $0 } })
    }

    @Test func getsABodyInOnePiece() async throws {
        final class Whole: NSObject, URLSessionDataDelegate {
            let pieces = Mutex<[Int]>([])

            func urlSession(
                _ session: URLSession,
                dataTask: URLSessionDataTask,
                didReceive data: Data
            ) {
                pieces.withLock { $0.append(data.count) }
            }
        }
        let whole = Whole()
        let session = URLSession(
            configuration: appConfiguration(),
            delegate: whole,
            delegateQueue: nil
        )
        defer { session.finishTasksAndInvalidate() }
        let task = session.dataTask(with: try server.url("/file"))
        #expect(task.prefersIncrementalDelivery)
        task.prefersIncrementalDelivery = false
        task.resume()
        #expect(await eventually { task.state == .completed })
        #expect(await eventually { whole.pieces.withLock { $0 } == [200_000] })
    }

    @Test func usesAQueueOfItsOwn() async throws {
        final class Where: NSObject, URLSessionTaskDelegate {
            let queue = DispatchQueue(label: "delegate")
            let wasThere = Mutex<Bool?>(nil)

            func urlSession(
                _ session: URLSession,
                task: URLSessionTask,
                didCompleteWithError error: (any Error)?
            ) {
                dispatchPrecondition(condition: .onQueue(queue))
                wasThere.withLock { $0 = true }
            }
        }
        let delegate = Where()
        let session = URLSession(
            configuration: appConfiguration(),
            delegate: delegate,
            delegateQueue: delegate.queue
        )
        defer { session.finishTasksAndInvalidate() }
        session.dataTask(with: try server.url("/users")).resume()
        #expect(await eventually { delegate.wasThere.withLock { $0 } == true })
    }
}
