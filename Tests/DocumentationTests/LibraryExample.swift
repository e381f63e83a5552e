import FoundationEssentials
import URLLoading

/// Downloads a file, and says how large it is.
func download(_ source: URL, to target: URL) async throws -> Int64 {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 20
    let session = URLSession(configuration: configuration)
    defer { session.finishTasksAndInvalidate() }

    let (file, response) = try await session.download(from: source)
    guard let http = response as? HTTPURLResponse, http.statusCode == 200 else {
        try FileManager.default.removeItem(at: file)
        throw URLError(.badServerResponse, detail: "the file was not there")
    }
    try FileManager.default.moveItem(at: file, to: target)
    return http.expectedContentLength
}
