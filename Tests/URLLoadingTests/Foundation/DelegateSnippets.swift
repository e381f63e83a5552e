import Foundation
import Synchronization
import TestSupport
import Testing
import URLLoading

@Suite("Foundation snippets: delegates", .timeLimit(.minutes(1)))
struct DelegateSnippets {
    private let server: AppServer

    init() throws {
        server = try AppServer()
    }

    /// Gathers a body, as delegates do.
    private final class Loader: NSObject, URLSessionDataDelegate {
        private let received = Mutex(Data())
        private let end = Mutex<CheckedContinuation<Data, any Error>?>(nil)

        func load(_ url: URL) async throws -> Data {
            let session = URLSession(
                configuration: appConfiguration(),
                delegate: self,
                delegateQueue: nil
            )
            defer { session.finishTasksAndInvalidate() }
            return try await withCheckedThrowingContinuation { continuation in
                end.withLock { $0 = continuation }
                session.dataTask(with: url).resume()
            }
        }

        func urlSession(
            _ session: URLSession,
            dataTask: URLSessionDataTask,
            didReceive response: URLResponse,
            completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
        ) {
            guard let response = response as? HTTPURLResponse, response.statusCode == 200 else {
                completionHandler(.cancel)
                return
            }
            completionHandler(.allow)
        }

