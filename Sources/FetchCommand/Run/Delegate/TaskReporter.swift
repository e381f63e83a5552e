import URLLoading

/// A session's delegate that reports its tasks' progress, whichever process performs them.
protocol TaskReporter: URLSessionDownloadDelegate {
    var printer: Printer { get }

    /// The command's task for a session's task; `nil` if only delegate calls are reported.
    func run(_ task: URLSessionTask) -> TaskRun?

    /// Called before received bytes are counted; `total` includes them; −1 is an unknown length.
    func willCount(_ run: TaskRun, upTo total: Int64, of expected: Int64, new bytes: Int64)
}

extension TaskReporter {
    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
        printer.event(.taskIsWaitingForConnectivity, task)
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
            .didSendBodyData,
            task,
            [
                "bytesSent": .amount(bytesSent), "totalBytesSent": .number(totalBytesSent),
                "totalBytesExpectedToSend": .number(totalBytesExpectedToSend),
            ]
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
            .didWriteData,
            downloadTask,
            [
                "bytesWritten": .amount(bytesWritten),
                "totalBytesWritten": .number(totalBytesWritten),
                "totalBytesExpectedToWrite": .number(totalBytesExpectedToWrite),
            ]
        )
        guard let run = run(downloadTask) else { return }
        willCount(run, upTo: totalBytesWritten, of: totalBytesExpectedToWrite, new: bytesWritten)
        run.change { life in
            life.bytes = life.bytes.adding(clamping: bytesWritten)
            life.fileSize = totalBytesWritten
        }
        printer.received(run, totalBytesWritten)
    }
}
