import URLLoading

/// A session's delegate that says how far its tasks are, whichever process carries them out.
protocol TaskReporter: URLSessionDownloadDelegate {
    var printer: Printer { get }

    /// What a task is shown as; `nil` where nothing is said of it but the call.
    func run(_ task: URLSessionTask) -> TaskRun?

    /// Bytes of a file have come, and are about to be counted.
    ///
    /// - Parameters:
    ///   - run: the task's.
    ///   - total: what there is of the file with them.
    ///   - expected: its length; −1 where it is not known.
    ///   - bytes: how many they are.
    func willCount(_ run: TaskRun, upTo total: Int64, of expected: Int64, new bytes: Int64)
}

extension TaskReporter {
    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
        printer.event(.taskIsWaiting(task))
        if let run = run(task) { printer.waitsForNetwork(run) }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        printer.event(
            .didSendBodyData(task, bytesSent, totalBytesSent, totalBytesExpectedToSend)
        )
        if let run = run(task) { printer.sent(run, totalBytesSent, of: totalBytesExpectedToSend) }
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    ) {
        printer.event(
            .didWriteData(
                downloadTask,
                bytesWritten,
                totalBytesWritten,
                totalBytesExpectedToWrite
            )
        )
        guard let run = run(downloadTask) else { return }
        willCount(run, upTo: totalBytesWritten, of: totalBytesExpectedToWrite, new: bytesWritten)
        run.change { $0.bytes += bytesWritten }
        printer.received(run, totalBytesWritten)
    }
}
