/// The command that is run when all is done, or a credential is needed.
struct BackgroundCommand: Hashable, Sendable {
    /// For `sh -c`.
    var text: String
    /// The folder it is run in; `/` where that is gone.
    var folder: String?
    /// Its umask(2); nil: this process's.
    var mask: UInt32?
    /// What it finds in its environment, besides this process's.
    var variables: [String: String]

    init(
        text: String,
        folder: String?,
        identifier: String,
        reason: BackgroundCommandReason,
        mask: UInt32? = nil
    ) {
        self.text = text
        self.mask = mask
        self.folder = folder
        variables = [
            "FETCH_BACKGROUND_ID": identifier,
            "FETCH_BACKGROUND_OUTCOME": reason.outcome,
        ]
        guard case .allDone(let tally) = reason else { return }
        variables["FETCH_BACKGROUND_SUCCEEDED"] = "\(tally.succeeded)"
        variables["FETCH_BACKGROUND_FAILED"] = "\(tally.failed)"
    }

    /// Runs it, on a thread of its own.
    ///
    /// In a process group of its own, and with no descriptor of ours: who lives on after it must not
    /// have the session's lock.
    ///
    /// - Parameter completionHandler: takes what waitpid(2) says; `nil` where it was not begun.
    func run(completionHandler: @escaping @Sendable (Int32?) -> Void) {
        SerialQueue("BackgroundCommand").async {
            completionHandler((try? process.start()).flatMap(Children.wait))
        }
    }

    private var process: ProcessStart {
        // posix_spawn(3) has no way to name a folder that all of our systems know.
        let script = #"cd -- "$1" 2>/dev/null || cd /; umask "$2"; eval "$3""#
        let mask = "0" + String(mask ?? 0o077, radix: 8)
        var process = ProcessStart(
            "/bin/sh",
            ["sh", "-c", script, "sh", folder ?? "/", mask, text],
            descriptors: [.null, .null, .null],
            group: .own
        )
        process.variables = variables
        return process
    }
}
