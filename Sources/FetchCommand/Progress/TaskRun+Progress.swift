import Glibc

extension TaskRun {
    /// The task's displayed name, without control characters.
    var name: String {
        plan.kind.file.map { Printable.text($0.path) } ?? plan.address.redacted
    }

    /// Whether the task neither reads from the terminal nor writes to it, because a bar would
    /// interfere.
    ///
    /// The response to an upload comes later; if it is written to the terminal, the bars end then.
    var leavesTerminalAlone: Bool {
        if plan.body.readsStandardInput, isatty(STDIN_FILENO) != 0 { return false }
        guard !plan.body.isSent, get(\.naming.file) == nil else { return true }
        switch plan.kind.destination {
        case .standardOutput, .automatic: return !get(\.output.descriptor).isTerminal
        case .file, .device: return true
        }
    }
}
