// Shows the three kinds of upload: from memory, from a file that is read while it is sent, and a
// stream. The session requests the stream again after a challenge or a redirect.
// Run: PASSWORD=… swift run Upload data|file|stream FILE URL USER

import FoundationEssentials
import Glibc
import URLLoading

final class Sender: URLSessionDataDelegate {
    let file: URL
    let credential: URLCredential
    let (end, ended) = AsyncStream<Void>.makeStream()

    init(file: URL, credential: URLCredential) {
        self.file = file
        self.credential = credential
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable ((any HTTPBodyStream)?) -> Void
    ) {
        print("a stream is wanted")
        completionHandler(try? FileBodyStream(file))
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (
                URLSession.AuthChallengeDisposition, URLCredential?
            ) -> Void
    ) {
        guard challenge.previousFailureCount == 0 else {
            return completionHandler(.cancelAuthenticationChallenge, nil)
        }
        print("a password is wanted")
        completionHandler(.useCredential, credential)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        print("sent \(totalBytesSent) of \(totalBytesExpectedToSend)")
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        let status = (task.response as? HTTPURLResponse)?.statusCode ?? 0
        print("status \(status), error \((error as? URLError)?.code.rawValue ?? 0)")
        ended.finish()
    }
}

let arguments = CommandLine.arguments
guard arguments.count == 5, let url = URL(string: arguments[3]) else {
    print("usage: Upload data|file|stream FILE URL USER")
    exit(2)
}
let file = URL(filePath: arguments[2])
let password = ProcessInfo.processInfo.environment["PASSWORD"] ?? ""
let sender = Sender(
    file: file,
    credential: URLCredential(user: arguments[4], password: password, persistence: .forSession)
)
let session = URLSession(configuration: .ephemeral, delegate: sender, delegateQueue: nil)
var request = URLRequest(url: url)
request.httpMethod = "PUT"
let task =
    switch arguments[1] {
    case "data": session.uploadTask(with: request, from: try Data(contentsOf: file))
    case "file": session.uploadTask(with: request, fromFile: file)
    default: session.uploadTask(withStreamedRequest: request)
    }
task.resume()
session.finishTasksAndInvalidate()
for await _ in sender.end {}
