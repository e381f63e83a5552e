extension Printer {
    /// A file comes, or goes on, over one connection though more are allowed.
    func oneStream(_ run: TaskRun, _ why: String) {
        note("\(run.plan.address.redacted): in one stream: \(Printable.text(why))")
    }
}
