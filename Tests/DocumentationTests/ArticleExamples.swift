import FoundationEssentials
import URLLoading

// Code that the library's articles quote word for word.

/// The text that a URL names.
func text(at source: URL) async throws -> String {
    let (data, response) = try await URLSession.shared.data(from: source)
    guard let http = response as? HTTPURLResponse, http.statusCode == 200 else {
        throw URLError(.badServerResponse, failingURL: source)
    }
    return String(decoding: data, as: UTF8.self)
}

/// The number of lines of a response, which is never in memory as a whole.
func countLines(at source: URL, in session: URLSession) async throws -> Int {
    let (bytes, _) = try await session.bytes(from: source)
    var count = 0
    for try await _ in bytes.lines { count += 1 }
    return count
}

/// A session whose tasks wait for a network, for ten minutes at most.
func waitingSession() -> URLSession {
    let configuration = URLSessionConfiguration.default
    configuration.waitsForConnectivity = true
    configuration.timeoutIntervalForRequest = 20
    configuration.timeoutIntervalForResource = 600
    return URLSession(configuration: configuration)
}
