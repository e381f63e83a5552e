import Foundation
import TestSupport
import Testing
import URLLoading

@Suite("Foundation snippets: sessions and requests", .timeLimit(.minutes(1)))
struct BasicSnippets {
    private let server: AppServer
    private let session = URLSession(configuration: appConfiguration())

    init() throws {
        server = try AppServer()
    }

    @Test func loadsData() async throws {
        let (data, response) = try await session.data(from: server.url("/users"))
        guard let http = response as? HTTPURLResponse, (200...299).contains(http.statusCode) else {
            throw URLError(.badServerResponse)
        }
        let user = try JSONDecoder().decode(User.self, from: data)
        #expect(user == User(id: 1, name: "Ada"))
    }

    @Test func loadsByTheSharedSession() async throws {
        let (data, _) = try await URLSession.shared.data(from: server.url("/text"))
        #expect(String(data: data, encoding: .utf8)?.hasPrefix("one") == true)
    }

    @Test func loadsWithACompletionHandler() async throws {
        let url = try server.url("/users")
        let name: String? = await withCheckedContinuation { continuation in
            let task = session.dataTask(with: url) { data, response, error in
                guard let data, error == nil,
                    let http = response as? HTTPURLResponse, http.statusCode == 200
                else { return continuation.resume(returning: nil) }
                let user = try? JSONDecoder().decode(User.self, from: data)
                continuation.resume(returning: user?.name)
            }
            task.resume()
        }
        #expect(name == "Ada")
    }

    @Test func wrapsATaskInAContinuation() async throws {
        let request = URLRequest(url: try server.url("/users"))
        let data: Data = try await withCheckedThrowingContinuation { continuation in
            session.dataTask(with: request) { data, _, error in
                if let error {
                    continuation.resume(throwing: error)
                } else {
                    continuation.resume(returning: data ?? Data())
                }
            }.resume()
        }
        #expect(!data.isEmpty)
    }

    @Test func postsJSON() async throws {
        var request = URLRequest(url: try server.url("/users"))
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = try JSONEncoder().encode(User(id: 2, name: "Grace"))
        let (data, response) = try await session.data(for: request)
        #expect((response as? HTTPURLResponse)?.statusCode == 201)
        #expect(try JSONDecoder().decode(User.self, from: data).name == "Grace")
    }

    @Test func postsAForm() async throws {
        var components = URLComponents()
        components.queryItems = [
            URLQueryItem(name: "q", value: "a b"), URLQueryItem(name: "page", value: "2"),
        ]
        var request = URLRequest(url: try server.url("/users"))
        request.httpMethod = "POST"
        request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        request.httpBody = components.percentEncodedQuery?.data(using: .utf8)
        let (data, _) = try await session.data(for: request)
        #expect(String(decoding: data, as: UTF8.self) == "q=a%20b&page=2")
    }

    @Test func deletes() async throws {
        var request = URLRequest(url: try server.url("/users/1"))
        request.httpMethod = "DELETE"
        let (data, response) = try await session.data(for: request)
        #expect(data.isEmpty)
        #expect((response as! HTTPURLResponse).statusCode == 204)
    }

    @Test func buildsAURLOfComponents() async throws {
        var components = try #require(
            URLComponents(url: server.url("/headers"), resolvingAgainstBaseURL: false)
        )
        components.queryItems = [URLQueryItem(name: "page", value: "2")]
        let (data, _) = try await session.data(from: try #require(components.url))
        #expect(String(decoding: data, as: UTF8.self).hasPrefix("GET /headers?page=2"))
    }

    @Test func setsHeaders() async throws {
        var request = URLRequest(url: try server.url("/headers"))
        request.addValue("Bearer token", forHTTPHeaderField: "Authorization")
        request.allHTTPHeaderFields?["X-Client"] = "app"
        request.setValue("de", forHTTPHeaderField: "Accept-Language")
        #expect(request.value(forHTTPHeaderField: "accept-language") == "de")
        let (data, _) = try await session.data(for: request)
        let text = String(decoding: data, as: UTF8.self)
        for line in ["Authorization: Bearer token", "X-Client: app", "Accept-Language: de"] {
            #expect(text.contains(line))
        }
    }

    @Test func setsCachePolicyAndTimeout() async throws {
        let request = URLRequest(
            url: try server.url("/users"),
            cachePolicy: .reloadIgnoringLocalCacheData,
            timeoutInterval: 10
        )
        #expect(request.timeoutInterval == 10)
        #expect(request.cachePolicy == .reloadIgnoringLocalCacheData)
        let (data, _) = try await session.data(for: request)
        #expect(!data.isEmpty)
    }

