import Dispatch
import FoundationEssentials
import Synchronization
import SystemPackage
import URLLoading

// Bodies that are saved as files.
extension RunDelegate {
    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (DownloadDestination?) -> Void
    ) {
        printer.event(.didReceiveResponse, downloadTask, ["response": .response(response)])
        guard let run = run(downloadTask) else { return completionHandler(nil) }
        // For a data task that became a download, the action was decided before.
        if run.get(\.attempt.download) == nil {
            switch take(response, downloadTask, run) {
            case .deliver, .saveAsError: break
            default: return completionHandler(nil)
            }
        }
        if let place = run.get(\.attempt.errorBody) {
            return completionHandler(destination(ofErrorAt: place, run))
        }
        let isContinuing = run.get(\.attempt.isContinuing)
        if (response as? HTTPURLResponse)?.statusCode == 204, !isContinuing {
            return completionHandler(nil)
        }
        do throws(URLError) {
            // The events name the part file.
            let isWhole = downloadTask.hasWholeBody && !isContinuing && !printer.reportsEvents
            guard let (file, path) = try place(of: response, isWhole: isWhole, run) else {
                return completionHandler(nil)
            }
            let part = PartFile.path(of: path)
            var isUnnamed = false
            let location = run.get(\.naming.part) ?? AbsolutePath.of(part)
            if run.get(\.naming.chosen) == nil {
                run.change { ($0.naming.chosen, $0.naming.part) = (path, location) }
                if !isContinuing {
                    try begin(run, part, response, continues: file.continues)
                    isUnnamed = run.get(\.naming.isUnnamed)
                    if isUnnamed { downloadTask.leaveUnnamed() }
                }
            } else if run.get(\.naming.isUnnamed) {
                // The first attempt needed no part file, and has examined none.
                _ = try FileDestination.checkExistingPart(part)
                run.change { $0.naming.isUnnamed = false }
            }
            if !isContinuing {
                printer.receive(run, response)
                if self.session.transport.contentDecoding == .automatic {
                    printer.coded(run, response)
                }
            }
            expect(run, of: downloadTask)
            completionHandler(
                .partFile(
                    URL(filePath: location),
                    permissions: file.old == nil ? 0o666 : 0o600,
                    keepsResumeData: !isUnnamed
                )
            )
        } catch {
            run.note(error)
            completionHandler(nil)
        }
    }

    func willCount(_ run: TaskRun, upTo total: Int64, of expected: Int64, new bytes: Int64) {
        // From here on, the existing part is overwritten.
        guard let note = run.change({ $0.naming.pendingNote.take() }) else { return }
        printer.note(note)
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didFinishDownloadingTo location: URL
    ) {
        printer.event(.didFinishDownloadingTo, downloadTask, ["location": .plain(location.path)])
        guard let run = run(downloadTask), let whole = downloadTask.finishedFile else { return }
        if let place = run.get(\.attempt.errorBody) { return saveError(whole, place, run) }
        let naming = run.get(\.naming)
        guard let file = naming.file, let path = naming.chosen else { return }
        do throws(URLError) {
            let finished = FinishedDownload(
                part: whole,
                destination: file,
                streams: streams,
                modified: self.session.keepsServerTime ? downloadTask.response?.lastModified : nil,
                validator: file.isTimestamped
                    ? run.plan.validator(of: downloadTask.response as? HTTPURLResponse) : nil
            )
            note(try finished.move(to: path), of: path, downloadTask, run)
        } catch {
            run.note(error)
        }
    }
}

// Data tasks that become downloads.
extension RunDelegate {
    /// Lets another task start while this task's complete file is synchronized.
    func freeSlot(of run: TaskRun, after task: URLSessionTask) {
        // Skipped if the next task may depend on this file's final name.
        guard run.isAmongMany, let file = run.plan.kind.file, file.ifExists != .keep,
            !file.continues, !file.isTimestamped, let slot = run.slot
        else { return }
        slot.begin()
        task.bodyCompletionHandler = { slot.synchronize() }
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didBecome downloadTask: URLSessionDownloadTask
    ) {
        let number = Int64(downloadTask.taskIdentifier)
        printer.event(.didBecomeDownload, dataTask, ["downloadTask": .number(number)])
        authenticator.ended(dataTask)
        guard let run = run(dataTask) else { return downloadTask.cancel() }
        run.change { $0.attempt.download = downloadTask }
        add(run, for: downloadTask)
        freeSlot(of: run, after: downloadTask)
        remove(dataTask)
        if run.get(\.attempt.errorBody) == nil { printer.begin(run) }
    }
}

