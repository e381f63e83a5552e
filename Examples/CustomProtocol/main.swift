// Shows a scheme of the program's own, which only this session supports. The rest of the program loads
// greeting:NAME like any other URL. The library itself supports data: and file: URLs.
// Run: swift run CustomProtocol URL…

import FoundationEssentials
import URLLoading

final class Greeting: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool {
        request.url?.scheme == "greeting"
    }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        guard let url = request.url,
            let name = url.absoluteString.split(separator: ":", maxSplits: 1).last,
            let response = HTTPURLResponse(
                url: url,
                statusCode: 200,
                httpVersion: "HTTP/1.1",
                headerFields: ["Content-Type": "text/plain; charset=utf-8"]
            )
        else {
            client?.urlProtocol(self, didFailWithError: URLError(.badURL))
            return
        }
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: Data("Hello, \(name)!".utf8))
        client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() {}
}

let configuration = URLSessionConfiguration.ephemeral
configuration.protocolClasses = [Greeting.self]
let sessions = [URLSession(configuration: configuration), URLSession(configuration: .ephemeral)]
for url in CommandLine.arguments.dropFirst().compactMap({ URL(string: $0) }) {
    for (session, name) in zip(sessions, ["with", "without"]) {
        do {
            let (data, response) = try await session.data(from: url)
            let text = String(decoding: data, as: UTF8.self)
            print("\(name): \(response.mimeType ?? "no type"), \(text)")
        } catch let error as URLError {
            print("\(name): error \(error.code.rawValue)")
        }
    }
}
for session in sessions {
    session.finishTasksAndInvalidate()
}
