import FoundationEssentials
import TestSupport
import Testing

@testable import URLLoading

@Suite("Delegates of a program's own protocol", .timeLimit(.minutes(1)))
struct URLProtocolDelegateTests {
    @Test("S-09 the session asks the delegate about a redirect, which may change the protocol")
    func redirects() async throws {
        let nginx = try Nginx.shared
        let target = try request(nginx.url("/files/hello.txt"))
        let script = ScriptedProtocol.Script("redirect") { load in
            guard let url = load.request.url,
                let response = HTTPURLResponse(
                    url: url,
                    statusCode: 302,
                    httpVersion: nil,
                    headerFields: [:]
                )
            else { return }
            var next = target
            next.setValue("secret", forHTTPHeaderField: "Authorization")
            load.redirect(next, response)
            load.load("ignored")
            load.finish()
        }
        let delegate = RecordingDelegate()
        let followed = try URLSession.scripted(delegate)
        defer { followed.finishTasksAndInvalidate() }
        let task = followed.dataTask(with: script.url)
        task.resume()
        #expect(await delegate.completion(of: task) == nil)
        #expect(delegate.calls(task).first == .redirect(302, to: "/files/hello.txt"))
        #expect(String(decoding: delegate.data(task), as: UTF8.self) == "Hello, world!\n")
        // A credential belongs to the origin for which the caller gave it.
        #expect(task.currentRequest?.value(forHTTPHeaderField: "Authorization") == nil)
        #expect(await eventually { script.stops == 1 })

        let refusing = RecordingDelegate(.init(redirect: { _ in nil }))
        let refused = try URLSession.scripted(refusing)
        defer { refused.finishTasksAndInvalidate() }
        let other = refused.dataTask(with: script.url)
        other.resume()
        #expect(await refusing.completion(of: other) == nil)
        #expect((other.response as? HTTPURLResponse)?.statusCode == 302)
        #expect(refusing.data(other).isEmpty)
    }

    @Test("S-09 a protocol's redirect leads to no local file")
    func localRedirects() async throws {
        let script = ScriptedProtocol.Script("local") { load in
            guard let url = URL(string: "file:///etc/passwd"), let own = load.request.url else {
                return
            }
            let response = URLResponse(
                url: own,
                mimeType: nil,
                expectedContentLength: -1,
                textEncodingName: nil
            )
            load.redirect(URLRequest(url: url), response)
        }
        let session = try URLSession.scripted()
        defer { session.finishTasksAndInvalidate() }
        let code = await errorCode { _ = try await session.data(from: script.url) }
        #expect(code == .unsupportedURL)
    }

    @Test("S-09 a protocol's challenge goes to the delegate, and its disposition to the sender")
    func challenges() async throws {
        final class Sender: URLAuthenticationChallengeSender {
            let report: @Sendable (String) -> Void
            init(_ report: @escaping @Sendable (String) -> Void) { self.report = report }
            func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {
                report("use \(credential.user ?? "")")
            }
            func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {
                report("without")
            }
            func cancel(_ challenge: URLAuthenticationChallenge) { report("cancel") }
        }
        final class Delegate: URLSessionDataDelegate {
            func urlSession(
                _ session: URLSession,
                task: URLSessionTask,
                didReceive challenge: URLAuthenticationChallenge,
                completionHandler:
                    @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) ->
                    Void
            ) {
                let credential = URLCredential(user: "me", password: "pw", persistence: .none)
                completionHandler(.useCredential, credential)
            }
        }
        let script = ScriptedProtocol.Script("challenge") { load in
            // Unchecked: the sender reports once, and no other code uses the protocol meanwhile.
            nonisolated(unsafe) let load = load
            let sender = Sender { words in
                load.respond()
                load.load(words)
                load.finish()
            }
            load.client?.urlProtocol(
                load,
                didReceive: URLAuthenticationChallenge(
                    protectionSpace: URLProtectionSpace(
                        host: "challenge",
                        port: 0,
                        protocol: "test",
                        realm: "r",
                        authenticationMethod: NSURLAuthenticationMethodHTTPBasic
                    ),
                    proposedCredential: nil,
                    previousFailureCount: 0,
                    failureResponse: nil,
                    error: nil,
                    sender: sender
                )
            )
        }
        let asked = try URLSession.scripted(Delegate())
        defer { asked.finishTasksAndInvalidate() }
        let (data, _) = try await asked.data(from: script.url)
        #expect(String(decoding: data, as: UTF8.self) == "use me")
        let plain = try URLSession.scripted()
        defer { plain.finishTasksAndInvalidate() }
        let (default_, _) = try await plain.data(from: script.url)
        #expect(String(decoding: default_, as: UTF8.self) == "without")
    }

    @Test("T-10 S-09 a protocol's response can become a download")
    func becomesDownload() async throws {
        let script = ScriptedProtocol.Script("becomes") { load in
            load.respond()
            load.load("hello")
            load.finish()
        }
        let delegate = BecomingDelegate()
        let session = try URLSession.scripted(delegate)
        defer { session.finishTasksAndInvalidate() }
        session.dataTask(with: script.url).resume()
        #expect(await delegate.hasCompleted())
        #expect(delegate.bytes == Array("hello".utf8))
    }
}
