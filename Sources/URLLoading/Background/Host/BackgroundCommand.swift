import CLinux
import Dispatch
import Glibc
import Synchronization

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
    /// In a process group of its own, with no signal blocked or ignored, and no descriptor of ours: who
    /// lives on after it must not have the session's lock.
    ///
    /// - Parameter completionHandler: takes what waitpid(2) says; `nil` where it was not begun.
    func run(completionHandler: @escaping @Sendable (Int32?) -> Void) {
        DispatchQueue(label: "BackgroundCommand").async {
            guard let process = spawn() else { return completionHandler(nil) }
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0 {
                guard errno == EINTR else { return completionHandler(nil) }
            }
            completionHandler(status)
        }
    }

    private func spawn() -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        posix_spawnattr_setflags(&attributes, Int16(flags))
        // posix_spawn(3) has no way to name a folder that all of our systems know.
        let script = #"cd -- "$1" 2>/dev/null || cd /; umask "$2"; eval "$3""#
        let mask = "0" + String(mask ?? 0o077, radix: 8)
        let words: [String] = ["sh", "-c", script, "sh", folder ?? "/", mask, text]
        let arguments = words.map { strdup($0) }
        let lines = environment.map { strdup($0) }
        defer { for text in arguments + lines { free(text) } }
        var process: pid_t = 0
        let code = posix_spawn(
            &process,
            "/bin/sh",
            &actions,
            &attributes,
            arguments + [nil],
            lines + [nil]
        )
        return code == 0 ? process : nil
    }

    private var environment: [String] {
        var lines = variables.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        var place = linux_environment()
        while let line = place?.pointee {
            let text = String(cString: line)
            let name = text.prefix { $0 != "=" }
            if variables[String(name)] == nil { lines.append(text) }
            place = place?.advanced(by: 1)
        }
        return lines
    }
}
