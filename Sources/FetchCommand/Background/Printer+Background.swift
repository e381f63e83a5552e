// What is said of tasks that another process has carried out.
extension Printer {
    /// A task has ended, some time ago perhaps, and all is well.
    func ended(_ run: TaskRun, _ received: Int64) {
        progress.end(run.progress)
        guard isWatched else { return }
        let place = run.get(\.naming.saved).map { " -> " + Printable.text($0) } ?? ""
        let sent = run.progress.reading.sent
        let bytes = received > 0 ? received : sent
        let figures = bytes > 0 ? ": \(received > 0 ? "" : "sent ")\(ByteText.size(bytes))" : ""
        line("\(run.plan.address.redacted)\(place)\(figures)")
    }
}
