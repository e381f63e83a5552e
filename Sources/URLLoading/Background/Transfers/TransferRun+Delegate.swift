import FoundationEssentials
import Synchronization

// Delegate calls of the ordinary session.
extension TransferRun: URLSessionDataDelegate, URLSessionDownloadDelegate {
    /// A response that is wanted and may have a body becomes a download.
    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        guard take(response) else { return completionHandler(.cancel) }
        completionHandler(response.expectedContentLength == 0 ? .allow : .becomeDownload)
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didBecome downloadTask: URLSessionDownloadTask
    ) { note(downloadTask) }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {}

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (DownloadDestination?) -> Void
    ) {
        guard take(response), mayWrite() else { return completionHandler(nil) }
        let status = (response as? HTTPURLResponse)?.statusCode ?? 200
        let isDownload = record.kind == .download && status < 400
        completionHandler(
            .partFile(
                URL(filePath: isDownload ? files.part : files.responseBody),
                permissions: 0o600,
                keepsResumeData: isDownload
            )
        )
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didFinishDownloadingTo location: URL
    ) {
        if keep(location.path, downloadTask.finishedFile?.file) { downloadTask.noteMoved() }
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    ) {
        note { progress in
            progress.received = totalBytesWritten
            progress.expectedToReceive = totalBytesExpectedToWrite
        }
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    ) {
        note { progress in
            progress.received = fileOffset
            progress.expectedToReceive = expectedTotalBytes
            // The program does not need to know that this process has continued its own part.
            if record.resumeData != nil { progress.resumedAt = fileOffset }
        }
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didStartOver reason: DownloadStartOver
    ) {
        if record.resumeData != nil { note { $0.startOver = reason.stored } }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        note { progress in
            progress.sent = totalBytesSent
            progress.expectedToSend = totalBytesExpectedToSend
        }
    }

    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
        let network = DiscretionaryConditions.Wait.network.rawValue
        let reply = BackgroundReply.waiting(task: record.identifier, reason: network)
        transfers?.post { $0.askServer { $0.attached?.send(reply) } }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        var asked = ChallengeRecord(challenge)
        if let (disposition, credential) = reply(to: challenge, asked) {
            return completionHandler(disposition, credential)
        }
        if asked.wantsPassword { asked.failures = credentials.failures(at: asked) }
        state.withLock { [asked] in $0.challenge = asked }
        completionHandler(.cancelAuthenticationChallenge, nil)
    }

    /// The known disposition of a challenge; `nil`: the program is to be asked.
    private func reply(
        to challenge: URLAuthenticationChallenge,
        _ asked: ChallengeRecord
    ) -> TransferCredentials.Reply? {
        guard !asked.wantsPassword else {
            return credentials.decision(
                challenge,
                record.identifier,
                firstURL: record.request.request?.url,
                netrcFile: settings?.background.netrcFile
            )
        }
        let isWanted: Bool =
            switch asked.method {
            case NSURLAuthenticationMethodServerTrust:
                settings?.transport.trust.verifiesServer == true
                    && (challenge.protectionSpace.serverTrust?.isTrusted == false
                        || settings?.background.asksAboutTrustedServers == true)
            case NSURLAuthenticationMethodClientCertificate: true
            // A background task cannot ask the user for a ticket.
            default: false
            }
        guard isWanted, settings?.background.asksAboutConnections == true else {
            return (.performDefaultHandling, nil)
        }
        return credentials.connection(asked)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didFinishCollecting metrics: URLSessionTaskMetrics
    ) { state.withLock { $0.metrics = metrics } }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        end(error.map { $0 as? URLError ?? URLError(.unknown, detail: "\($0)") })
    }
}
