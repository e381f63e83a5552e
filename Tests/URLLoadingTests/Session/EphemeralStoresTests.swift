import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import URLLoading

@Suite("Ephemeral stores", .timeLimit(.minutes(1)))
struct EphemeralStoresTests {
    @Test("S-03 an ephemeral session's cookies are gone once the last session with them is invalid")
    func ephemeral() async throws {
        let server = try CookieServer(["a=1; Max-Age=1000"])
        let configuration = try URLSessionConfiguration.testing()
        let recorder = RecordingDelegate()
        let first = URLSession(configuration: configuration, delegate: recorder)
        let second = URLSession(configuration: configuration, delegate: recorder)
        _ = try await first.data(from: try url(server.socket.url("/")))
        let storage = try #require(configuration.httpCookieStorage)
        first.finishTasksAndInvalidate()
        #expect(await eventually { recorder.calls().contains(.invalid) })
        #expect(storage.names == ["a"])
        second.invalidateAndCancel()
        #expect(await eventually { storage.names == [] })
        // The caller's own storage keeps its cookies.
        let own = HTTPCookieStorage()
        configuration.httpCookieStorage = own
        let third = URLSession(configuration: configuration, delegate: recorder)
        _ = try await third.data(from: try url(server.socket.url("/")))
        third.invalidateAndCancel()
        #expect(await eventually { recorder.calls().count { $0 == .invalid } == 3 })
        #expect(own.names == ["a"])
    }

    @Test("S-03 an ephemeral session's cached responses and credentials are gone with it")
    func ephemeralStores() async throws {
        let server = try SocketServer { connection in
            while try connection.nextHead() != nil {
                try connection.respond("200 OK", ["Cache-Control: max-age=60"], body: "kept")
            }
        }
        let kept = URLSessionConfiguration.ephemeral
        kept.transport.proxy = .none
        let recorder = RecordingDelegate()
        let session = URLSession(configuration: kept, delegate: recorder)
        let space = URLProtectionSpace(
            host: "h",
            port: 80,
            protocol: "http",
            realm: "r",
            authenticationMethod: NSURLAuthenticationMethodHTTPBasic
        )
        let credentials = try #require(kept.urlCredentialStorage)
        credentials.setDefaultCredential(
            URLCredential(user: "u", password: "p", persistence: .permanent),
            for: space
        )
        let request = try request(server.url("/"))
        _ = try await session.data(for: request)
        #expect(kept.urlCache?.cachedResponse(for: request) != nil)
        session.finishTasksAndInvalidate()
        #expect(await eventually { recorder.calls().contains(.invalid) })
        #expect(await eventually { kept.urlCache?.cachedResponse(for: request) == nil })
        #expect(credentials.allCredentials.isEmpty)
        #expect(credentials.defaultCredential(for: space) == nil)
    }
}
