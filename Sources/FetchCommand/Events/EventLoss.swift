/// Events that did not get to where they were to go.
struct EventLoss {
    let count: Int
    /// Why the output was given up; nil where its reader was.
    let reason: String?
}
