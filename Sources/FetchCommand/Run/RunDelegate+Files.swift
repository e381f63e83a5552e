import FoundationEssentials
import URLLoading

// Bodies to files.
extension RunDelegate {
    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (DownloadDestination?) -> Void
    ) {
        printer.event(.didReceiveResponse(downloadTask, response))
        guard let run = run(downloadTask) else { return completionHandler(nil) }
        // What has become a download was weighed before.
        if run.get(\.download) == nil {
            switch weigh(response, downloadTask, run) {
            case .deliver: break
            case .saveAsError: run.note(errorBody: answers.errorBody)
            case .drop, .refuse, .fail: return completionHandler(nil)
            }
        }
        if let place = run.get(\.errorBody) {
            return completionHandler(destination(ofErrorAt: place, run))
        }
        if (response as? HTTPURLResponse)?.statusCode == 204, !run.get(\.isContinuing) {
            return completionHandler(nil)
        }
        do throws(URLError) {
            guard let (file, path) = try place(of: response, run) else {
                return completionHandler(nil)
            }
            let part = FileDestination.partPath(of: path)
            if run.get(\.chosenPath) == nil {
                run.note(chosenPath: path)
                if !run.get(\.isContinuing) {
                    try begin(run, part, response, continues: file.continues)
                }
            }
            if !run.get(\.isContinuing) {
                printer.receive(run, response)
                if self.session.transport.contentDecoding == .automatic {
                    printer.coded(run, response)
                }
            }
            expect(run, of: downloadTask)
            completionHandler(
                .partFile(
                    URL(filePath: AbsolutePath.of(part)),
                    permissions: file.old == nil ? 0o666 : 0o600,
                    keepsResumeData: true
                )
            )
        } catch {
            run.note(.file(error))
            completionHandler(nil)
        }
    }

    func willCount(_ run: TaskRun, upTo total: Int64, of expected: Int64, new bytes: Int64) {
        // Now it is certain that the part was ours to begin again.
        if let note = run.takePendingNote() { printer.note(note) }
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didFinishDownloadingTo location: URL
    ) {
        printer.event(.didFinishDownloading(downloadTask, location))
        guard let run = run(downloadTask), let whole = downloadTask.finishedFile else { return }
        if let place = run.get(\.errorBody) { return saveError(location, whole, place, run) }
        guard let file = run.get(\.file), let path = run.get(\.chosenPath) else { return }
        do throws(URLError) {
            let finished = FinishedDownload(
                part: location.path,
                file: whole,
                modified: self.session.keepsServerTime ? downloadTask.response?.lastModified : nil,
                validator: run.plan.validator(
                    of: downloadTask.response as? HTTPURLResponse,
                    for: file
                )
            )
            note(try finished.move(to: path, file), of: path, run)
        } catch {
            run.note(.file(error))
        }
    }
}
