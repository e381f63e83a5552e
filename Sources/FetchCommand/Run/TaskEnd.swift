/// What a task comes to for the run.
enum TaskEnd {
    case status(ExitStatus)
    /// Before it was over.
    case interrupted(Interruption)
    /// It did not end when its time was over.
    case stuck
}
