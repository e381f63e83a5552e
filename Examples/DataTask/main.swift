// Shows a data task whose delegate decides by the response what happens to the body. It reads text
// piece by piece, cancels an error page, and turns everything else into a download.
// Run: swift run DataTask URL FILE

import FoundationEssentials
import Glibc
import URLLoading

final class Receiver: URLSessionDataDelegate, URLSessionDownloadDelegate {
    /// The destination of a body that is not text.
    let target: URL
    let (end, ended) = AsyncStream<Void>.makeStream()

    init(target: URL) {
        self.target = target
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        let type = response.mimeType ?? "no type"
        print("task \(dataTask.taskIdentifier) has a response: \(status), \(type)")
        if status >= 400 {
            completionHandler(.cancel)
        } else if type.hasPrefix("text/") {
            completionHandler(.allow)
        } else {
            completionHandler(.becomeDownload)
        }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        print(String(decoding: data, as: UTF8.self), terminator: "")
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didBecome downloadTask: URLSessionDownloadTask
    ) {
        print("task \(dataTask.taskIdentifier) becomes download \(downloadTask.taskIdentifier)")
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didFinishDownloadingTo location: URL
    ) {
        do {
            try FileManager.default.moveItem(at: location, to: target)
            print("saved \(downloadTask.countOfBytesReceived) bytes")
        } catch {
            print("cannot save: \(error)")
        }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        let code = (error as? URLError)?.code.rawValue ?? 0
        print("task \(task.taskIdentifier) is \(task.state), error \(code)")
    }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        ended.finish()
    }
}

let arguments = CommandLine.arguments
guard arguments.count == 3, let url = URL(string: arguments[1]) else {
    print("usage: DataTask URL FILE")
    exit(2)
}
let receiver = Receiver(target: URL(filePath: arguments[2]))
let session = URLSession(configuration: .ephemeral, delegate: receiver, delegateQueue: nil)
let task = session.dataTask(with: url)
print("task \(task.taskIdentifier) is \(task.state)")
task.resume()
session.finishTasksAndInvalidate()
for await _ in receiver.end {}
