import Foundation
import TestSupport
import Testing
import URLLoading

@Suite("Foundation snippets: cookies, cache, credentials", .timeLimit(.minutes(1)))
struct StorageSnippets {
    private let server: AppServer
    private let configuration = appConfiguration()
    private let session: URLSession

    init() throws {
        server = try AppServer()
        session = URLSession(configuration: configuration)
    }

    @Test func sendsCookiesBack() async throws {
        _ = try await session.data(from: server.url("/login"))
        let (data, _) = try await session.data(from: server.url("/headers"))
        let text = String(decoding: data, as: UTF8.self)
        #expect(text.contains("Cookie: session=abc; theme=dark"))
    }

    @Test func readsCookiesOfTheStorage() async throws {
        let url = try server.url("/login")
        _ = try await session.data(from: url)
        let storage = session.configuration.httpCookieStorage
        let cookies = storage?.cookies(for: url) ?? []
        #expect(cookies.first { $0.name == "session" }?.value == "abc")
        #expect(cookies.allSatisfy { $0.isSessionOnly && !$0.isSecure && $0.path == "/" })
    }

    @Test func setsACookie() async throws {
        let cookie = try #require(
            HTTPCookie(properties: [
                .name: "flavour", .value: "oat", .domain: "127.0.0.1", .path: "/",
                .expires: Date(timeIntervalSinceNow: 3_600),
            ])
        )
        session.configuration.httpCookieStorage?.setCookie(cookie)
        let (data, _) = try await session.data(from: server.url("/headers"))
        #expect(String(decoding: data, as: UTF8.self).contains("Cookie: flavour=oat"))
    }

    @Test func deletesCookies() async throws {
        _ = try await session.data(from: server.url("/login"))
        let storage = try #require(session.configuration.httpCookieStorage)
        for cookie in storage.cookies ?? [] { storage.deleteCookie(cookie) }
        #expect(storage.cookies?.isEmpty == true)
        storage.removeCookies(since: .distantPast)
    }

    @Test func readsCookiesOfAResponse() async throws {
        let url = try server.url("/login")
        let (_, response) = try await session.data(from: url)
        let http = try #require(response as? HTTPURLResponse)
        let fields = http.allHeaderFields
        let cookies = HTTPCookie.cookies(withResponseHeaderFields: fields, for: url)
        #expect(cookies.map(\.name) == ["session", "theme"])
        let header = HTTPCookie.requestHeaderFields(with: cookies)
        #expect(header == ["Cookie": "session=abc; theme=dark"])
    }

    @Test func sendsOwnCookieHeader() async throws {
        var request = URLRequest(url: try server.url("/headers"))
        request.httpShouldHandleCookies = false
        request.setValue("own=1", forHTTPHeaderField: "Cookie")
        let (data, _) = try await session.data(for: request)
        #expect(String(decoding: data, as: UTF8.self).contains("Cookie: own=1"))
    }

    @Test func refusesCookies() async throws {
        let configuration = appConfiguration()
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpShouldSetCookies = false
        let session = URLSession(configuration: configuration)
        _ = try await session.data(from: server.url("/login"))
        #expect(session.configuration.httpCookieStorage?.cookies?.isEmpty == true)
    }

    @Test func loadsFromTheCache() async throws {
        let url = try server.url("/cached")
        let first = try await session.data(from: url).0
        let second = try await session.data(from: url).0
        #expect(first == second)
        #expect(server.requests.count == 1)
    }

    @Test func readsTheCache() async throws {
        let request = URLRequest(url: try server.url("/cached"))
        _ = try await session.data(for: request)
        let cache = try #require(session.configuration.urlCache)
        #expect(cache.cachedResponse(for: request)?.data.count == 21)
        cache.removeCachedResponse(for: request)
        #expect(cache.cachedResponse(for: request) == nil)
    }

    @Test func storesIntoTheCache() async throws {
        let url = try server.url("/cached?own")
        let response = try #require(
            HTTPURLResponse(
                url: url,
                statusCode: 200,
                httpVersion: "HTTP/1.1",
                headerFields: ["Cache-Control": "max-age=60"]
            )
        )
        let cached = CachedURLResponse(response: response, data: Data("own".utf8))
        let request = URLRequest(url: url)
        session.configuration.urlCache?.storeCachedResponse(cached, for: request)
        let (data, _) = try await session.data(for: request)
        #expect(data == Data("own".utf8))
        #expect(server.requests.isEmpty)
    }

    @Test func makesACacheOfItsOwn() async throws {
        let configuration = appConfiguration()
        configuration.urlCache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0)
        configuration.requestCachePolicy = .returnCacheDataElseLoad
        let session = URLSession(configuration: configuration)
        let url = try server.url("/cached")
        for _ in 0..<3 { _ = try await session.data(from: url) }
        #expect(server.requests.count == 1)
        configuration.urlCache?.removeAllCachedResponses()
        #expect(configuration.urlCache?.currentMemoryUsage == 0)
    }

    @Test func ignoresTheCache() async throws {
        let url = try server.url("/cached")
        _ = try await session.data(from: url)
        let request = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
        _ = try await session.data(for: request)
        #expect(server.requests.count == 2)
    }

    @Test func loadsFromTheCacheOnly() async throws {
        var request = URLRequest(url: try server.url("/cached"))
        request.cachePolicy = .returnCacheDataDontLoad
        let asked = request
        await #expect(throws: URLError.self) {
            _ = try await session.data(for: asked)
        }
        #expect(server.requests.isEmpty)
    }

    @Test func usesAStoredCredential() async throws {
        let url = try server.url("/private")
        let space = URLProtectionSpace(
            host: "127.0.0.1",
            port: try #require(url.port),
            protocol: NSURLProtectionSpaceHTTP,
            realm: "app",
            authenticationMethod: NSURLAuthenticationMethodHTTPBasic
        )
        let credential = URLCredential(user: "ada", password: "secret", persistence: .forSession)
        let storage = try #require(session.configuration.urlCredentialStorage)
        storage.setDefaultCredential(credential, for: space)
        let (data, _) = try await session.data(from: url)
        #expect(String(decoding: data, as: UTF8.self) == "welcome")
        #expect(storage.defaultCredential(for: space)?.user == "ada")
        #expect(storage.credentials(for: space)?.keys.first == "ada")
        storage.remove(credential, for: space)
        #expect(storage.allCredentials.isEmpty)
    }

    @Test func sendsBasicAuthorizationItself() async throws {
        var request = URLRequest(url: try server.url("/private"))
        let token = Data("ada:secret".utf8).base64EncodedString()
        request.setValue("Basic \(token)", forHTTPHeaderField: "Authorization")
        let (_, response) = try await session.data(for: request)
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
    }
}
