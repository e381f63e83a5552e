import URLLoading

// Files of which there was a part.
extension RunDelegate {
    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    ) {
        printer.event(.didResumeAtOffset(downloadTask, fileOffset, expectedTotalBytes))
        guard let run = run(downloadTask) else { return }
        printer.resume(run, at: fileOffset, of: expectedTotalBytes)
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didStartOver reason: DownloadStartOver
    ) {
        printer.event(.didStartOver(downloadTask, reason))
        guard let run = run(downloadTask) else { return }
        run.note(isContinuing: false)
        if case .digestMismatch = reason { run.noteCleanStart() }
        printer.startOver(run, "\(reason)")
    }
}
