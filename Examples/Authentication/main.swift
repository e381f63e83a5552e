// Shows how a task's delegate supplies credentials for Basic and Digest. The delegate rejects all other
// methods, supplies a password once, and cancels if the server rejects it. The second request gets no
// challenge, because the session keeps the credential.
// Run: PASSWORD=… swift run Authentication URL USER basic|digest

import FoundationEssentials
import Glibc
import URLLoading

final class ChallengeDelegate: URLSessionTaskDelegate {
    let method: String
    let credential: URLCredential

    init(method: String, credential: URLCredential) {
        self.method = method
        self.credential = credential
    }

    /// For connections only: NTLM, Negotiate, client certificates, server trust.
    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (
                URLSession.AuthChallengeDisposition, URLCredential?
            ) -> Void
    ) {
        print("the session is asked")
        completionHandler(.performDefaultHandling, nil)
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
        let name =
            space.authenticationMethod == NSURLAuthenticationMethodHTTPDigest ? "digest" : "basic"
        print("\(name) for \"\(space.realm ?? "")\" at \(space.host):\(space.port)")
        if name != method {
            completionHandler(.rejectProtectionSpace, nil)
        } else if challenge.previousFailureCount == 0 {
            completionHandler(.useCredential, credential)
        } else {
            print("refused \(challenge.proposedCredential?.user ?? "nameless")")
            completionHandler(.cancelAuthenticationChallenge, nil)
        }
    }
}

let arguments = CommandLine.arguments
guard arguments.count == 4, let url = URL(string: arguments[1]) else {
    print("usage: Authentication URL USER basic|digest")
    exit(2)
}
let password = ProcessInfo.processInfo.environment["PASSWORD"] ?? ""
let challengeDelegate = ChallengeDelegate(
    method: arguments[3],
    credential: URLCredential(user: arguments[2], password: password, persistence: .forSession)
)
let session = URLSession(configuration: .ephemeral, delegate: challengeDelegate, delegateQueue: nil)
for _ in 1...2 {
    do {
        let (data, response) = try await session.data(from: url)
        print("status \((response as? HTTPURLResponse)?.statusCode ?? 0), \(data.count) bytes")
    } catch let error as URLError where error.code == .userCancelledAuthentication {
        print("given up")
    }
}
session.finishTasksAndInvalidate()
