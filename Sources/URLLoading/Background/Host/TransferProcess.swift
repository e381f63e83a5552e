import Synchronization

/// The process that carries the transfers of a background session out: an executable in a hidden
/// mode, with a session of its own (setsid(2)) and no terminal.
///
/// It is this program where that says so (``serve()``), else `fetch`, looked for in `PATH`.
public enum TransferProcess {
    /// The first argument of such a process; the folder of all sessions and the identifier follow.
    static let argument = "--transfer-process"
    /// The descriptor of the session's lock in it.
    static let lockDescriptor: CInt = 3

    /// Carries transfers out, and does not return, where this process was started for that; else has
    /// this program's executable be the one that is started for its background sessions.
    ///
    /// To be called first of all in `main`. A program that does not needs `fetch` in `PATH`.
    public static func serve() {
        // Every start comes by here: of most, no strings are made.
        if CommandLine.argc == 4 {
            let arguments = CommandLine.arguments
            if arguments.count == 4, arguments[1] == argument {
                run(root: arguments[2], identifier: arguments[3])
            }
        }
        servesItself.withLock { $0 = true }
    }
}
