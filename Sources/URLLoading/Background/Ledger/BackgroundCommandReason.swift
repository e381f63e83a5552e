/// Why the command of a session is run.
enum BackgroundCommandReason: Codable, Hashable, Sendable {
    /// No task is left that could go on.
    case allDone(tally: BackgroundTally)
    /// A task needs a credential, and nobody is attached who could be asked.
    case credential(task: Int)

    /// The word for its environment.
    var outcome: String {
        switch self {
        case .allDone(let tally): tally.failed == 0 ? "success" : "failure"
        case .credential: "credential"
        }
    }
}
