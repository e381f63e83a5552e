import Foundation
import TestSupport
import Testing
import URLLoading

@Suite("Foundation snippets: errors", .timeLimit(.minutes(1)))
struct ErrorSnippets {
    private let server: AppServer
    private let session = URLSession(configuration: appConfiguration())

    init() throws {
        server = try AppServer()
    }

    /// The text that an app shows to its user.
    private func message(_ body: () async throws -> Void) async -> String {
        do {
            try await body()
            return "fine"
        } catch URLError.cancelled {
            return "cancelled"
        } catch URLError.timedOut, URLError.networkConnectionLost {
            return "try again"
        } catch let error as URLError where error.code == .cannotConnectToHost {
            return "no server"
        } catch let error as URLError {
            switch error.code {
            case .notConnectedToInternet, .dataNotAllowed: return "offline"
            case .unsupportedURL, .badURL: return "bad address"
            case .badServerResponse: return "bad server"
            default: return error.localizedDescription
            }
        } catch {
            return "\(type(of: error))"
        }
    }

    @Test func catchesACancel() async throws {
        let url = try server.url("/hang")
        let loading = Task { try await session.data(from: url) }
        #expect(await eventually { !server.requests.isEmpty })
        loading.cancel()
        #expect(await message { _ = try await loading.value } == "cancelled")
    }

    @Test func catchesALostConnection() async throws {
        let url = try server.url("/cut")
        #expect(await message { _ = try await session.data(from: url) } == "try again")
    }

    @Test func catchesARefusedConnection() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:1/"))
        #expect(await message { _ = try await session.data(from: url) } == "no server")
    }

    @Test(arguments: ["ftp://example.com/", "ws://example.com/", "wss://example.com/"])
    func catchesAnUnsupportedURL(_ text: String) async throws {
        let url = try #require(URL(string: text))
        #expect(await message { _ = try await session.data(from: url) } == "bad address")
    }

    @Test func refusesWebSockets() async throws {
        let url = try #require(URL(string: "wss://example.com/socket"))
        do {
            _ = try await session.data(from: url)
        } catch let error as URLError {
            #expect(error.localizedDescription.contains("web sockets are not supported"))
        }
    }

    @Test func throwsItsOwn() async throws {
        #expect(await message { throw URLError(.badServerResponse) } == "bad server")
        #expect(await message { throw URLError(.init(rawValue: -4_711)) } == "error -4711")
        let error = URLError(.notConnectedToInternet, userInfo: [:])
        #expect(await message { throw error } == "offline")
    }

    @Test func matchesPatterns() {
        let error: any Error = URLError(.timedOut)
        if case URLError.timedOut = error {} else { Issue.record("not matched") }
        if case URLError.cancelled = error { Issue.record("matched") }
        #expect((error as? URLError)?.code == .timedOut)
        #expect((error as? URLError)?.code == URLError.timedOut)
        #expect(URLError.Code(rawValue: -1_001) == .timedOut)
        #expect([.timedOut, .cancelled].contains(URLError(.timedOut).code))
    }

    @Test func looksAtAnNSError() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:1/a"))
        let error: (any Error)? = await withCheckedContinuation { continuation in
            session.dataTask(with: url) { _, _, error in
                continuation.resume(returning: error)
            }.resume()
        }
        let nsError = try #require(error) as NSError
        #expect(nsError.domain == NSURLErrorDomain)
        #expect(nsError.code == NSURLErrorCannotConnectToHost)
        switch nsError.code {
        case NSURLErrorTimedOut, NSURLErrorCancelled: Issue.record("another")
        case NSURLErrorCannotConnectToHost: break
        default: Issue.record("another")
        }
        #expect(nsError.localizedDescription.hasPrefix("cannot connect"))
        #expect(error?.localizedDescription == nsError.localizedDescription)
    }

    @Test func describesTheFailure() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:1/a"))
        do {
            _ = try await session.data(from: url)
        } catch let error as URLError {
            #expect(error.failingURL == url)
            #expect(error.failureURLString == "http://127.0.0.1:1/a")
            #expect(error.errorCode == -1_004)
            #expect(URLError.errorDomain == NSURLErrorDomain)
            #expect(error.userInfo[NSURLErrorFailingURLErrorKey] as? URL == url)
            let same = URLError(error.code, userInfo: error.userInfo)
            #expect(same.localizedDescription == error.localizedDescription)
            #expect(same.failingURL == url)
        }
    }

    @Test func wrapsErrors() async throws {
        enum APIError: Error, LocalizedError {
            case transport(URLError)
            case status(Int)

            var errorDescription: String? {
                switch self {
                case .transport(let error): error.localizedDescription
                case .status(let code): HTTPURLResponse.localizedString(forStatusCode: code)
                }
            }
        }
        func load(_ url: URL) async throws -> Data {
            do {
                let (data, response) = try await session.data(from: url)
                let status = (response as? HTTPURLResponse)?.statusCode ?? 0
                guard 200..<300 ~= status else { throw APIError.status(status) }
                return data
            } catch let error as URLError {
                throw APIError.transport(error)
            }
        }
        do {
            _ = try await load(server.url("/missing"))
        } catch {
            #expect(error.localizedDescription.lowercased() == "not found")
        }
        do {
            _ = try await load(server.url("/cut"))
        } catch {
            #expect(error.localizedDescription.hasPrefix("connection lost"))
        }
    }

    @Test func mapsAResult() async throws {
        let url = try server.url("/cut")
        let result: Result<Data, any Error> = await withCheckedContinuation { continuation in
            session.dataTask(with: url) { data, _, error in
                continuation.resume(returning: error.map { .failure($0) } ?? .success(data!))
            }.resume()
        }
        guard case .failure(let error as URLError) = result else {
            Issue.record("it was cut")
            return
        }
        #expect(error.code == .networkConnectionLost)
        #expect(error == error && Set([error]).count == 1)
    }

    @Test func failsOnATLSError() async throws {
        let port = try Nginx.shared.selfSignedPort
        let url = try #require(URL(string: "https://127.0.0.1:\(port)/"))
        do {
            _ = try await session.data(from: url)
            Issue.record("it is trusted")
        } catch let error as URLError {
            let codes: [URLError.Code] = [
                .serverCertificateUntrusted, .serverCertificateHasUnknownRoot,
                .secureConnectionFailed,
            ]
            #expect(codes.contains(error.code))
            #expect(error.failureURLPeerTrust != nil)
        }
    }

    @Test func retriesByHand() async throws {
        func load(_ url: URL, retries: Int) async throws -> Data {
            for attempt in 0...retries {
                do {
                    return try await session.data(from: url).0
                } catch let error as URLError where error.code == .networkConnectionLost {
                    if attempt == retries { throw error }
                    try await Task.sleep(nanoseconds: 1_000_000)
                }
            }
            throw URLError(.unknown)
        }
        let url = try server.url("/cut")
        await #expect(throws: URLError.self) { try await load(url, retries: 2) }
        #expect(server.requests.count == 3)
    }
}
