import URLLoading

// No network.
extension RunDelegate {
    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
        printer.event(.taskIsWaiting(task))
        if let run = run(task) { printer.waitsForNetwork(run) }
    }
}