        func urlSession(
            _ session: URLSession,
            dataTask: URLSessionDataTask,
            didReceive data: Data
        ) {
            received.withLock { $0.append(data) }
        }

        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            didCompleteWithError error: (any Error)?
        ) {
            let continuation = end.withLock { $0.take() }
            if let error {
                continuation?.resume(throwing: error)
            } else {
                continuation?.resume(returning: received.withLock { $0 })
            }
        }
    }

    @Test func gathersABody() async throws {
        #expect(try await Loader().load(server.url("/users")).count == 21)
    }

    @Test func cancelsByTheResponse() async throws {
        await #expect(throws: URLError.self) {
            try await Loader().load(server.url("/missing"))
        }
    }

    @Test func answersAResponseAsynchronously() async throws {
        final class Delegate: NSObject, URLSessionDataDelegate {
            let statuses = Mutex<[Int]>([])

            func urlSession(
                _ session: URLSession,
                dataTask: URLSessionDataTask,
                didReceive response: URLResponse
            ) async -> URLSession.ResponseDisposition {
                await Task.yield()
                statuses.withLock { $0.append((response as! HTTPURLResponse).statusCode) }
                return .cancel
            }
        }
        let delegate = Delegate()
        let session = URLSession(
            configuration: appConfiguration(),
            delegate: delegate,
            delegateQueue: nil
        )
        let task = session.dataTask(with: try server.url("/users"))
        task.resume()
        #expect(await eventually { task.state == .completed })
        #expect((task.error as? URLError)?.code == .cancelled)
        #expect(delegate.statuses.withLock { $0 } == [200])
        session.invalidateAndCancel()
    }

    @Test func stopsARedirect() async throws {
        final class NoRedirects: NSObject, URLSessionTaskDelegate {
            func urlSession(
                _ session: URLSession,
                task: URLSessionTask,
                willPerformHTTPRedirection response: HTTPURLResponse,
                newRequest request: URLRequest,
                completionHandler: @escaping (URLRequest?) -> Void
            ) {
                completionHandler(nil)
            }
        }
        let session = URLSession(configuration: appConfiguration())
        let (data, response) = try await session.data(
            from: server.url("/redirect"),
            delegate: NoRedirects()
        )
        #expect((response as? HTTPURLResponse)?.statusCode == 302)
        #expect(String(decoding: data, as: UTF8.self) == "moved")
    }

    @Test func stopsARedirectAsynchronously() async throws {
        final class NoRedirects: NSObject, URLSessionTaskDelegate {
            func urlSession(
                _ session: URLSession,
                task: URLSessionTask,
                willPerformHTTPRedirection response: HTTPURLResponse,
                newRequest request: URLRequest
            ) async -> URLRequest? {
                nil
            }
        }
        let session = URLSession(configuration: appConfiguration())
        let (_, response) = try await session.data(
            for: URLRequest(url: server.url("/redirect")),
            delegate: NoRedirects()
        )
        #expect((response as? HTTPURLResponse)?.statusCode == 302)
    }

    @Test func answersAChallenge() async throws {
        final class Login: NSObject, URLSessionTaskDelegate {
            func urlSession(
                _ session: URLSession,
                task: URLSessionTask,
                didReceive challenge: URLAuthenticationChallenge,
                completionHandler:
                    @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
            ) {
                let space = challenge.protectionSpace
                guard challenge.previousFailureCount == 0,
                    space.authenticationMethod == NSURLAuthenticationMethodHTTPBasic
                else { return completionHandler(.cancelAuthenticationChallenge, nil) }
                let credential = URLCredential(
                    user: "ada",
                    password: "secret",
                    persistence: .forSession
                )
                completionHandler(.useCredential, credential)
            }
        }
        let session = URLSession(
            configuration: appConfiguration(),
            delegate: Login(),
            delegateQueue: nil
        )
        defer { session.finishTasksAndInvalidate() }
        let (data, _) = try await session.data(from: server.url("/private"))
        #expect(String(decoding: data, as: UTF8.self) == "welcome")
    }

    @Test func answersAChallengeAsynchronously() async throws {
        final class Login: NSObject, URLSessionTaskDelegate {
            func urlSession(
                _ session: URLSession,
                task: URLSessionTask,
                didReceive challenge: URLAuthenticationChallenge
            ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
                guard challenge.previousFailureCount == 0 else {
                    return (.cancelAuthenticationChallenge, nil)
                }
                let credential = URLCredential(
                    user: "ada",
                    password: "secret",
                    persistence: .none
                )
                return (.useCredential, credential)
            }
        }
        let session = URLSession(configuration: appConfiguration())
        let (data, _) = try await session.data(
            for: URLRequest(url: server.url("/private")),
            delegate: Login()
        )
        #expect(String(decoding: data, as: UTF8.self) == "welcome")
    }

    @Test func trustsAServerAsynchronously() async throws {
        final class Pinning: NSObject, URLSessionDelegate {
            let methods = Mutex<[String]>([])

            func urlSession(
                _ session: URLSession,
                didReceive challenge: URLAuthenticationChallenge
            ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
                let space = challenge.protectionSpace
                methods.withLock { $0.append(space.authenticationMethod) }
                guard space.authenticationMethod == NSURLAuthenticationMethodServerTrust,
                    let trust = space.serverTrust
                else { return (.performDefaultHandling, nil) }
                return (.useCredential, URLCredential(trust: trust))
            }
        }
        let pinning = Pinning()
        let session = URLSession(
            configuration: appConfiguration(),
            delegate: pinning,
            delegateQueue: nil
        )
        defer { session.finishTasksAndInvalidate() }
        let port = try Nginx.shared.selfSignedPort
        let url = try #require(URL(string: "https://127.0.0.1:\(port)/files/hello.txt"))
        let (data, _) = try await session.data(from: url)
        #expect(String(decoding: data, as: UTF8.self) == "Hello, world!\n")
        #expect(pinning.methods.withLock { $0 } == [NSURLAuthenticationMethodServerTrust])
    }

    @Test func changesWhatIsCached() async throws {
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

    @Test func hearsOfNewTasksAndInterimResponses() async throws {
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
        #expect(
            observer.calls.withLock { $0 } == ["created 1", "103 </style.css>; rel=preload"]
        )
    }

    @Test func hearsOfTheEndOfTheSession() async throws {
        final class Ending: NSObject, URLSessionDelegate {
            let hasEnded = Mutex(false)

            func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
                hasEnded.withLock { $0 = error == nil }
            }
        }
        let ending = Ending()
        let session = URLSession(
            configuration: .ephemeral,
            delegate: ending,
            delegateQueue: nil
        )
        session.finishTasksAndInvalidate()
        #expect(await eventually { ending.hasEnded.withLock { $0 } })
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