    @Test func readsTheResponse() async throws {
        let (data, response) = try await session.data(from: server.url("/users"))
        #expect(response.mimeType == "application/json")
        #expect(response.textEncodingName == "utf-8")
        #expect(response.expectedContentLength == Int64(data.count))
        #expect(response.url == (try server.url("/users")))
        let http = try #require(response as? HTTPURLResponse)
        #expect(http.value(forHTTPHeaderField: "content-type")?.hasPrefix("application/") == true)
        #expect(http.allHeaderFields["Content-Type"] != nil)
        let words = HTTPURLResponse.localizedString(forStatusCode: 404)
        #expect(words.lowercased() == "not found")
    }

    @Test func treatsAnErrorStatusAsAResponse() async throws {
        let (_, response) = try await session.data(from: server.url("/missing"))
        #expect((response as? HTTPURLResponse)?.statusCode == 404)
    }

    @Test func followsARedirect() async throws {
        let (_, response) = try await session.data(from: server.url("/redirect"))
        #expect(response.url?.path == "/users")
    }

    @Test func loadsManyAtOnce() async throws {
        let urls = try (0..<5).map { try server.url("/users?\($0)") }
        let sizes = try await withThrowingTaskGroup(of: Int.self) { group in
            for url in urls {
                group.addTask { [session] in try await session.data(from: url).0.count }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(sizes.count == 5)
    }

    @Test func loadsTwoConcurrently() async throws {
        async let first = session.data(from: server.url("/users"))
        async let second = session.data(from: server.url("/text"))
        let (one, two) = try await (first.0, second.0)
        #expect(one != two)
    }

    @Test func readsBytes() async throws {
        let (bytes, response) = try await session.bytes(from: server.url("/text"))
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        var count = 0
        for try await _ in bytes { count += 1 }
        #expect(count == 15)
    }

    @Test func readsLines() async throws {
        let (bytes, _) = try await session.bytes(from: server.url("/text"))
        var lines: [String] = []
        for try await line in bytes.lines { lines.append(line) }
        // Foundation leaves out empty lines, too.
        #expect(lines == ["one", "two", "three"])
    }

    @Test func readsCharacters() async throws {
        let (bytes, _) = try await session.bytes(for: URLRequest(url: server.url("/text")))
        var text = ""
        for try await character in bytes.characters { text.append(character) }
        #expect(text == "one\ntwo\r\n\nthree")
    }

    @Test func comparesRequests() throws {
        var one = URLRequest(url: try server.url("/users"))
        var other = one
        #expect(one == other)
        one.setValue("a", forHTTPHeaderField: "X-One")
        #expect(one != other)
        other.setValue("a", forHTTPHeaderField: "x-one")
        #expect(one == other)
        #expect(Set([one, other]).count == 1)
    }

    @Test func headsARequest() async throws {
        var request = URLRequest(url: try server.url("/users"))
        request.httpMethod = "HEAD"
        request.cachePolicy = .reloadIgnoringLocalAndRemoteCacheData
        request.httpShouldHandleCookies = false
        let (data, response) = try await session.data(for: request)
        #expect(data.isEmpty)
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
    }

    @Test func decodesGenerically() async throws {
        struct Endpoint<Body: Decodable> {
            var path: String
        }
        func load<Body: Decodable & Sendable>(_ endpoint: Endpoint<Body>) async throws -> Body {
            let (data, _) = try await session.data(from: server.url(endpoint.path))
            return try JSONDecoder().decode(Body.self, from: data)
        }
        let user = try await load(Endpoint<User>(path: "/users"))
        #expect(user.id == 1)
    }

    @Test func loadsALocalFile() async throws {
        let folder = try TemporaryFolder()
        let file = URL(fileURLWithPath: folder.path("a.txt"))
        try "local".write(to: file, atomically: true, encoding: .utf8)
        let (data, response) = try await session.data(from: file)
        #expect(String(data: data, encoding: .utf8) == "local")
        #expect(!(response is HTTPURLResponse))
    }

    @Test func loadsADataURL() async throws {
        let url = try #require(URL(string: "data:text/plain;base64,aGVsbG8="))
        let (data, response) = try await session.data(from: url)
        #expect(String(data: data, encoding: .utf8) == "hello")
        #expect(response.mimeType == "text/plain")
    }

    @Test func flushesAndResets() async throws {
        _ = try await session.data(from: server.url("/login"))
        #expect(session.configuration.httpCookieStorage?.cookies?.count == 2)
        await session.flush()
        await session.reset()
        #expect(session.configuration.httpCookieStorage?.cookies?.isEmpty == true)
        _ = try await session.data(from: server.url("/users"))
        // The client did not use the earlier connection.
        #expect(server.connectionCount == 2)
    }
}
