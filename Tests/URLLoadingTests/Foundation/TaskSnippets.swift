import Foundation
import Synchronization
import TestSupport
import Testing
import URLLoading

@Suite("Foundation snippets: tasks", .timeLimit(.minutes(1)))
final class TaskSnippets: Sendable {
    private let server: AppServer
    private let session = URLSession(configuration: appConfiguration())

    init() throws {
        server = try AppServer()
    }

    deinit { session.invalidateAndCancel() }

    @Test func usesTaskProperties() async throws {
        let task = session.dataTask(with: try server.url("/hang"))
        task.taskDescription = "list"
        task.priority = URLSessionTask.highPriority
        #expect(task.state == .suspended)
        task.resume()
        #expect(task.state == .running)
        #expect(task.originalRequest?.url?.path == "/hang")
        #expect(task.countOfBytesExpectedToReceive == NSURLSessionTransferSizeUnknown)
        task.cancel()
        #expect([.canceling, .completed].contains(task.state))
    }

    @Test func keepsTasksInSetsAndDictionaries() async throws {
        let first = session.dataTask(with: try server.url("/users"))
        let second = session.dataTask(with: try server.url("/users"))
        var handlers: [URLSessionTask: String] = [first: "first", second: "second"]
        #expect(Set([first, second, first]).count == 2)
        #expect(handlers.removeValue(forKey: first) == "first")
        #expect(first != second)
        let sessions: Set<URLSession> = [session, .shared]
        #expect(sessions.contains(session))
    }

    @Test func listsTasks() async throws {
        let data = session.dataTask(with: try server.url("/users"))
        let upload = session.uploadTask(
            with: URLRequest(url: try server.url("/users")),
            from: Data()
        )
        let download = session.downloadTask(with: try server.url("/file"))
        let (datas, uploads, downloads) = await session.tasks
        #expect(datas == [data])
        #expect(uploads == [upload])
        #expect(downloads == [download])
        #expect(await session.allTasks.count == 3)
        let counts = await withCheckedContinuation { continuation in
            session.getTasksWithCompletionHandler { datas, uploads, downloads in
                continuation.resume(returning: [datas.count, uploads.count, downloads.count])
            }
        }
        #expect(counts == [1, 1, 1])
        session.getAllTasks { tasks in for task in tasks { task.cancel() } }
    }

    @Test func suspendsAndResumesATask() async throws {
        let task = session.dataTask(with: try server.url("/users"))
        task.resume()
        task.suspend()
        #expect([.suspended, .completed].contains(task.state))
        task.resume()
        #expect(await eventually { task.state == .completed })
        #expect(task.error == nil)
    }

    @Test func cancelsWithTheSwiftTask() async throws {
        let url = try server.url("/hang")
        let loading = Task { try await session.data(from: url) }
        #expect(await eventually { !server.requests.isEmpty })
        loading.cancel()
        await #expect(throws: URLError.self) { try await loading.value }
    }

    @Test func delaysATask() async throws {
        final class Delayed: NSObject, URLSessionTaskDelegate {
            let other: URL
            let asked = Mutex<Date?>(nil)

            init(_ other: URL) {
                self.other = other
            }

            func urlSession(
                _ session: URLSession,
                task: URLSessionTask,
                willBeginDelayedRequest request: URLRequest,
                completionHandler:
                    @escaping (URLSession.DelayedRequestDisposition, URLRequest?) -> Void
            ) {
                asked.withLock { $0 = Date() }
                completionHandler(.useNewRequest, URLRequest(url: other))
            }
        }
        let delegate = Delayed(try server.url("/text"))
        let session = URLSession(
            configuration: appConfiguration(),
            delegate: delegate,
            delegateQueue: nil
        )
        defer { session.finishTasksAndInvalidate() }
        let task = session.dataTask(with: try server.url("/users"))
        let date = Date(timeIntervalSinceNow: 0.3)
        task.earliestBeginDate = date
        task.countOfBytesClientExpectsToSend = 200
        task.countOfBytesClientExpectsToReceive = 1_000
        task.resume()
        #expect(task.progress.totalUnitCount == 1_000 || task.progress.totalUnitCount == 1_200)
        #expect(await eventually { task.state == .completed })
        #expect(try #require(delegate.asked.withLock { $0 }) >= date)
        #expect(task.response?.url?.path == "/text")
        #expect(server.requests.map(\.target) == ["/text"])
    }

    @Test func usesASemaphore() throws {
        final class Box: @unchecked Sendable {
            var data: Data?
        }
        let semaphore = DispatchSemaphore(value: 0)
        let box = Box()
        session.dataTask(with: try server.url("/users")) { data, _, _ in
            box.data = data
            semaphore.signal()
        }.resume()
        #expect(semaphore.wait(timeout: .now() + 30) == .success)
        #expect(box.data?.count == 21)
    }

    @Test func usesADispatchGroup() async throws {
        let group = DispatchGroup()
        for number in 0..<3 {
            group.enter()
            let url = try server.url("/users?\(number)")
            session.dataTask(with: url) { _, _, _ in group.leave() }.resume()
        }
        await withCheckedContinuation { continuation in
            group.notify(queue: .main) { continuation.resume() }
        }
        #expect(server.requests.count == 3)
    }
}
