import FoundationEssentials
import URLLoading

// What tasks cost, and the heads of their answers.
extension RunDelegate {
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        printer.event(.didFinishCollecting(task, metrics))
        run(task)?.note(metrics)
        reports.har?.add(metrics, of: task)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didTrace trace: URLSessionTaskTrace
    ) {
        printer.trace(trace)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceiveHeads bytes: Data
    ) {
        do {
            try reports.write(heads: bytes)
        } catch {
            guard let run = run(task) else { return }
            if error is OutputClosed { return stop(task, run, .outputClosed) }
            stop(task, run, .file(error as? URLError ?? URLError(.cannotWriteToFile)))
        }
    }
}
