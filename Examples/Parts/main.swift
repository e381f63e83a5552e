// Shows a response in parts (multipart/x-mixed-replace), as cameras send their pictures. For each part
// the delegate gets a response, and then the part's bytes.
// Run: swift run Parts URL

import FoundationEssentials
import Glibc
import Synchronization
import URLLoading

final class Viewer: URLSessionDataDelegate {
    /// The received bytes of the current part, and the number of complete parts.
    private let part = Mutex(Data())
    private let count = Mutex(0)
    let (end, ended) = AsyncStream<Void>.makeStream()

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        show()
        print("response: \(response.mimeType ?? "no type")")
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        part.withLock { $0.append(data) }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        show()
        print("\(count.withLock { $0 }) parts, error \((error as? URLError)?.code.rawValue ?? 0)")
        ended.finish()
    }

    /// Prints the complete part, which the next one replaces.
    private func show() {
        let complete = part.withLock { part in
            defer { part = Data() }
            return part
        }
        guard !complete.isEmpty else { return }
        count.withLock { $0 += 1 }
        print("part: \(String(decoding: complete, as: UTF8.self))")
    }
}

guard let url = CommandLine.arguments.dropFirst().first.flatMap({ URL(string: $0) }) else {
    print("usage: Parts URL")
    exit(2)
}
let viewer = Viewer()
let session = URLSession(configuration: .ephemeral, delegate: viewer, delegateQueue: nil)
session.dataTask(with: url).resume()
session.finishTasksAndInvalidate()
for await _ in viewer.end {}
