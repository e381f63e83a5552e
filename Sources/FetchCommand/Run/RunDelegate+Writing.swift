import FoundationEssentials
import URLLoading

// Bodies that are written as they come.
extension RunDelegate {
    func write(_ data: Data, _ task: URLSessionTask, _ run: TaskRun) {
        let data = run.takeNew(data)
        guard !data.isEmpty else { return }
        do {
            if run.turn?.holds(data, of: task) != true {
                try data.withUnsafeBytes { try run.current.output.write($0) }
            }
            if let proof = run.current.proof, run.current.isCompared { proof.take(data) }
            run.note(delivered: Int64(data.count))
            printer.received(run, run.current.bytes)
        } catch is OutputClosed {
            stop(task, run, .outputClosed)
        } catch {
            stop(task, run, .file(error as? URLError ?? URLError(.cannotWriteToFile)))
        }
    }
}

// Bodies whose turn has come.
extension RunDelegate {
    /// Writes what a task has brought before its turn came.
    func takeTurn(_ run: TaskRun) {
        guard let turn = run.turn else { return }
        turn.come { held in
            do {
                try run.openAwaitedOutput()
                for data in held {
                    try data.withUnsafeBytes { try run.current.output.write($0) }
                }
            } catch is OutputClosed {
                run.note(.outputClosed)
            } catch {
                run.note(.file(error as? URLError ?? URLError(.cannotWriteToFile)))
            }
        }
    }
}
