import Dispatch
import FoundationEssentials
import Synchronization

@testable import URLLoading

/// A protocol that a test scripts, by the host of its URL: `test://HOST/…`.
final class ScriptedProtocol: URLProtocol {
    /// The behavior of a load, and its record.
    final class Script: Sendable {
        private struct State {
            var starts = 0
            var stops = 0
            var request: URLRequest?
        }

        let host: String
        private let state = Mutex(State())
        fileprivate let load: @Sendable (ScriptedProtocol) -> Void

        /// Responds to everything for this host until the script is gone.
        init(_ host: String, _ load: @escaping @Sendable (ScriptedProtocol) -> Void) {
            self.host = host
            self.load = load
            ScriptedProtocol.scripts.withLock { $0[host] = Weak(script: self) }
        }

        var url: URL { URL(string: "test://\(host)/path") ?? URL(filePath: "/") }
        var starts: Int { state.withLock { $0.starts } }
        var stops: Int { state.withLock { $0.stops } }
        var request: URLRequest? { state.withLock { $0.request } }

        fileprivate func started(_ request: URLRequest) {
            state.withLock { state in
                state.starts += 1
                state.request = request
            }
        }

        fileprivate func stopped() { state.withLock { $0.stops += 1 } }
    }

    private struct Weak: Sendable {
        weak var script: Script?
    }

    private static let scripts = Mutex<[String: Weak]>([:])

    private static func script(_ request: URLRequest) -> Script? {
        guard let host = request.url?.host() else { return nil }
        return scripts.withLock { $0[host]?.script }
    }

    override class func canInit(with request: URLRequest) -> Bool {
        script(request) != nil && property(forKey: "passed", in: request) == nil
    }

    override func startLoading() {
        guard let script = Self.script(request) else { return }
        script.started(request)
        script.load(self)
    }

    override func stopLoading() { Self.script(request)?.stopped() }

    /// Responds with a response that is not HTTP's.
    func respond(length: Int = -1) {
        guard let url = request.url else { return }
        client?.urlProtocol(
            self,
            didReceive: URLResponse(
                url: url,
                mimeType: "text/plain",
                expectedContentLength: length,
                textEncodingName: nil
            ),
            cacheStoragePolicy: .notAllowed
        )
    }

    func load(_ text: String) { client?.urlProtocol(self, didLoad: Data(text.utf8)) }

    func finish() { client?.urlProtocolDidFinishLoading(self) }

    func fail(_ error: any Error) { client?.urlProtocol(self, didFailWithError: error) }

    func redirect(_ request: URLRequest, _ response: URLResponse) {
        client?.urlProtocol(self, wasRedirectedTo: request, redirectResponse: response)
    }
}

extension URLSession {
    /// A session whose tasks load through the test's own classes.
    static func scripted(
        _ delegate: (any URLSessionDelegate)? = nil,
        _ classes: [URLProtocol.Type] = [ScriptedProtocol.self]
    ) throws -> URLSession {
        try URLSession.testing(delegate) { $0.protocolClasses = classes }
    }
}
