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

    /// Collects a body, as delegates do.
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

    @Test func decidesOnAResponseAsynchronously() async throws {
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
            ) { completionHandler(nil) }
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

    @Test func decidesOnAChallenge() async throws {
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

    @Test func decidesOnAChallengeAsynchronously() async throws {
        final class Login: NSObject, URLSessionTaskDelegate {
            func urlSession(
                _ session: URLSession,
                task: URLSessionTask,
                didReceive challenge: URLAuthenticationChallenge
            ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
                guard challenge.previousFailureCount == 0 else {
                    return (.cancelAuthenticationChallenge, nil)
                }
                let credential = URLCredential(user: "ada", password: "secret", persistence: .none)
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
}
