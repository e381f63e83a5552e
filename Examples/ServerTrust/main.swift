// Shows TLS with a program's own rules: a certificate authority in place of the system's, a client
// certificate, and a pinned key that is compared before anything is sent.
// Run: swift run ServerTrust URL [authority=FILE] [pin=sha256//…] [certificate=FILE key=FILE]

import FoundationEssentials
import Glibc
import URLLoading

final class Gatekeeper: URLSessionDelegate {
    let pin: String?
    let identity: URLCredential?

    init(pin: String?, identity: URLCredential?) {
        self.pin = pin
        self.identity = identity
    }

    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (
                URLSession.AuthChallengeDisposition, URLCredential?
            ) -> Void
    ) {
        switch challenge.protectionSpace.authenticationMethod {
        case NSURLAuthenticationMethodServerTrust:
            guard let trust = challenge.protectionSpace.serverTrust else {
                return completionHandler(.performDefaultHandling, nil)
            }
            print("\(trust.host) is \(trust.isTrusted ? "trusted" : "not trusted")")
            guard let pin else { return completionHandler(.performDefaultHandling, nil) }
            if trust.certificates.first?.publicKeyPin == pin {
                completionHandler(.useCredential, URLCredential(trust: trust))
            } else {
                print("the key is another one")
                completionHandler(.cancelAuthenticationChallenge, nil)
            }
        case NSURLAuthenticationMethodClientCertificate:
            print("a certificate is wanted")
            completionHandler(identity == nil ? .performDefaultHandling : .useCredential, identity)
        default:
            completionHandler(.performDefaultHandling, nil)
        }
    }
}

let arguments = CommandLine.arguments.dropFirst()
guard let url = arguments.first.flatMap({ URL(string: $0) }) else {
    print("usage: ServerTrust URL [authority=FILE] [pin=…] [certificate=FILE key=FILE]")
    exit(2)
}
let settings = arguments.dropFirst().reduce(into: [String: String]()) { settings, argument in
    let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
    settings[parts[0]] = parts.last
}
let configuration = URLSessionConfiguration.ephemeral
configuration.transport.trust.certificateAuthorityFile = settings["authority"]
let identity = settings["certificate"].map { file in
    URLCredential(
        identity: .init(file: file, keyFile: settings["key"]),
        persistence: .forSession
    )
}
let session = URLSession(
    configuration: configuration,
    delegate: Gatekeeper(pin: settings["pin"], identity: identity),
    delegateQueue: nil
)
do {
    let (data, response) = try await session.data(from: url)
    print("status \((response as? HTTPURLResponse)?.statusCode ?? 0), \(data.count) bytes")
} catch let error as URLError {
    print("error \(error.code.rawValue)")
}
session.finishTasksAndInvalidate()
