import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import URLLoading

/// The URL of a text that is one.
func url(_ text: String) throws -> URL {
    try #require(URL(string: text))
}

/// A GET of a text.
func request(_ text: String) throws -> URLRequest {
    URLRequest(url: try url(text))
}

extension URLSessionConfiguration {
    /// A configuration that trusts the test authority, ignores the machine's proxies, and uses the
    /// network for each request.
    static func testing() throws -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.transport.proxy = .none
        configuration.urlCache = nil
        configuration.transport.trust.certificateAuthorityFile = try Certificates.shared.authority
        return configuration
    }
}

extension URLSession {
    /// A session under the testing configuration, changed as the test likes.
    static func testing(
        _ delegate: (any URLSessionDelegate)? = nil,
        _ change: (URLSessionConfiguration) -> Void = { _ in }
    ) throws -> URLSession {
        let configuration = try URLSessionConfiguration.testing()
        change(configuration)
        return URLSession(configuration: configuration, delegate: delegate)
    }
}

/// The code of the URLError that a body throws; `nil` where it throws none.
func errorCode(_ body: () async throws -> Void) async -> URLError.Code? {
    do {
        try await body()
        return nil
    } catch {
        return (error as? URLError)?.code ?? .unknown
    }
}

/// A signal from a test to its server.
final class Flag: Sendable {
    private let state = Mutex(false)

    var isUp: Bool { state.withLock { $0 } }

    func raise() {
        state.withLock { $0 = true }
    }
}
