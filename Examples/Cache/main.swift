// Shows a cache of the program's own: the effect of each cache policy, the source of a response, and a
// delegate that stores only text.
// Run: swift run Cache FOLDER protocol|reload|revalidate|cache-else-load|cache-dont-load URL…

import FoundationEssentials
import Glibc
import URLLoading

final class Reader: URLSessionDataDelegate {
    let (end, ended) = AsyncStream<Void>.makeStream()

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        print(String(decoding: data, as: UTF8.self))
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        willCacheResponse proposedResponse: CachedURLResponse,
        completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        let isText = proposedResponse.response.mimeType?.hasPrefix("text/") == true
        print(isText ? "keep \(proposedResponse.data.count) bytes" : "keep nothing")
        completionHandler(isText ? proposedResponse : nil)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        for transaction in metrics.transactionMetrics {
            let isLocal = transaction.resourceFetchType == .localCache
            print("from the \(isLocal ? "cache" : "server")")
        }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        if let error = error as? URLError {
            print("error \(error.code.rawValue)")
        }
    }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        ended.finish()
    }
}

let policies: [String: URLRequest.CachePolicy] = [
    "protocol": .useProtocolCachePolicy,
    "reload": .reloadIgnoringLocalCacheData,
    "revalidate": .reloadRevalidatingCacheData,
    "cache-else-load": .returnCacheDataElseLoad,
    "cache-dont-load": .returnCacheDataDontLoad,
]
let arguments = CommandLine.arguments
guard arguments.count > 3, let policy = policies[arguments[2]] else {
    print("usage: Cache FOLDER protocol|reload|revalidate|cache-else-load|… URL…")
    exit(2)
}
let configuration = URLSessionConfiguration.default
configuration.requestCachePolicy = policy
configuration.urlCache = URLCache(
    memoryCapacity: 1_000_000,
    diskCapacity: 10_000_000,
    directory: URL(filePath: arguments[1])
)
let reader = Reader()
let session = URLSession(configuration: configuration, delegate: reader, delegateQueue: nil)
for url in arguments.dropFirst(3).compactMap({ URL(string: $0) }) {
    session.dataTask(with: url).resume()
}
session.finishTasksAndInvalidate()
for await _ in reader.end {}
