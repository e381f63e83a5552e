import Synchronization
import URLLoading

// No network.
extension RunDelegate {
    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
        printer.event(.taskIsWaiting(task))
        guard let run = run(task) else { return }
        // What one task has no network for, the others have none for either.
        let isSaid = hasSaidWaiting.exchange(true, ordering: .relaxed)
        printer.waitsForNetwork(run, isSaid: isSaid)
    }
}
