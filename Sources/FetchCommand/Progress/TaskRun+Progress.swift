import Glibc

extension TaskRun {
    /// What its bar and its lines are called, printable.
    var name: String {
        plan.kind.file.map { Printable.text($0.path) } ?? plan.address.redacted
    }

    /// Whether neither what it reads nor what it writes is what stands on the terminal: a bar would
    /// mix with that.
    ///
    /// An upload's response comes later; where it goes to the terminal the bar ends then.
    var leavesTerminalAlone: Bool {
        if plan.body.readsStandardInput, isatty(STDIN_FILENO) != 0 { return false }
        guard !plan.body.isSent, get(\.naming.file) == nil else { return true }
        switch plan.kind.destination {
        case .standardOutput, .automatic: return !get(\.output.descriptor).isTerminal
        case .file, .device: return true
        }
    }
}
