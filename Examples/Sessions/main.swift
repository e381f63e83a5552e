// Shows the life of a session: its kind, its copy of the configuration, results by completion handler,
// and its end. Afterwards it has released its delegate, and accepts no more tasks.
// Run: swift run Sessions default|ephemeral URL…

import FoundationEssentials
import URLLoading

/// Reports that the session has become invalid, and that it has released this delegate.
final class Watcher: URLSessionDelegate {
    let lines: AsyncStream<String>.Continuation

    init(_ lines: AsyncStream<String>.Continuation) {
        self.lines = lines
    }

    deinit {
        lines.yield("the delegate is released")
        lines.finish()
    }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        lines.yield("the session is invalid, error: \(error.map { "\($0)" } ?? "none")")
    }
}

/// Loads a URL with a completion handler.
func load(_ url: URL, in session: URLSession) async {
    await withCheckedContinuation { done in
        let task = session.dataTask(with: url) { data, response, error in
            if let error = error as? URLError {
                print("error \(error.code.rawValue)")
            } else if let response = response as? HTTPURLResponse, let data {
                // A 404 is a response too, not an error.
                print("status \(response.statusCode)")
                print(String(decoding: data, as: UTF8.self), terminator: "")
            }
            done.resume()
        }
        task.resume()
    }
}

let urls = CommandLine.arguments.dropFirst(2).compactMap { URL(string: $0) }
let configuration: URLSessionConfiguration =
    CommandLine.arguments.dropFirst().first == "ephemeral" ? .ephemeral : .default
configuration.httpAdditionalHeaders = ["X-Test": "when it was made"]

let (lines, continuation) = AsyncStream<String>.makeStream()
let session = URLSession(
    configuration: configuration,
    delegate: Watcher(continuation),
    delegateQueue: nil
)
// This change has no effect, because the session has a copy of the configuration.
configuration.httpAdditionalHeaders = ["X-Test": "changed later"]

for url in urls {
    await load(url, in: session)
}
let cookies = session.configuration.httpCookieStorage?.cookies ?? []
print("cookies: \(cookies.map(\.name).sorted())")

session.finishTasksAndInvalidate()
for await line in lines {
    print(line)
}
if let url = urls.first {
    await load(url, in: session)
}
