import FoundationEssentials
import URLLoading

// Bodies to standard output, or whatever else can be written to as it comes.
extension RunDelegate {
    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        printer.event(.didReceiveResponse(dataTask, response))
        guard let run = run(dataTask) else { return completionHandler(.cancel) }
        if run.get(\.status) != nil {
            // One more part of a body of which the whole has been decided about.
            if let part = response as? HTTPURLResponse { showHead(part) }
            return completionHandler(.allow)
        }
        if let delivered = run.deliveredPart,
            let disposition = takeRest(of: delivered, response, dataTask, run)
        {
            return completionHandler(disposition)
        }
        switch weigh(response, dataTask, run) {
        case .deliver where run.becomesFile(response): completionHandler(.becomeDownload)
        case .deliver: take(response, dataTask, run, completionHandler)
        case .saveAsError:
            run.note(errorBody: answers.errorBody)
            completionHandler(.becomeDownload)
        case .drop:
            writeHeads(ofRefused: response, dataTask, run)
            completionHandler(begins(excerptOf: response, dataTask, run) ? .allow : .cancel)
        case .refuse, .fail: completionHandler(.cancel)
        }
    }

    private func take(
        _ response: URLResponse,
        _ dataTask: URLSessionDataTask,
        _ run: TaskRun,
        _ completionHandler: @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        do throws(URLError) {
            try run.openOutput(expecting: response.expectedContentLength)
            noteDelivery(of: response, dataTask, run)
            printer.receive(run, response)
            try writeHeads(response, dataTask, run)
            completionHandler(.allow)
        } catch {
            run.note(.file(error))
            completionHandler(.cancel)
        }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        printer.event(.didReceiveData(dataTask, data.count))
        guard let run = run(dataTask) else { return }
        guard run.get(\.failure) == nil else { return dataTask.cancel() }
        guard run.get(\.excerpt) == nil else { return add(data, toExcerptOf: run, dataTask) }
        write(data, dataTask, run)
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        willCacheResponse proposedResponse: CachedURLResponse,
        completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        printer.event(.willCacheResponse(dataTask, proposedResponse.response))
        completionHandler(proposedResponse)
    }
}

// Bodies that are written as they come.
extension RunDelegate {
    /// How much of a body is looked at, bytes, as by curl.
    private static let lookedAt: Int64 = 2_000
    private static let binaryWords =
        "the body is binary, and standard output is a terminal; -O FILE saves it, --force prints it"

    /// Whether a body is none that a terminal can show.
    private func isForbidden(_ data: Data, _ run: TaskRun) -> Bool {
        guard !answers.forcesTerminal, run.get(\.bytes) < Self.lookedAt,
            run.get(\.output).isTerminal
        else { return false }
        return data.prefix(Int(Self.lookedAt)).contains(0)
    }

    func write(_ data: Data, _ task: URLSessionTask, _ run: TaskRun) {
        let data = run.takeNew(data)
        guard !data.isEmpty else { return }
        if isForbidden(data, run) { return stop(task, run, .policy(Self.binaryWords)) }
        guard put(data, task, run) else { return }
        if let proof = run.get(\.proof), run.get(\.isCompared) { proof.take(data) }
        run.note(delivered: Int64(data.count))
        printer.received(run, run.get(\.bytes))
    }

    /// Writes a head, which is no part of the body that a later try could go on with.
    func write(head data: Data, _ task: URLSessionTask, _ run: TaskRun) {
        guard put(data, task, run) else { return }
        run.note(bytes: Int64(data.count))
    }

    /// Puts bytes where they belong, or ends the task.
    ///
    /// - Parameters:
    ///   - data: the bytes.
    ///   - task: where they come from.
    ///   - run: the task's.
    /// - Returns: whether that could be.
    private func put(_ data: Data, _ task: URLSessionTask, _ run: TaskRun) -> Bool {
        do {
            if let held = run.held {
                try held.append(data)
            } else if run.turn?.holds(data, of: task) != true {
                try data.withUnsafeBytes { try run.get(\.output).write($0) }
            }
            return true
        } catch is OutputClosed {
            stop(task, run, .outputClosed)
        } catch {
            stop(task, run, .file(error as? URLError ?? URLError(.cannotWriteToFile)))
        }
        return false
    }
}

// Bodies that were kept back, and whose turn has come.
extension RunDelegate {
    /// Writes a body that was kept back, now that it is whole and right; or lets it be written when its
    /// turn comes.
    func handOver(_ run: TaskRun) {
        let state = run.current
        guard let held = run.held, state.failure == nil, !state.isShort, state.skip == 0 else {
            return
        }
        held.complete()
        guard run.turn?.hasCome ?? true else { return }
        do {
            try held.write(to: state.output)
        } catch is OutputClosed {
            run.note(.outputClosed)
        } catch {
            run.note(.file(error as? URLError ?? URLError(.cannotWriteToFile)))
        }
    }

    /// Writes what a task has brought before its turn came.
    func takeTurn(_ run: TaskRun) {
        guard let turn = run.turn else { return }
        turn.come { held in
            do {
                try run.openAwaitedOutput()
                for data in held {
                    try data.withUnsafeBytes { try run.get(\.output).write($0) }
                }
                if let held = run.held, held.isWhole { try held.write(to: run.get(\.output)) }
            } catch is OutputClosed {
                run.note(.outputClosed)
            } catch {
                run.note(.file(error as? URLError ?? URLError(.cannotWriteToFile)))
            }
        }
    }
}
