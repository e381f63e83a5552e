import Foundation
import Synchronization
import TestSupport
import Testing
import URLLoading

/// The app's view of its network, so that a test can replace it.
private protocol HTTPClient: Sendable {
    func data(for request: URLRequest) async throws -> (Data, URLResponse)
    func data(from url: URL) async throws -> (Data, URLResponse)
    func upload(for request: URLRequest, from bodyData: Data) async throws -> (Data, URLResponse)
    func upload(for request: URLRequest, fromFile fileURL: URL) async throws -> (Data, URLResponse)
    func download(for request: URLRequest) async throws -> (URL, URLResponse)
    func download(from url: URL) async throws -> (URL, URLResponse)
    func download(resumeFrom resumeData: Data) async throws -> (URL, URLResponse)
}

extension URLSession: HTTPClient {}

/// The same with the task's delegate.
private protocol DelegatingClient {
    func data(
        for request: URLRequest,
        delegate: (any URLSessionTaskDelegate)?
    ) async throws -> (Data, URLResponse)
}

extension URLSession: DelegatingClient {}

/// Tasks behind protocols, as before there was `async`.
private protocol TaskProtocol {
    func resume()
    func cancel()
}

extension URLSessionDataTask: TaskProtocol {}

private protocol SessionProtocol {
    func makeTask(
        with request: URLRequest,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> any TaskProtocol
}

extension URLSession: SessionProtocol {
    fileprivate func makeTask(
        with request: URLRequest,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> any TaskProtocol {
        dataTask(with: request, completionHandler: completionHandler)
    }
}

@Suite("Foundation snippets: tests of apps", .timeLimit(.minutes(1)))
struct MockSnippets {
    private struct UserService {
        let client: any HTTPClient

        func user(_ url: URL) async throws -> User {
            let (data, response) = try await client.data(for: URLRequest(url: url))
            guard (response as? HTTPURLResponse)?.statusCode == 200 else {
                throw URLError(.badServerResponse)
            }
            return try JSONDecoder().decode(User.self, from: data)
        }
    }

    private struct StubClient: HTTPClient {
        let status: Int

        func data(for request: URLRequest) async throws -> (Data, URLResponse) {
            guard let url = request.url,
                let response = HTTPURLResponse(
                    url: url,
                    statusCode: status,
                    httpVersion: nil,
                    headerFields: nil
                )
            else { throw URLError(.badURL) }
            return (Data(#"{"id":9,"name":"Stub"}"#.utf8), response)
        }

        func data(from url: URL) async throws -> (Data, URLResponse) {
            try await data(for: URLRequest(url: url))
        }

        func upload(
            for request: URLRequest,
            from bodyData: Data
        ) async throws -> (Data, URLResponse) { throw URLError(.unsupportedURL) }

        func upload(
            for request: URLRequest,
            fromFile fileURL: URL
        ) async throws -> (Data, URLResponse) { throw URLError(.unsupportedURL) }

        func download(for request: URLRequest) async throws -> (URL, URLResponse) {
            throw URLError(.unsupportedURL)
        }

        func download(from url: URL) async throws -> (URL, URLResponse) {
            throw URLError(.unsupportedURL)
        }

        func download(resumeFrom resumeData: Data) async throws -> (URL, URLResponse) {
            throw URLError(.unsupportedURL)
        }
    }

    @Test func putsASessionBehindAProtocol() async throws {
        let server = try AppServer()
        let service = UserService(client: URLSession(configuration: appConfiguration()))
        #expect(try await service.user(server.url("/users")).name == "Ada")
    }

    @Test func putsAStubInASessionsPlace() async throws {
        let url = try #require(URL(string: "https://api.example/users/9"))
        #expect(try await UserService(client: StubClient(status: 200)).user(url).id == 9)
        await #expect(throws: URLError.self) {
            try await UserService(client: StubClient(status: 500)).user(url)
        }
    }

    @Test func putsTasksBehindProtocols() async throws {
        let server = try AppServer()
        let session: any SessionProtocol = URLSession(configuration: appConfiguration())
        let request = URLRequest(url: try server.url("/users"))
        let count = await withCheckedContinuation { continuation in
            session.makeTask(with: request) { data, _, _ in
                continuation.resume(returning: data?.count)
            }.resume()
        }
        #expect(count == 21)
    }

    /// Responds without a network, as tests of apps do.
    private final class StubProtocol: URLProtocol {
        static let handler =
            Mutex<@Sendable (URLRequest) throws -> (HTTPURLResponse, Data)>({ _ in
                throw URLError(.unknown)
            })

        override class func canInit(with request: URLRequest) -> Bool { true }

        override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

        override func startLoading() {
            do {
                let handler = Self.handler.withLock { $0 }
                let (response, data) = try handler(request)
                client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
                client?.urlProtocol(self, didLoad: data)
                client?.urlProtocolDidFinishLoading(self)
            } catch {
                client?.urlProtocol(self, didFailWithError: error)
            }
        }

        override func stopLoading() {}
    }

    @Test func stubsByAProtocolClass() async throws {
        StubProtocol.handler.withLock { handler in
            handler = { request in
                guard let url = request.url, url.path == "/users",
                    let response = HTTPURLResponse(
                        url: url,
                        statusCode: 200,
                        httpVersion: nil,
                        headerFields: ["Content-Type": "application/json"]
                    )
                else { throw URLError(.fileDoesNotExist) }
                return (response, Data(#"{"id":5,"name":"Proto"}"#.utf8))
            }
        }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [StubProtocol.self]
        let session = URLSession(configuration: configuration)
        let url = try #require(URL(string: "https://api.example/users"))
        #expect(try await UserService(client: session).user(url).name == "Proto")
        let other = try #require(URL(string: "https://api.example/other"))
        await #expect(throws: URLError.self) { try await session.data(from: other) }
    }

    @Test func makesResponses() throws {
        let url = try #require(URL(string: "https://api.example/a.json"))
        let response = URLResponse(
            url: url,
            mimeType: "application/json",
            expectedContentLength: 3,
            textEncodingName: "utf-8"
        )
        #expect(response.suggestedFilename == "a.json")
        let http = HTTPURLResponse(
            url: url,
            statusCode: 200,
            httpVersion: "HTTP/1.1",
            headerFields: ["Content-Type": "text/plain"]
        )
        let same = HTTPURLResponse(
            url: url,
            statusCode: 200,
            httpVersion: "HTTP/1.1",
            headerFields: ["Content-Type": "text/plain"]
        )
        #expect(http == same)
        #expect(http != response)
        #expect(Set([http, same]).count == 1)
    }
}
