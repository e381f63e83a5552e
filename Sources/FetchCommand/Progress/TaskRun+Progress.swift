import Glibc

extension TaskRun {
    /// The task's name in bars and lines, printable.
    var name: String {
        plan.kind.file.map { Printable.text($0.path) } ?? plan.address.redacted
    }

    /// Whether the task neither reads from the terminal nor writes to it.
    ///
    /// A bar would interfere.
    ///
    /// An upload's response comes later. If it goes to the terminal, the bar ends then.
    var leavesTerminalAlone: Bool {
        if plan.body.readsStandardInput, isatty(STDIN_FILENO) != 0 { return false }
        guard !plan.body.isSent, get(\.naming.file) == nil else { return true }
        switch plan.kind.destination {
        case .standardOutput, .automatic: return !get(\.output.descriptor).isTerminal
        case .file, .device: return true
        }
    }
}
