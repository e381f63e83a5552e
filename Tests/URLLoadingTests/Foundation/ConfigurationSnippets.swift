import Foundation
import Synchronization
import TestSupport
import Testing
import URLLoading

@Suite("Foundation snippets: configurations", .timeLimit(.minutes(1)))
struct ConfigurationSnippets {
    private let server: AppServer

    init() throws {
        server = try AppServer()
    }

    @Test func addsHeadersToEachRequest() async throws {
        let configuration = appConfiguration()
        configuration.httpAdditionalHeaders = [
            "Authorization": "Bearer token", "User-Agent": "App/1.0",
        ]
        let session = URLSession(configuration: configuration)
        let (data, _) = try await session.data(from: server.url("/headers"))
        let text = String(decoding: data, as: UTF8.self)
        #expect(text.contains("Authorization: Bearer token"))
        #expect(text.contains("User-Agent: App/1.0"))
    }

    @Test func setsTimeouts() async throws {
        let configuration = appConfiguration()
        configuration.timeoutIntervalForRequest = 0.2
        configuration.timeoutIntervalForResource = 60
        let session = URLSession(configuration: configuration)
        let url = try server.url("/hang")
        do {
            _ = try await session.data(from: url)
            Issue.record("there was a response")
        } catch URLError.timedOut {
            #expect(server.requests.count == 1)
        }
    }

    @Test func setsATimeoutForOneRequest() async throws {
        let session = URLSession(configuration: appConfiguration())
        var request = URLRequest(url: try server.url("/hang"))
        request.timeoutInterval = 0.2
        do {
            _ = try await session.data(for: request)
            Issue.record("there was a response")
        } catch let error as URLError {
            #expect(error.code == .timedOut)
        }
    }

    @Test func setsLimitsOfConnections() {
        let configuration = URLSessionConfiguration.default
        configuration.httpMaximumConnectionsPerHost = 2
        configuration.waitsForConnectivity = true
        configuration.tlsMinimumSupportedProtocolVersion = .TLSv12
        configuration.tlsMaximumSupportedProtocolVersion = .TLSv13
        configuration.connectionProxyDictionary = [:]
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.urlCredentialStorage = nil
        #expect(configuration.httpMaximumConnectionsPerHost == 2)
        #expect(configuration.waitsForConnectivity)
    }

    @Test func copiesAConfiguration() throws {
        let configuration = appConfiguration()
        let copy = configuration.copy()
        copy.timeoutIntervalForRequest = 5
        #expect(configuration.timeoutIntervalForRequest == 60)
        let session = URLSession(configuration: configuration)
        configuration.timeoutIntervalForRequest = 7
        #expect(session.configuration.timeoutIntervalForRequest == 60)
    }

    @Test func sharesAConfigurationAmongTasks() async {
        let configuration = appConfiguration()
        await withTaskGroup(of: Void.self) { group in
            for number in 1...20 {
                group.addTask {
                    configuration.timeoutIntervalForRequest = Double(number)
                    configuration.httpAdditionalHeaders = ["X-Number": "\(number)"]
                }
            }
        }
        #expect((1...20).contains(configuration.timeoutIntervalForRequest))
        #expect(configuration.httpAdditionalHeaders?.count == 1)
    }

    @Test func keepsAConfigurationInASendableType() async throws {
        struct Client: Sendable {
            let configuration: URLSessionConfiguration
            let session: URLSession

            init(configuration: URLSessionConfiguration = .ephemeral) {
                self.configuration = configuration
                session = URLSession(configuration: configuration)
            }
        }
        actor Service {
            let client: Client

            init(_ client: Client) {
                self.client = client
            }

            func load(_ url: URL) async throws -> Int {
                try await client.session.data(from: url).0.count
            }
        }
        let service = Service(Client(configuration: appConfiguration()))
        #expect(try await service.load(server.url("/users")) == 21)
    }

    @Test func asksForASessionPerUse() async throws {
        for configuration in [URLSessionConfiguration.ephemeral, appConfiguration()] {
            configuration.httpShouldSetCookies = true
            configuration.httpCookieAcceptPolicy = .always
            let session = URLSession(configuration: configuration)
            defer { session.finishTasksAndInvalidate() }
            let (_, response) = try await session.data(from: server.url("/users"))
            #expect(response.expectedContentLength == 21)
        }
    }

    @Test func usesALazySession() async throws {
        final class Client: Sendable {
            let session: URLSession

            init(timeout: TimeInterval) {
                let configuration = appConfiguration()
                configuration.timeoutIntervalForRequest = timeout
                session = URLSession(configuration: configuration)
            }

            deinit {
                session.invalidateAndCancel()
            }

            func ping(_ url: URL) async -> Bool {
                (try? await session.data(from: url)) != nil
            }
        }
        #expect(await Client(timeout: 30).ping(try server.url("/users")))
    }

    @Test func namesASession() {
        let session = URLSession(configuration: .default, delegate: nil, delegateQueue: nil)
        session.sessionDescription = "images"
        #expect(session.sessionDescription == "images")
        #expect(session.delegate == nil)
        session.invalidateAndCancel()
    }

    @Test func namesABackgroundSession() {
        let configuration = URLSessionConfiguration.background(withIdentifier: "app.sync")
        #expect(configuration.identifier == "app.sync")
        configuration.isDiscretionary = true
        #expect(configuration.isDiscretionary)
    }

    @Test func waitsForTasksBeforeItEnds() async throws {
        let session = URLSession(configuration: appConfiguration())
        let task = session.dataTask(with: try server.url("/users"))
        task.resume()
        session.finishTasksAndInvalidate()
        #expect(await eventually { task.state == .completed })
        #expect(task.error == nil)
    }

    @Test func refusesTasksAfterItsEnd() async throws {
        let session = URLSession(configuration: appConfiguration())
        session.invalidateAndCancel()
        await #expect(throws: URLError.self) {
            _ = try await session.data(from: server.url("/users"))
        }
    }
}
