/// What a task comes to for the run.
enum TaskEnd {
    case status(ExitStatus)
    case signal(Int32)
    /// It did not end when its time was over.
    case stuck
}
