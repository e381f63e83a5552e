import Dispatch
import FoundationEssentials

// Challenges and responses for the delegate of a task that a transfer process carries out.
extension URLSessionTask {
    /// Asks the delegate for a credential, as for other tasks.
    ///
    /// A stored credential is proposed by the same rule: never to a server that a redirect has chosen, if
    /// it would be sent in clear text.
    func ask(_ record: ChallengeRecord, completionHandler: @escaping ChallengeCompletion) {
        let space = record.space
        let ask: @Sendable (URLCredential?) -> Void = { [self] proposed in
            let challenge = URLAuthenticationChallenge(
                protectionSpace: space,
                proposedCredential: proposed,
                previousFailureCount: record.failures,
                failureResponse: nil,
                error: nil
            )
            locked.withLock { locked in
                self.ask(challenge, locked) { disposition, own in
                    if disposition == .performDefaultHandling, let proposed {
                        return completionHandler(.useCredential, proposed)
                    }
                    // A credential trusts a server only for the certificates of the challenge.
                    if let trust = space.serverTrust, disposition == .useCredential,
                        own?.trust != trust
                    {
                        return completionHandler(.performDefaultHandling, nil)
                    }
                    completionHandler(disposition, disposition == .useCredential ? own : nil)
                }
            }
        }
        guard let storage = session.settings.credentialStorage, record.failures == 0,
            record.wantsPassword,
            locked.withLock({ $0.lifecycle.authentication.maySendCredentials(in: space) })
        else { return ask(nil) }
        // The key store may block.
        storage.queue.async { ask(storage.defaultCredential(for: space)) }
    }
}

extension URLSessionDataTask {
    private static let pieceSize = 64 << 10

    /// Reports a response and its body, on the delegate queue.
    ///
    /// The request is over: another disposition than `allow` makes the task fail, without the body.
    func reportResponse(
        _ response: URLResponse?,
        _ file: BackgroundFile,
        _ event: URLSession.BackgroundEvent,
        _ delegate: any URLSessionDataDelegate
    ) {
        let finish: @Sendable (URLSession.ResponseDisposition) -> Void = { [self] disposition in
            session.queue.async { [self] in
                session.reporting(event) {
                    switch disposition {
                    case .allow: reportBody(file, delegate)
                    case .cancel: noteUnread(URLError(.cancelled))
                    case .becomeDownload:
                        let words = "the response to a background upload cannot become a download"
                        noteUnread(URLError(.resourceUnavailable, detail: words))
                    }
                }
            }
        }
        guard let response else { return finish(.allow) }
        let once = DelegateReply(or: .allow, finish)
        session.during(event) {
            delegate.urlSession(session, dataTask: self, didReceive: response) { disposition in
                once.give(disposition)
            }
        }
    }

    private func reportBody(_ file: BackgroundFile, _ delegate: any URLSessionDataDelegate) {
        do throws(URLError) {
            let body = try FileBodyStream(URL(filePath: file.path))
            var space = [UInt8](repeating: 0, count: Self.pieceSize)
            while case .bytes(let count) = try body.read(into: &space) {
                delegate.urlSession(session, dataTask: self, didReceive: Data(space[..<count]))
            }
        } catch {
            noteUnread(error)
        }
    }
}

extension FileBodyStream {
    fileprivate func read(into space: inout [UInt8]) throws(URLError) -> HTTPBodyStreamRead {
        let result = space.withUnsafeMutableBytes { bytes in
            Result { () throws(URLError) in try read(into: bytes) }
        }
        return try result.get()
    }
}