// Continued files, and files over several connections.
extension RunDelegate {
    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    ) {
        printer.event(
            .didResumeAtOffset,
            downloadTask,
            ["fileOffset": .number(fileOffset), "expectedTotalBytes": .number(expectedTotalBytes)]
        )
        guard let run = run(downloadTask) else { return }
        printer.resume(run, at: fileOffset, of: expectedTotalBytes)
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didStartOver reason: DownloadStartOver
    ) {
        printer.event(.didStartOver, downloadTask, ["reason": .text("\(reason)")])
        guard let run = run(downloadTask) else { return }
        run.change { life in
            life.attempt.isContinuing = false
            life.fileSize = 0
            if case .digestMismatch = reason { life.startClean() }
        }
        printer.startOver(run, "\(reason)")
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didSplitInto streams: Int,
        limit: DownloadSplitLimit?
    ) {
        printer.event(
            .didSplitInto,
            downloadTask,
            ["streams": .integer(streams), "limit": limit.map { .text("\($0)") } ?? .none]
        )
        // A small file over one connection is not reported.
        guard streams == 1, let limit, limit != .tooSmall, let run = run(downloadTask) else {
            return
        }
        printer.note(run, "not split: \(Printable.text("\(limit)"))")
    }
}

// Bodies of errors, with `--error-body`.
extension RunDelegate {
    /// The destination during the download; `nil` if no file can be created there.
    func destination(ofErrorAt place: Destination, _ run: TaskRun) -> DownloadDestination? {
        // Bytes for a device are copied to it when the body is complete.
        guard case .file(let file) = place else { return .temporary }
        do throws(URLError) {
            try file.checkWay()
            try streams.check(file.path, isReplaced: true, source: run.plan.address.filePath)
            let part = FileDestination.partLocation(of: file.path)
            _ = try FileDestination.checkExistingPart(part)
            return .partFile(URL(filePath: part), permissions: file.old == nil ? 0o666 : 0o600)
        } catch {
            note(errorBody: error, run)
            return nil
        }
    }

    func saveError(_ body: FinishedFile, _ place: Destination, _ run: TaskRun) {
        do {
            switch place {
            case .file(let file):
                let finished = FinishedDownload(part: body, destination: file, streams: streams)
                _ = try finished.move(to: file.path)
            case .device(let path):
                // The file is opened now, because its path is removed after this call.
                let file = try FileDescriptor.open(
                    body.path,
                    .readOnly,
                    options: [.noFollow, .closeOnExec, .nonBlocking]
                )
                guard PartFile.isSame(body.path, body.file), PartFile.isSame(body.path, file) else {
                    try? file.close()
                    throw URLError(.cannotOpenFile, detail: "\(body.path) has been replaced")
                }
                run.errorBody.withLock { $0 = (file, path) }
            case .standardOutput, .automatic: break
            }
        } catch {
            note(errorBody: error, run)
        }
    }

    /// Writes the body of an error, if there is one, to a device or FIFO, and then ends the task.
    ///
    /// A reader that has closed the FIFO is not an error, because the task has its status anyway.
    func writesError(of run: TaskRun, endedBy task: URLSessionTask) -> Bool {
        guard let (file, path) = run.errorBody.withLock({ $0.take() }) else { return false }
        run.change { $0.attempt.isErrorWhole = true }
        errorBodies.async { [self] in
            do {
                defer { try? file.close() }
                try errorOutput(path).copy(file)
            } catch is OutputClosed {
                errorDevice.withLock { $0.take() }?.close()
            } catch {
                note(errorBody: error, run)
            }
            remove(task)
            run.end(nil)
        }
        return true
    }

    /// The device or FIFO of `--error-body`, opened once; its path is the same for all tasks of a run.
    private func errorOutput(_ path: String) throws(URLError) -> OutputDescriptor {
        if let known = errorDevice.withLock({ $0 }) { return known }
        let opened = try OutputDescriptor(opening: path)
        errorDevice.withLock { $0 = opened }
        return opened
    }

    private func note(errorBody error: any Error, _ run: TaskRun) {
        let error = error as? URLError ?? URLError(.cannotWriteToFile, detail: "\(error)")
        printer.warning("--error-body: \(Printable.text(error.detail))", isQuietToo: true)
        run.note(error)
    }
}

extension URLResponse {
    /// The time of Last-Modified, in seconds since 1970.
    var lastModified: Int64? {
        guard let http = self as? HTTPURLResponse else { return modified }
        return http.value(forHTTPHeaderField: "Last-Modified").flatMap { HTTPDate.seconds($0) }
            .map { Int64($0) }
    }
}
