import Dispatch
import FoundationEssentials
import Synchronization

// The end of a task: its last events, on the delegate queue.
extension URLSessionTask {
    func complete(
        _ error: URLError?,
        _ end: HopEnd,
        _ partialFile: TaskLifecycle.PartialFile,
        _ locked: inout Locked
    ) {
        let url = locked.lifecycle.currentRequest.url
        var error = error
        if error?.failingURL == nil { error?.failingURL = url }
        locked.error = error
        locked.observers?.change(isEnd: true)
        locked.watch = nil
        // Released after the block below: the release of a handler may run the caller's code.
        let conclusion = Conclusion(of: self, end, locked)
        locked.output = .delegates
        locked.delegate = nil
        locked.resumeDataHandlers = []
        let bodyCompletionHandler = locked.bodyCompletionHandler.take()
        session.queue.async { [self, error] in
            guard let download = conclusion.end.download else {
                return report(conclusion, settle(error, nil, partialFile))
            }
            let goesToDisk = error == nil && session.files.isNeeded(for: download)
            if error == nil, !goesToDisk, !download.isSaving {
                return report(conclusion, settle(nil, download, partialFile))
            }
            guard goesToDisk else {
                return session.mayWait {
                    self.settle(error, download, partialFile)
                } then: { error in
                    self.report(conclusion, error)
                }
            }
            if session.files.isGrouped { bodyCompletionHandler?() }
            session.files.add(download) { [self] failure in
                var error = failure
                if error != nil {
                    error?.failingURL = url
                    download.dropUnconfirmedBytes()
                    error = settle(error, download, .partial(nil))
                }
                session.queue.async { [self, error] in report(conclusion, error) }
            }
        }
    }

    /// Calls the delegate for the last time, on its queue, after a failed download was settled.
    private func report(_ conclusion: Conclusion, _ error: URLError?) {
        session.reporting(conclusion.end.event) { conclude(conclusion, error) }
        session.taskEnded(self)
    }

    /// The end and its receivers; a class, because several functions pass it on.
    private final class Conclusion: Sendable {
        let end: HopEnd
        let response: URLResponse?
        let output: TaskOutput
        let delegate: (any URLSessionTaskDelegate)?
        /// Receives a body in one piece; `nil` if the task has delivered the body in pieces.
        let dataDelegate: (any URLSessionDataDelegate)?
        let downloadDelegate: (any URLSessionDownloadDelegate)?
        let metrics: URLSessionTaskMetrics?
        let resumeDataHandlers: [@Sendable (Data?) -> Void]

        init(of task: URLSessionTask, _ end: consuming HopEnd, _ locked: borrowing Locked) {
            self.end = end
            response = locked.response
            output = locked.output
            delegate = task.effectiveDelegate(locked)
            dataDelegate =
                locked.prefersIncrementalDelivery ? nil : task.effectiveDataDelegate(locked)
            downloadDelegate = task.effectiveDownloadDelegate(locked)
            metrics = task.metrics(locked)
            resumeDataHandlers = locked.resumeDataHandlers
        }
    }

    /// Closes, keeps or removes the file of a download, and returns the error with the resume data.
    ///
    /// May wait for the disk.
    private func settle(
        _ error: URLError?,
        _ download: Download?,
        _ partialFile: TaskLifecycle.PartialFile
    ) -> URLError? {
        download?.waitForSaves()
        guard var error else {
            download?.file.removeAttribute()
            return nil
        }
        switch partialFile {
        case .nothing: download?.close(keeping: false)
        case .partial(let before):
            let written = download?.closeKeepingFile()
            download?.close(keeping: false)
            let data = download == nil ? before : written
            error.downloadTaskResumeData = data?.validator == nil ? nil : data?.encoded
        }
        locked.withLock { $0.error = error }
        return error
    }

    private func conclude(_ conclusion: Conclusion, _ error: URLError?) {
        let hasFailed = error != nil
        let download = hasFailed ? nil : conclusion.end.download
        let location = download?.file.location
        for handler in conclusion.resumeDataHandlers { handler(error?.downloadTaskResumeData) }
        switch conclusion.output {
        case .data(let handler):
            reportMetrics(conclusion)
            let data = hasFailed ? nil : conclusion.end.collected ?? Data()
            handler(data, conclusion.response, error)
        case .download(let handler):
            reportMetrics(conclusion)
            handler(location, conclusion.response, error)
            release(download)
        case .bytes(let channel):
            reportMetrics(conclusion)
            channel.finish(error)
        case .delegates:
            if let location, let task = self as? URLSessionDownloadTask {
                locked.withLock { $0.finishedFile = download?.file }
                conclusion.downloadDelegate?.urlSession(
                    session,
                    downloadTask: task,
                    didFinishDownloadingTo: location
                )
                locked.withLock { $0.finishedFile = nil }
            }
            release(download)
            if !hasFailed, let data = conclusion.end.collected, !data.isEmpty,
                let task = self as? URLSessionDataTask
            {
                conclusion.dataDelegate?.urlSession(session, dataTask: task, didReceive: data)
            }
            reportMetrics(conclusion)
            conclusion.delegate?.urlSession(session, task: self, didCompleteWithError: error)
        }
    }

    private func reportMetrics(_ conclusion: Conclusion) {
        guard let metrics = conclusion.metrics else { return }
        conclusion.delegate?.urlSession(session, task: self, didFinishCollecting: metrics)
    }

    /// Closes a complete file, and removes it unless the caller has moved it.
    ///
    /// With resume data beside the file, the task keeps a file that the caller could not move.
    private func release(_ download: Download?) {
        guard let download else { return }
        let isInPlace = download.file.isInPlace
        if isInPlace, download.isKeptOnDisk { _ = download.closeKeepingFile() }
        download.close(keeping: false, isMoved: !isInPlace)
    }
}
