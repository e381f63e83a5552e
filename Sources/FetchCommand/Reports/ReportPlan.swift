/// What is written of tasks besides their bodies and messages.
struct ReportPlan: Equatable, Sendable {
    /// What is printed after each task.
    let writeOut: WriteOutFormat?
    /// Where the record of all requests goes.
    let har: Destination?
    /// Where the heads of answers go: standard output, or a path.
    let heads: OutputName?
    /// Where the entity tag of what was fetched goes.
    let entityTag: Destination?

    /// Whether somebody has to find out what tasks cost.
    var needsMetrics: Bool { writeOut != nil || har != nil }

    /// Whether heads are wanted byte for byte.
    var needsHeads: Bool { heads != nil || har != nil }
}
