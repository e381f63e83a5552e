import URLLoading

extension Flags {
    /// Transfers that outlive the command.
    static let background: [Flag] = [
        Flag(
            ["--background", "-b"],
            section: .background,
            help: "leave the transfers to a process of their own, and print its session's name",
            details: """
                They go on when this command, the terminal or the login ends. The name of the session, \
                on standard output, is what --attach and the other flags here take. All of it is in \
                `fetch/background` in `$XDG_STATE_HOME`, or `~/.local/state`, and goes on where it stood \
                after a crash; after the machine was started anew, once somebody attaches or says \
                --background-resume. Each file has its name when it is whole, and not before. Failures \
                of the network are tried again until --max-time runs out, or for ever. Several commands \
                may add to one session. A file to be sent is sent as it is now: a copy of it, or, if it \
                is larger than 16 MiB and cannot share its blocks, itself, and if that has changed by \
                then the task fails.
                """
        ) { $0.background = true },
        Flag(
            ["--identifier"],
            value: "ID",
            section: .background,
            help: "call the session of --background ID; else it is given a name",
            details:
                "Any text of 1 to 1,024 bytes. A session of that name that there is gets the tasks too."
        ) { options, value throws(UsageError) in
            options.identifier = try value.identifier()
        },
        Flag(
            ["--on-complete"],
            value: "COMMAND",
            section: .background,
            help: "have the session run COMMAND when all is done, or a password is needed",
            details: """
                By `sh -c`, in this folder, with `FETCH_BACKGROUND_ID` and \
                `FETCH_BACKGROUND_OUTCOME` (`success`, `failure` or `credential`) in its environment; \
                two more, which end in `SUCCEEDED` and `FAILED`, count the tasks. It goes on where the \
                session is cancelled meanwhile. --background-list shows its exit status, and the file \
                that has its output.
                """
        ) { options, value throws(UsageError) in
            guard !value.text.isEmpty, !value.text.utf8.contains(0) else {
                throw value.invalid("is no command")
            }
            options.onComplete = value.text
        },
        Flag(
            ["--discretionary"],
            section: .background,
            help: "let the session wait for mains power and an idle machine, at a low priority",
            details: """
                It waits until --attach or --background-resume names the session, or a later \
                --background without this option queues for it.
                """
        ) { $0.isDiscretionary = true },
        Flag(
            ["--no-discretionary"],
            section: .background,
            help: "let the session begin at once, which is the default"
        ) { $0.isDiscretionary = false },
        Flag(
            ["--attach"],
            value: "ID",
            section: .background,
            help: "show what has become of a background session, and follow it to its end",
            details: """
                Each end of a task is told once, to whoever attaches first; one command can be attached \
                at a time. Passwords that servers want are asked for. What stops this command does not \
                stop the session. The exit status is the gravest of what was told.
                """
        ) { options, value throws(UsageError) in
            try options.take(.attach(try value.identifier()))
        },
        Flag(
            ["--background-list"],
            section: .background,
            help: "list the background sessions and their tasks",
            details: """
                A task that has ended says how, until --attach has told it. What the command of \
                --on-complete has said is in the file that the list names, until 30 days after.
                """
        ) { options throws(UsageError) in
            try options.take(.list(.text))
        },
        Flag(
            ["--background-list-json"],
            section: .background,
            help: "list them as JSON, an object a line for each session",
            details: "`docs/background-list.schema.json` says what is in it."
        ) { options throws(UsageError) in
            try options.take(.list(.json))
        },
        Flag(
            ["--background-pause"],
            value: "ID",
            section: .background,
            help: "hold the transfers of a background session"
        ) { options, value throws(UsageError) in
            try options.take(.pause(try value.identifier()))
        },
        Flag(
            ["--background-resume"],
            value: "ID",
            section: .background,
            help: "let a background session go on, also after the machine was started anew"
        ) { options, value throws(UsageError) in
            try options.take(.resume(try value.identifier()))
        },
        Flag(
            ["--background-resume-all"],
            section: .background,
            help: "have all sessions go on that a restart of the machine has stopped",
            details: """
                Also written --background-resume --all. What was paused stays so, and tasks that are \
                held stay held: it is for the start of the machine, as in the systemd user unit \
                fetch-background.service.
                """
        ) { options throws(UsageError) in
            try options.take(.resumeAll)
        },
        Flag(
            ["--background-cancel"],
            value: "ID",
            section: .background,
            help: "end a background session, and forget what it has not told",
            details: "Files that are whole already stay."
        ) { options, value throws(UsageError) in
            try options.take(.cancel(try value.identifier()))
        },
    ]
}

extension FlagValue {
    /// The name of a background session.
    fileprivate func identifier() throws(UsageError) -> BackgroundIdentifier {
        do throws(BackgroundError) {
            return try BackgroundIdentifier(text)
        } catch {
            throw invalid("is no session's name: \(error)")
        }
    }
}

extension Options {
    /// Takes what is wanted of background sessions: one thing.
    fileprivate mutating func take(_ order: BackgroundAction) throws(UsageError) {
        if let other = backgroundAction, other.flag != order.flag {
            throw .conflict(other.flag, order.flag, reason: "one of them at a time")
        }
        backgroundAction = order
    }
}

/// What is wanted of background sessions in the place of fetching anything here.
enum BackgroundAction: Equatable, Sendable {
    /// How the list is written.
    enum ListForm: Sendable {
        case text
        case json
    }

    case list(ListForm)
    case attach(BackgroundIdentifier)
    case pause(BackgroundIdentifier)
    case resume(BackgroundIdentifier)
    case resumeAll
    case cancel(BackgroundIdentifier)

    /// The flag that asks for it.
    var flag: String {
        switch self {
        case .list(.text): "--background-list"
        case .list(.json): "--background-list-json"
        case .attach: "--attach"
        case .pause: "--background-pause"
        case .resume: "--background-resume"
        case .resumeAll: "--background-resume-all"
        case .cancel: "--background-cancel"
        }
    }
}
