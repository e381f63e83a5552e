// Shows a session that uses a proxy, and a delegate that supplies the proxy's password after a challenge
// (407). The session calls it for plain requests, and for the tunnel of a TLS connection.
// Run: PASSWORD=… swift run Proxy HOST PORT USER URL…

import FoundationEssentials
import Glibc
import URLLoading

final class ChallengeDelegate: URLSessionTaskDelegate {
    let credential: URLCredential

    init(credential: URLCredential) {
        self.credential = credential
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
        let space = challenge.protectionSpace
        guard space.isProxy() else { return completionHandler(.performDefaultHandling, nil) }
        print("the proxy wants a password for \"\(space.realm ?? "")\"")
        guard challenge.previousFailureCount == 0 else {
            return completionHandler(.cancelAuthenticationChallenge, nil)
        }
        completionHandler(.useCredential, credential)
    }
}

let arguments = CommandLine.arguments
guard arguments.count > 4, let port = Int(arguments[2]) else {
    print("usage: Proxy HOST PORT USER URL…")
    exit(2)
}
let configuration = URLSessionConfiguration.ephemeral
configuration.connectionProxyDictionary = [
    kCFNetworkProxiesHTTPEnable: 1,
    kCFNetworkProxiesHTTPProxy: arguments[1],
    kCFNetworkProxiesHTTPPort: port,
    kCFNetworkProxiesHTTPSEnable: 1,
    kCFNetworkProxiesHTTPSProxy: arguments[1],
    kCFNetworkProxiesHTTPSPort: port,
]
let password = ProcessInfo.processInfo.environment["PASSWORD"] ?? ""
let challengeDelegate = ChallengeDelegate(
    credential: URLCredential(user: arguments[3], password: password, persistence: .forSession)
)
let session = URLSession(
    configuration: configuration,
    delegate: challengeDelegate,
    delegateQueue: nil
)
for url in arguments.dropFirst(4).compactMap({ URL(string: $0) }) {
    do {
        let (data, response) = try await session.data(from: url)
        print("status \((response as? HTTPURLResponse)?.statusCode ?? 0), \(data.count) bytes")
    } catch let error as URLError {
        print("error \(error.code.rawValue)")
    }
}
session.finishTasksAndInvalidate()
