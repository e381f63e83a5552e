import FoundationEssentials
import SystemPackage
import URLLoading

// Answers, before anything is done with their bodies.
extension RunDelegate {
    /// Says what becomes of an answer's body, and notes what the answer comes to.
    func weigh(_ response: URLResponse, _ task: URLSessionTask, _ run: TaskRun) -> AnswerUse {
        let use: AnswerUse
        if let http = response as? HTTPURLResponse {
            authenticator.judged(http.statusCode, of: task, run)
            let isContinuing = run.get(\.isContinuing)
            run.note(status: status(of: http, isContinuing: isContinuing))
            run.note(isMultiplexed: http.httpVersion == "HTTP/2")
            let tag = http.headerFields.first("ETag")
            // A part may leave it out.
            if tag != nil || !isContinuing { run.change { $0.entityTag = tag } }
            run.note(offersBearer: AuthenticationAttempts.offersBearer(http))
            printer.fromCache(run, http)
            showHead(http)
            if let status = run.get(\.status), status >= 400,
                run.isTriedAgain(after: http, task, maxTime: session.maxTime)
            {
                return .drop
            }
            let isHead = if case .head = run.plan.kind { true } else { false }
            use = AnswerUse(
                of: http,
                by: answers,
                isHead: isHead,
                showsErrorHead: showsErrorHead(run),
                isContinuing: isContinuing
            )
        } else {
            use = AnswerUse(of: response, by: answers)
        }
        switch use {
        case .refuse(let words): run.note(.policy(words))
        case .fail(let error): run.note(.answer(error))
        case .deliver, .saveAsError, .drop: break
        }
        return use
    }

    /// The status as it counts: that of a success where the command line, or a part that is whole
    /// already, makes it one.
    private func status(of response: HTTPURLResponse, isContinuing: Bool) -> Int {
        let status = response.statusCode
        if isContinuing { return status == 416 ? 206 : status }
        return status >= 400 && answers.acceptedStatuses.contains(status) ? 200 : status
    }
}

// Data tasks that become downloads.
extension RunDelegate {
    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didBecome downloadTask: URLSessionDownloadTask
    ) {
        printer.event(.didBecomeDownload(dataTask, downloadTask))
        authenticator.ended(dataTask)
        guard let run = run(dataTask) else { return downloadTask.cancel() }
        run.note(download: downloadTask)
        add(run, for: downloadTask)
        remove(dataTask)
        if run.get(\.errorBody) == nil { printer.begin(run) }
    }
}

// Bodies of errors, which `--error-body` has put elsewhere.
extension RunDelegate {
    /// Where the body goes while it comes; nil where that cannot be.
    func destination(ofErrorAt place: Destination, _ run: TaskRun) -> DownloadDestination? {
        // To what is no file it is copied when it is whole.
        guard case .file(let file) = place else { return .temporary }
        do throws(URLError) {
            try streams.check(file.path, isReplaced: true, source: run.plan.address.filePath)
            let part = FileDestination.partLocation(of: file.path)
            _ = try FileDestination.checkLeftover(part)
            return .partFile(
                URL(filePath: part),
                permissions: file.old == nil ? 0o666 : 0o600
            )
        } catch {
            printer.warning("--error-body: \(Printable.text(error.detail))", isQuietToo: true)
            run.note(.file(error))
            return nil
        }
    }

    func saveError(
        _ location: URL,
        _ body: FileDescriptor,
        _ place: Destination,
        _ run: TaskRun
    ) {
        do {
            switch place {
            case .file(let file):
                let finished = FinishedDownload(part: location.path, file: body, modified: nil)
                _ = try finished.move(to: file.path, file)
            case .device(let path):
                try OutputDescriptor(opening: path).copy(fileAt: location.path)
            case .standardOutput, .automatic: break
            }
        } catch is OutputClosed {
            // Who does not want to read it has the status all the same.
        } catch {
            let error = error as? URLError ?? URLError(.cannotWriteToFile)
            printer.warning("--error-body: \(Printable.text(error.detail))", isQuietToo: true)
            run.note(.file(error))
        }
    }
}

extension URLResponse {
    /// When what was fetched was last changed, seconds since 1970.
    var lastModified: Int64? {
        guard let http = self as? HTTPURLResponse else { return modified }
        return http.value(forHTTPHeaderField: "Last-Modified").flatMap { HTTPDate.seconds($0) }
            .map { Int64($0) }
    }
}
